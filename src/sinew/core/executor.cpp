// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <thread>

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <sinew/core/error.hpp>
#include <sinew/core/executor.hpp>

namespace sinew::core {

struct Executor::Arena {
  explicit Arena(int threads) : arena(threads) {
    // TBB would otherwise grant no more threads than there are cores
    if (threads > tbb::info::default_concurrency())
      limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                    static_cast<std::size_t>(threads));
  }
  std::unique_ptr<tbb::global_control> limit;
  tbb::task_arena arena;
};

namespace {

int resolve(int threads) {
  SINEW_ASSERT(threads >= 0, "the number of threads cannot be negative");
  return threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

Executor::Executor(int threads)
    : threads_(resolve(threads)),
      arena_(threads_ > 1 ? std::make_unique<Arena>(threads_) : nullptr) {}

Executor::~Executor() = default;

void Executor::run(int count, const std::function<void(int)>& piece) const {
  arena_->arena.execute([&] { tbb::parallel_for(0, count, 1, piece, tbb::simple_partitioner{}); });
}

const Executor& serial_executor() {
  static const Executor executor(1);
  return executor;
}

}  // namespace sinew::core
