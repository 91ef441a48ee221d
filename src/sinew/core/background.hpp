// SPDX-License-Identifier: Apache-2.0
// Tasks that are done one after another on a thread of their own, while the caller goes on. What is
// waiting is bounded: whoever is faster than the tasks has to wait for them.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace sinew::core {

class Background {
 public:
  /// `most_bytes` may wait at a time; a single task may be larger.
  explicit Background(std::size_t most_bytes);
  /// Waits for what is left. Failures nobody asked for are forgotten.
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  /// Throws what an earlier task has thrown; after that no more tasks are done.
  void add(std::size_t bytes, std::function<void()> task);
  /// Waits until all are done, and throws likewise.
  void finish();

 private:
  struct Task {
    std::size_t bytes;
    std::function<void()> work;
  };

  void loop();
  void throw_failure();

  std::size_t most_bytes_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> tasks_;  // the first one is being done
  std::size_t waiting_bytes_ = 0;
  bool is_over_ = false;
  std::exception_ptr failure_;
  std::thread thread_;  // started by the first task
};

}  // namespace sinew::core
