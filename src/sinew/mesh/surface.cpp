// SPDX-License-Identifier: Apache-2.0
#include <sinew/core/error.hpp>
#include <sinew/mesh/faces.hpp>
#include <sinew/mesh/quadratic.hpp>
#include <sinew/mesh/surface.hpp>

namespace sinew::mesh {
namespace {

/// use(tet, side) for the faces of the boundary, ordered by tet and then by side.
template <class Use>
void for_each_boundary_face(const TetMesh& mesh, const Use& use) {
  const std::vector<TetFace> faces = sorted_faces(mesh.tets);

  // a face without an equal neighbour in the sorted list is on the boundary
  std::vector<std::array<bool, 4>> is_boundary(mesh.tets.size(), {false, false, false, false});
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const bool like_previous = i > 0 && faces[i - 1].vertices == faces[i].vertices;
    const bool like_next = i + 1 < faces.size() && faces[i + 1].vertices == faces[i].vertices;
    is_boundary[faces[i].tet][faces[i].side] = !like_previous && !like_next;
  }
  for (int tet = 0; tet < mesh.num_tets(); ++tet)
    for (int side = 0; side < 4; ++side)
      if (is_boundary[tet][side]) use(tet, side);
}

CurvedFace curved_face(const TetMesh& mesh, int tet, int side) {
  const auto& corner = tet_faces[side];
  CurvedFace face;
  for (std::size_t k = 0; k < 3; ++k) {
    face[k] = mesh.tets[tet][corner[k]];
    face[3 + k] = mesh.middles[tet][middle_between(corner[k], corner[(k + 1) % 3])];
  }
  return face;
}

}  // namespace

Surface extract_surface(const TetMesh& mesh) {
  Surface surface;
  for_each_boundary_face(mesh, [&](int tet, int side) {
    if (mesh.is_quadratic()) {
      const auto [a, b, c, ab, bc, ca] = curved_face(mesh, tet, side);
      surface.triangles.insert(surface.triangles.end(),
                               {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
      surface.tets.insert(surface.tets.end(), 4, tet);
    } else {
      const auto& [i, j, k] = tet_faces[side];
      const Tet& corner = mesh.tets[tet];
      surface.triangles.push_back({corner[i], corner[j], corner[k]});
      surface.tets.push_back(tet);
    }
  });
  return surface;
}

std::vector<CurvedFace> extract_curved_faces(const TetMesh& mesh) {
  SINEW_ASSERT(mesh.is_quadratic(), "faces are curved in a mesh of second order only");
  std::vector<CurvedFace> faces;
  for_each_boundary_face(mesh,
                         [&](int tet, int side) { faces.push_back(curved_face(mesh, tet, side)); });
  return faces;
}

}  // namespace sinew::mesh
