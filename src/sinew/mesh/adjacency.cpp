// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include <sinew/mesh/adjacency.hpp>

namespace sinew::mesh {
namespace {

Edge ascending(int a, int b) {
  return {std::min(a, b), std::max(a, b)};
}

}  // namespace

Adjacency::Adjacency(int num_vertices, std::span<const Edge> bars) {
  std::vector<Edge> directed;
  directed.reserve(2 * bars.size());
  for (const auto& [a, b] : bars) {
    directed.push_back({a, b});
    directed.push_back({b, a});
  }
  std::sort(directed.begin(), directed.end());
  directed.erase(std::unique(directed.begin(), directed.end()), directed.end());
  start_.assign(static_cast<std::size_t>(num_vertices) + 1, 0);
  for (const auto& [from, to] : directed) {
    ++start_[static_cast<std::size_t>(from) + 1];
    neighbours_.push_back(to);
  }
  for (std::size_t v = 1; v < start_.size(); ++v) start_[v] += start_[v - 1];
}

std::vector<Hinge> find_hinges(std::span<const Triangle> triangles) {
  // the corner opposite an edge, with the sense in which the triangle runs along it
  struct Side {
    int opposite;
    bool is_forward;
  };
  std::map<Edge, std::vector<Side>> sides;
  for (const Triangle& triangle : triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = triangle[k], b = triangle[(k + 1) % 3];
      sides[ascending(a, b)].push_back({triangle[(k + 2) % 3], a < b});
    }
  std::vector<Hinge> hinges;
  for (const auto& [edge, around] : sides) {
    if (around.size() != 2) continue;
    const bool is_first_left = around[0].is_forward;
    hinges.push_back({edge[0], edge[1], around[is_first_left ? 0 : 1].opposite,
                      around[is_first_left ? 1 : 0].opposite});
  }
  return hinges;
}

std::vector<Edge> bars_and_edges(const TetMesh& mesh) {
  std::vector<Edge> result = mesh.bars;
  if (mesh.triangles.empty() && mesh.tets.empty()) return result;
  std::set<Edge> known;
  for (const auto& [a, b] : mesh.bars) known.insert(ascending(a, b));
  for (const Edge& edge : edges_of(mesh))
    if (!known.contains(edge)) result.push_back(edge);
  return result;
}

}  // namespace sinew::mesh
