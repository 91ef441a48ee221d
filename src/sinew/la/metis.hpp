// SPDX-License-Identifier: Apache-2.0
// METIS behind plain functions. Deterministic: it draws from the C library's global rand(), which
// it seeds, so only one call runs at a time.
#pragma once

#include <vector>

#include <sinew/la/ordering.hpp>

namespace sinew::la {

/// An order of elimination: node order[k] comes k-th.
std::vector<int> nested_dissection(const Graph& graph);

/// Part of each node, 0 to parts - 1, about equally large with few edges between them; parts may be
/// empty.
std::vector<int> partition(const Graph& graph, int parts);

}  // namespace sinew::la
