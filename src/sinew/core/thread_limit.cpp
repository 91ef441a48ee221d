// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/core/thread_limit.hpp>

namespace sinew::core {

int most_threads() {
  constexpr int always_allowed = 256, per_core = 4;
  return std::max(always_allowed, per_core * static_cast<int>(std::thread::hardware_concurrency()));
}

void require_thread_count(int threads) {
  if (threads < 0 || threads > most_threads())
    throw InputError(
        Problem{.what = fmt::format("{} is not a usable number of threads", threads),
                .hint = fmt::format("from 1 to {} on this machine; 0: all cores", most_threads())});
}

}  // namespace sinew::core
