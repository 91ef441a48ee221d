// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/core/executor.hpp>

namespace sinew::physics {

/// work(index) for every set of elements: even ones at once, then odd ones. Set i writes to parts i
/// and i + 1 of the vertex order only (la/ordering.hpp), so no two threads write to one place.
template <class Work>
void for_each_alternating(const core::Executor& executor, int num_sets, const Work& work) {
  for (const int parity : {0, 1})
    executor.for_each((num_sets + 1 - parity) / 2, [&](int piece) { work(2 * piece + parity); });
}

}  // namespace sinew::physics
