// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <utility>

#include <sinew/core/error.hpp>
#include <sinew/la/ordering.hpp>

namespace sinew::la {
namespace {

/// Breadth-first levels from `root`; returns the last node visited and the number of levels.
std::pair<int, int> farthest(const Graph& graph, int root, std::vector<int>& level,
                             std::vector<int>& queue) {
  queue.assign(1, root);
  level[root] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head)
    for (const int next : graph.of(queue[head]))
      if (level[next] < 0) {
        level[next] = level[queue[head]] + 1;
        queue.push_back(next);
      }
  const std::pair<int, int> result{queue.back(), level[queue.back()]};
  for (const int node : queue) level[node] = -1;
  return result;
}

/// A node at the end of a long shortest path: where the levels are many and thin.
int pseudo_peripheral(const Graph& graph, int start, std::vector<int>& level,
                      std::vector<int>& queue) {
  auto [end, depth] = farthest(graph, start, level, queue);
  for (;;) {
    const auto [next, next_depth] = farthest(graph, end, level, queue);
    if (next_depth <= depth) return end;
    end = next;
    depth = next_depth;
  }
}

}  // namespace

Graph graph_of_elements(int num_nodes, std::span<const int> elements, int corners) {
  std::vector<std::vector<int>> sets(static_cast<std::size_t>(num_nodes));
  for (std::size_t e = 0; e + static_cast<std::size_t>(corners) <= elements.size();
       e += static_cast<std::size_t>(corners))
    for (int i = 0; i < corners; ++i)
      for (int j = 0; j < corners; ++j)
        if (i != j) sets[elements[e + i]].push_back(elements[e + j]);
  Graph graph;
  graph.start.reserve(sets.size() + 1);
  for (auto& set : sets) {
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    graph.neighbours.insert(graph.neighbours.end(), set.begin(), set.end());
    graph.start.push_back(static_cast<int>(graph.neighbours.size()));
  }
  return graph;
}

std::vector<int> reverse_cuthill_mckee(const Graph& graph) {
  const int n = graph.num_nodes();
  const auto degree = [&](int node) { return graph.start[node + 1] - graph.start[node]; };
  std::vector<int> order, level(static_cast<std::size_t>(n), -1), queue;
  std::vector<char> placed(static_cast<std::size_t>(n), 0);
  order.reserve(static_cast<std::size_t>(n));
  for (int seed = 0; seed < n; ++seed) {
    if (placed[seed]) continue;
    const int root = pseudo_peripheral(graph, seed, level, queue);
    std::size_t head = order.size();
    order.push_back(root);
    placed[root] = 1;
    for (; head < order.size(); ++head) {
      const std::size_t first_new = order.size();
      for (const int next : graph.of(order[head]))
        if (!placed[next]) {
          placed[next] = 1;
          order.push_back(next);
        }
      std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(first_new), order.end(),
                       [&](int a, int b) { return degree(a) < degree(b); });
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<int> inverse_permutation(std::span<const int> order) {
  std::vector<int> position(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) position[order[k]] = static_cast<int>(k);
  return position;
}

std::vector<int> banded_parts(std::span<const int> reach, int target) {
  SINEW_ASSERT(target > 0, "parts need at least one row");
  const int rows = static_cast<int>(reach.size());
  std::vector<int> bounds{0};
  int needed = 0;  // the part being closed must end at or after this row
  while (bounds.back() < rows) {
    const int begin = bounds.back();
    int end = std::min(rows, std::max(needed, begin + target));
    if (rows - end < target / 2) end = rows;  // no crumbs at the end
    needed = 0;
    for (int row = begin; row < end; ++row) needed = std::max(needed, reach[row] + 1);
    bounds.push_back(end);
  }
  return bounds;
}

}  // namespace sinew::la
