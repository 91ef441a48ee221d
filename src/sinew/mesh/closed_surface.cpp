// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <Eigen/Geometry>

#include <sinew/mesh/closed_surface.hpp>

namespace sinew::mesh {

bool is_closed(std::span<const Triangle> triangles) {
  std::vector<Edge> edges;
  edges.reserve(3 * triangles.size());
  for (const Triangle& triangle : triangles)
    for (std::size_t i = 0; i < 3; ++i) edges.push_back({triangle[i], triangle[(i + 1) % 3]});
  std::sort(edges.begin(), edges.end());
  if (std::adjacent_find(edges.begin(), edges.end()) != edges.end()) return false;
  return std::all_of(edges.begin(), edges.end(), [&](const Edge& edge) {
    return edge[0] != edge[1] &&
           std::binary_search(edges.begin(), edges.end(), Edge{edge[1], edge[0]});
  });
}

double enclosed_volume(std::span<const Vec3> vertices, std::span<const Triangle> triangles) {
  if (triangles.empty()) return 0.0;
  // tets from one point of the surface: far from the origin, those from there would cancel badly
  const Vec3& apex = vertices[triangles[0][0]];
  double volume = 0.0;
  for (const auto& [a, b, c] : triangles)
    volume += signed_volume({apex, vertices[a], vertices[b], vertices[c]});
  return volume;
}

}  // namespace sinew::mesh
