// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include <sinew/la/metis.hpp>
#include <sinew/la/multigrid/aggregates.hpp>

namespace sinew::la {

Aggregates aggregate(const Graph& graph, int target) {
  const int n = graph.num_nodes();
  Aggregates result;
  result.of.assign(static_cast<std::size_t>(n), 0);
  if (n > 2 * target) {
    const int parts = n / target;
    const std::vector<int> part = partition(graph, parts);
    // parts may be empty: number those that are not
    std::vector<int> number(static_cast<std::size_t>(parts), -1);
    int count = 0;
    for (int k = 0; k < n; ++k) {
      int& own = number[part[k]];
      if (own < 0) own = count++;
      result.of[k] = own;
    }
  }
  const int count = n == 0 ? 0 : *std::max_element(result.of.begin(), result.of.end()) + 1;
  result.start.assign(static_cast<std::size_t>(count) + 1, 0);
  for (const int a : result.of) ++result.start[a + 1];
  std::partial_sum(result.start.begin(), result.start.end(), result.start.begin());
  result.nodes.resize(result.of.size());
  std::vector<int> next(result.start.begin(), result.start.end() - 1);
  for (int k = 0; k < n; ++k) result.nodes[next[result.of[k]]++] = k;
  return result;
}

}  // namespace sinew::la
