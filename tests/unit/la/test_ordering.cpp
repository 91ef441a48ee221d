// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include <sinew/la/ordering.hpp>

namespace sinew::la {
namespace {

/// Edges of a grid graph with scrambled numbers.
Graph scrambled_grid(int nx, int ny, unsigned seed) {
  std::vector<int> label(static_cast<std::size_t>(nx * ny));
  std::iota(label.begin(), label.end(), 0);
  std::shuffle(label.begin(), label.end(), std::mt19937(seed));
  std::vector<int> edges;
  const auto at = [&](int i, int j) { return label[i * ny + j]; };
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j) {
      if (i + 1 < nx) edges.insert(edges.end(), {at(i, j), at(i + 1, j)});
      if (j + 1 < ny) edges.insert(edges.end(), {at(i, j), at(i, j + 1)});
    }
  return graph_of_elements(nx * ny, edges, 2);
}

std::vector<int> reach_in_order(const Graph& graph, const std::vector<int>& order) {
  const std::vector<int> position = inverse_permutation(order);
  std::vector<int> reach(order.size());
  for (int k = 0; k < graph.num_nodes(); ++k) {
    reach[k] = k;
    for (const int neighbour : graph.of(order[k]))
      reach[k] = std::max(reach[k], position[neighbour]);
  }
  return reach;
}

TEST(Ordering, CuthillMcKeeBringsNeighboursTogether) {
  const Graph graph = scrambled_grid(60, 5, 3);

  const std::vector<int> order = reverse_cuthill_mckee(graph);

  std::vector<int> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (int k = 0; k < 300; ++k) ASSERT_EQ(sorted[k], k);
  const std::vector<int> reach = reach_in_order(graph, order);
  int bandwidth = 0;
  for (int k = 0; k < 300; ++k) bandwidth = std::max(bandwidth, reach[k] - k);
  // a level of this grid has at most five nodes, and an edge spans at most two levels
  EXPECT_LE(bandwidth, 10);
}

TEST(Ordering, HandlesSeveralPiecesAndLonelyNodes) {
  const Graph graph = graph_of_elements(6, std::vector<int>{0, 3, 1, 4}, 2);

  const std::vector<int> order = reverse_cuthill_mckee(graph);

  EXPECT_EQ(order.size(), 6u);
  const std::vector<int> position = inverse_permutation(order);
  EXPECT_EQ(std::abs(position[0] - position[3]), 1);
  EXPECT_EQ(std::abs(position[1] - position[4]), 1);
}

TEST(Ordering, PartsTouchOnlyTheNextOne) {
  const Graph graph = scrambled_grid(200, 7, 5);
  const std::vector<int> reach = reach_in_order(graph, reverse_cuthill_mckee(graph));

  for (const int target : {1, 10, 100, 5000}) {
    const std::vector<int> parts = banded_parts(reach, target);

    ASSERT_EQ(parts.front(), 0);
    ASSERT_EQ(parts.back(), 1400);
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      ASSERT_LT(parts[i], parts[i + 1]);
      const int limit = i + 2 < parts.size() ? parts[i + 2] : 1400;
      for (int row = parts[i]; row < parts[i + 1]; ++row) ASSERT_LT(reach[row], limit);
    }
  }
  EXPECT_GT(banded_parts(reach, 100).size(), 10u);
  EXPECT_EQ(banded_parts({}, 10), std::vector<int>{0});
}

}  // namespace
}  // namespace sinew::la
