// SPDX-License-Identifier: Apache-2.0
// Groups of neighbouring nodes, about equally large, each of which becomes one coarse node.
#pragma once

#include <span>
#include <vector>

#include <sinew/la/ordering.hpp>

namespace sinew::la {

struct Aggregates {
  std::vector<int> of;     ///< node -> aggregate
  std::vector<int> start;  ///< of an aggregate in `nodes`
  std::vector<int> nodes;  ///< ascending within each aggregate

  int size() const { return static_cast<int>(start.size()) - 1; }
  std::span<const int> members(int a) const {
    return {nodes.data() + start[a], nodes.data() + start[a + 1]};
  }
};

/// Of about `target` nodes; nodes of one aggregate belong to one connected piece of the graph as
/// far as METIS can tell. Deterministic.
Aggregates aggregate(const Graph& graph, int target);

}  // namespace sinew::la
