// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <sinew/la/ordering.hpp>
#include <sinew/physics/numbering.hpp>

namespace sinew::physics {
namespace {

// A set of about 2,500 tets: long enough to hide the cost of handing it to a thread, small enough
// to balance a few threads on meshes of 50,000 tets.
constexpr int vertices_per_part = 512;

}  // namespace

Numbering::Numbering(std::span<const Vec3> rest, std::span<const int> edges,
                     std::span<const int> prescribed) {
  const int n = static_cast<int>(rest.size());
  const la::Graph graph = la::graph_of_elements(n, {edges.begin(), edges.end()}, 2);
  const std::vector<int> order = la::reverse_cuthill_mckee(graph);
  internal_of_user_ = la::inverse_permutation(order);

  rest_.resize(rest.size());
  std::vector<int> reach(rest.size());
  for (int k = 0; k < n; ++k) {
    rest_[k] = rest[order[k]];
    reach[k] = k;
    for (const int neighbour : graph.of(order[k]))
      reach[k] = std::max(reach[k], internal_of_user_[neighbour]);
  }
  parts_ = la::banded_parts(reach, vertices_per_part);

  // in this order a connected piece is a run, and it ends where nothing reaches further
  piece_of_vertex_.resize(rest.size());
  for (int k = 0, end = -1; k < n; ++k) {
    if (k > end) {
      ++num_pieces_;
      end = k;
    }
    end = std::max(end, reach[k]);
    piece_of_vertex_[k] = num_pieces_ - 1;
  }

  block_of_vertex_.assign(rest.size(), 0);
  for (const int vertex : prescribed) block_of_vertex_[internal_of_user_[vertex]] = -1;
  for (int& block : block_of_vertex_)
    if (block >= 0) block = num_free_++;
}

}  // namespace sinew::physics
