// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <Eigen/Geometry>

#include <sinew/core/error.hpp>
#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh {

bool is_made_of_particles(const TetMesh& mesh) {
  const bool has_parts = !mesh.triangles.empty() || !mesh.bars.empty();
  return mesh.tets.empty() && (has_parts || !mesh.masses.empty() || !mesh.species.empty());
}

std::array<Vec3, 4> corners(const TetMesh& mesh, int tet) {
  SINEW_ASSERT(tet >= 0 && tet < mesh.num_tets(), "tet index out of range");
  std::array<Vec3, 4> positions;
  for (int i = 0; i < 4; ++i) {
    const int vertex = mesh.tets[tet][i];
    SINEW_ASSERT(vertex >= 0 && vertex < mesh.num_vertices(), "vertex index out of range");
    positions[i] = mesh.vertices[vertex];
  }
  return positions;
}

double signed_volume(const std::array<Vec3, 4>& corners) {
  const Vec3 b = corners[1] - corners[0];
  const Vec3 c = corners[2] - corners[0];
  const Vec3 d = corners[3] - corners[0];
  return b.cross(c).dot(d) / 6.0;
}

double signed_volume(const TetMesh& mesh, int tet) {
  return signed_volume(corners(mesh, tet));
}

std::vector<Edge> edges_of(const TetMesh& mesh) {
  std::vector<Edge> edges;
  const auto add = [&](int a, int b) { edges.push_back({std::min(a, b), std::max(a, b)}); };
  for (const Tet& tet : mesh.tets)
    for (const auto& [a, b] : tet_edges) add(tet[a], tet[b]);
  for (const auto& [a, b, c] : mesh.triangles) {
    add(a, b);
    add(b, c);
    add(c, a);
  }
  for (const auto& [a, b] : mesh.bars) add(a, b);
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

BoundingBox bounding_box(const TetMesh& mesh) {
  if (mesh.vertices.empty()) return {};
  BoundingBox box{mesh.vertices.front(), mesh.vertices.front()};
  for (const Vec3& vertex : mesh.vertices) {
    box.low = box.low.cwiseMin(vertex);
    box.high = box.high.cwiseMax(vertex);
  }
  return box;
}

double bounding_diagonal(const TetMesh& mesh) {
  return bounding_box(mesh).diagonal();
}

}  // namespace sinew::mesh
