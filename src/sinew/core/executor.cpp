// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
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

long nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

thread_local int depth = 0;  // of pieces within pieces
struct Deeper {
  Deeper() { ++depth; }
  ~Deeper() { --depth; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;
};

}  // namespace

Executor::Executor(int threads)
    : threads_(resolve(threads)),
      arena_(threads_ > 1 ? std::make_unique<Arena>(threads_) : nullptr) {}

Executor::~Executor() = default;

void Executor::check_stop() const {
  if (!stop_()) return;
  const long now = nanoseconds();
  long first = 0;
  if (asked_at_.compare_exchange_strong(first, now)) first = now;
  if (static_cast<double>(now - first) > 1e9 * patience) throw Interrupted();
}

void Executor::run(int count, const std::function<void(int)>& piece) const {
  const bool is_outermost = depth == 0;  // pieces may be cut again
  const long start = is_outermost ? nanoseconds() : 0;
  // TBB orders the pieces after the call and before its return; these counters say so to the thread
  // sanitizer, which cannot look inside the library
  std::atomic<bool> begun{false};
  std::atomic<int> done{0};
  begun.store(true, std::memory_order_release);
  const auto ordered = [&](int index) {
    begun.load(std::memory_order_acquire);
    if (stop_) check_stop();
    const Deeper deeper;
    piece(index);
    done.fetch_add(1, std::memory_order_release);
  };
  arena_->arena.execute(
      [&] { tbb::parallel_for(0, count, 1, ordered, tbb::simple_partitioner{}); });
  done.load(std::memory_order_acquire);
  pieces_ += count;
  if (is_outermost) {
    ++calls_;
    nanoseconds_ += nanoseconds() - start;
  }
}

const Executor& serial_executor() {
  static const Executor executor(1);
  return executor;
}

}  // namespace sinew::core
