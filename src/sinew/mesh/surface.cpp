// SPDX-License-Identifier: Apache-2.0
#include <sinew/mesh/faces.hpp>
#include <sinew/mesh/surface.hpp>

namespace sinew::mesh {

Surface extract_surface(const TetMesh& mesh) {
  const std::vector<TetFace> faces = sorted_faces(mesh.tets);

  // a face without an equal neighbour in the sorted list is on the boundary
  std::vector<std::array<bool, 4>> is_boundary(mesh.tets.size(), {false, false, false, false});
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const bool like_previous = i > 0 && faces[i - 1].vertices == faces[i].vertices;
    const bool like_next = i + 1 < faces.size() && faces[i + 1].vertices == faces[i].vertices;
    is_boundary[faces[i].tet][faces[i].side] = !like_previous && !like_next;
  }

  Surface surface;
  for (int tet = 0; tet < mesh.num_tets(); ++tet) {
    for (int side = 0; side < 4; ++side) {
      if (!is_boundary[tet][side]) continue;
      const Tet& corner = mesh.tets[tet];
      const auto& local = tet_faces[side];
      surface.triangles.push_back({corner[local[0]], corner[local[1]], corner[local[2]]});
      surface.tets.push_back(tet);
    }
  }
  return surface;
}

}  // namespace sinew::mesh
