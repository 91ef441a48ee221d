// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <thread>

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <sinew/core/executor.hpp>
#include <sinew/core/thread_limit.hpp>

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
  require_thread_count(threads);
  return threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

Executor::Executor(int threads)
    : threads_(resolve(threads)),
      arena_(threads_ > 1 ? std::make_unique<Arena>(threads_) : nullptr) {}

Executor::~Executor() = default;

void Executor::run(int count, const std::function<void(int)>& piece) const {
  // TBB orders the pieces after the call and before its return; these counters say so to the thread
  // sanitizer, which cannot look inside the library
  std::atomic<bool> begun{false};
  std::atomic<int> done{0};
  begun.store(true, std::memory_order_release);
  const auto ordered = [&](int index) {
    begun.load(std::memory_order_acquire);
    piece(index);
    done.fetch_add(1, std::memory_order_release);
  };
  arena_->arena.execute(
      [&] { tbb::parallel_for(0, count, 1, ordered, tbb::simple_partitioner{}); });
  done.load(std::memory_order_acquire);
}

const Executor& serial_executor() {
  static const Executor executor(1);
  return executor;
}

}  // namespace sinew::core
