// SPDX-License-Identifier: Apache-2.0
// Runs independent pieces of work on a fixed number of threads. The pieces are chosen by the
// caller from the problem, never from the number of threads, so results do not depend on it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>

namespace sinew::core {

/// Work was given up because somebody asked to stop. What it was to change is half done.
class Interrupted final : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

/// What an executor had to do for several threads.
struct ExecutorUse {
  double seconds = 0.0;  ///< in which pieces could run at the same time
  long calls = 0;
  long pieces = 0;
};

class Executor {
 public:
  /// How long work may go on after somebody asked to stop [s].
  static constexpr double patience = 0.3;

  /// threads >= 1; 0 means all cores.
  explicit Executor(int threads = 1);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  int num_threads() const { return threads_; }
  /// With one thread nothing is counted.
  ExecutorUse use() const {
    return {
        .seconds = 1e-9 * static_cast<double>(nanoseconds_), .calls = calls_, .pieces = pieces_};
  }

  /// Asked before pieces, on any thread. When it has been true for `patience`, for_each throws
  /// Interrupted.
  void set_stop(std::function<bool()> stop_requested) {
    stop_ = std::move(stop_requested);
    asked_at_ = 0;
  }

  /// Calls piece(i) once for every i in [0, count), in any order, and waits for all of them.
  template <class Piece>
  void for_each(int count, const Piece& piece) const {
    if (threads_ == 1 || count < 2) {
      for (int i = 0; i < count; ++i) {
        if (stop_) check_stop();
        piece(i);
      }
    } else {
      run(count, std::cref(piece));
    }
  }

  /// Calls work(begin, end) for ranges of `length` that make up [0, count), likewise.
  template <class Work>
  void for_ranges(std::ptrdiff_t count, std::ptrdiff_t length, const Work& work) const {
    for_each(static_cast<int>((count + length - 1) / length),
             [&](int k) { work(k * length, std::min(count, (k + 1) * length)); });
  }

 private:
  struct Arena;

  void run(int count, const std::function<void(int)>& piece) const;
  void check_stop() const;

  int threads_;
  std::unique_ptr<Arena> arena_;
  std::function<bool()> stop_;
  mutable std::atomic<long> asked_at_ = 0;  // when stop_ was first found true [ns]; 0: not yet
  mutable std::atomic<long> nanoseconds_ = 0, calls_ = 0, pieces_ = 0;
};

/// While it lives, work of the executor ends when somebody asks to stop.
class StopScope {
 public:
  /// Neither executor nor question need exist.
  StopScope(Executor* executor, const std::function<bool()>& stop_requested) : executor_(executor) {
    if (executor_) executor_->set_stop(stop_requested);
  }
  ~StopScope() {
    if (executor_) executor_->set_stop({});
  }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  Executor* executor_;
};

/// The calling thread alone.
const Executor& serial_executor();

}  // namespace sinew::core
