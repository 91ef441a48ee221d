// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include <sinew/la/ordering.hpp>
#include <sinew/physics/numbering.hpp>

namespace sinew::physics {
namespace {

// A set of about 2,500 tets: long enough to hide the cost of handing it to a thread, small enough
// to balance a few threads on meshes of 50,000 tets.
constexpr int vertices_per_part = 512;

/// For every vertex the number of what it is joined into, counted in the order of their first
/// vertices.
std::vector<int> count_joined(std::size_t num_vertices, std::span<const int> joined) {
  const std::vector<int> first = first_of_joined(num_vertices, joined);
  std::vector<int> number(num_vertices);
  int count = 0;
  for (std::size_t v = 0; v < num_vertices; ++v)
    number[v] =
        first[v] == static_cast<int>(v) ? count++ : number[static_cast<std::size_t>(first[v])];
  return number;
}

}  // namespace

std::vector<int> first_of_joined(std::size_t num_vertices, std::span<const int> joined) {
  std::vector<int> first(num_vertices);
  std::iota(first.begin(), first.end(), 0);
  const auto root = [&](int v) {
    while (first[static_cast<std::size_t>(v)] != v) v = first[static_cast<std::size_t>(v)];
    return v;
  };
  for (std::size_t k = 0; k + 1 < joined.size(); k += 2) {
    const auto [low, high] = std::minmax({root(joined[k]), root(joined[k + 1])});
    first[static_cast<std::size_t>(high)] = low;
  }
  for (int& vertex : first) vertex = root(vertex);
  return first;
}

Numbering::Numbering(std::span<const Vec3> rest, std::span<const int> edges,
                     std::span<const int> prescribed, std::span<const int> joined) {
  const std::vector<int> own = count_joined(rest.size(), joined);
  const int n = own.empty() ? 0 : 1 + *std::max_element(own.begin(), own.end());
  std::vector<int> own_edges;
  own_edges.reserve(edges.size());
  for (const int vertex : edges) own_edges.push_back(own[static_cast<std::size_t>(vertex)]);
  const la::Graph graph = la::graph_of_elements(n, std::move(own_edges), 2);
  const std::vector<int> order = la::reverse_cuthill_mckee(graph);
  const std::vector<int> internal_of_own = la::inverse_permutation(order);
  for (const int vertex : own)
    internal_of_user_.push_back(internal_of_own[static_cast<std::size_t>(vertex)]);

  rest_.resize(static_cast<std::size_t>(n));
  // the first of several vertices counts
  for (std::size_t user = rest.size(); user-- > 0;)
    rest_[static_cast<std::size_t>(internal_of_user_[user])] = rest[user];
  std::vector<int> reach(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k) {
    reach[k] = k;
    for (const int neighbour : graph.of(order[k]))
      reach[k] = std::max(reach[k], internal_of_own[neighbour]);
  }
  parts_ = la::banded_parts(reach, vertices_per_part);

  // in this order a connected piece is a run, and it ends where nothing reaches further
  piece_of_vertex_.resize(rest_.size());
  for (int k = 0, end = -1; k < n; ++k) {
    if (k > end) {
      ++num_pieces_;
      end = k;
    }
    end = std::max(end, reach[k]);
    piece_of_vertex_[k] = num_pieces_ - 1;
  }

  block_of_vertex_.assign(rest_.size(), 0);
  for (const int vertex : prescribed) block_of_vertex_[internal_of_user_[vertex]] = -1;
  for (int& block : block_of_vertex_)
    if (block >= 0) block = num_free_++;
}

Numbering Numbering::with_free(std::span<const int> vertices) const {
  Numbering other = *this;
  other.block_of_vertex_.assign(rest_.size(), -1);
  other.num_free_ = 0;
  for (const int vertex : vertices)
    other.block_of_vertex_[static_cast<std::size_t>(vertex)] = other.num_free_++;
  return other;
}

}  // namespace sinew::physics
