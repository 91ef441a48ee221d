// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sinew::core {

/// How many threads may be asked for: four times as many as the machine runs at once, and 256 on
/// small ones. More only costs memory, until the system refuses to make them.
int most_threads();

/// Throws InputError for more than that, and for less than 0.
void require_thread_count(int threads);

}  // namespace sinew::core
