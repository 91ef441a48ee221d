// SPDX-License-Identifier: Apache-2.0
// Orders the nodes of a graph so that neighbours are close, and cuts the order into parts that can
// be worked on in parallel without atomics:
//
//   parts      |  0  |  1  |  2  |  3  |      every edge stays inside a part or reaches the next,
//   edges       ~~~ ~~~~ ~~~ ~~~~ ~~~         so all even parts may write at once, then all odd.
//
// The cut depends on the graph alone, never on the number of threads.
#pragma once

#include <span>
#include <vector>

namespace sinew::la {

/// Adjacency in compressed rows; symmetric, without self-loops.
struct Graph {
  std::vector<int> start{0};
  std::vector<int> neighbours;

  int num_nodes() const { return static_cast<int>(start.size()) - 1; }
  std::span<const int> of(int node) const {
    return {neighbours.data() + start[node], neighbours.data() + start[node + 1]};
  }
};

/// The graph whose edges join all nodes of one element; `corners` nodes per element.
Graph graph_of_elements(int num_nodes, std::span<const int> elements, int corners);

/// Reverse Cuthill-McKee: order[k] is the node that comes k-th. Deterministic.
std::vector<int> reverse_cuthill_mckee(const Graph& graph);

/// position[order[k]] = k.
std::vector<int> inverse_permutation(std::span<const int> order);

/// Boundaries 0 = p_0 < p_1 < ... < p_n = rows such that reach[r] < p_{i+2} for r in part i, with
/// about `target` rows per part. reach[r] >= r is the largest index row r touches.
std::vector<int> banded_parts(std::span<const int> reach, int target);

}  // namespace sinew::la
