// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <vector>

#include <sinew/la/ordering.hpp>

namespace sinew::la {

/// An order of elimination with little fill: nested dissection (METIS) for large graphs, minimum
/// degree (AMD) for small ones. Deterministic.
std::vector<int> fill_reducing_order(const Graph& graph);

/// METIS seeds and draws from the C library's global rand(): one at a time, or results would vary.
std::mutex& metis_mutex();

}  // namespace sinew::la
