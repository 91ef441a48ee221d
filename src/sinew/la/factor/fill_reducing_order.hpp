// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <sinew/la/ordering.hpp>

namespace sinew::la {

/// An order of elimination with little fill: nested dissection (METIS) for large graphs, minimum
/// degree (AMD) for small ones. Deterministic.
std::vector<int> fill_reducing_order(const Graph& graph);

}  // namespace sinew::la
