// SPDX-License-Identifier: Apache-2.0
// Runs independent pieces of work on a fixed number of threads. The pieces are chosen by the
// caller from the problem, never from the number of threads, so results do not depend on it.
#pragma once

#include <functional>
#include <memory>

namespace sinew::core {

class Executor {
 public:
  /// threads >= 1; 0 means all cores.
  explicit Executor(int threads = 1);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  int num_threads() const { return threads_; }

  /// Calls piece(i) once for every i in [0, count), in any order, and waits for all of them.
  template <class Piece>
  void for_each(int count, const Piece& piece) const {
    if (threads_ == 1 || count < 2) {
      for (int i = 0; i < count; ++i) piece(i);
    } else {
      run(count, std::cref(piece));
    }
  }

 private:
  struct Arena;

  void run(int count, const std::function<void(int)>& piece) const;

  int threads_;
  std::unique_ptr<Arena> arena_;
};

/// The calling thread alone.
const Executor& serial_executor();

}  // namespace sinew::core
