// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <utility>

#include <sinew/core/background.hpp>

namespace sinew::core {
namespace {

/// Signals are for the thread that runs the program.
class NoSignals {
 public:
  NoSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

Background::Background(std::size_t most_bytes) : most_bytes_(most_bytes) {}

Background::~Background() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Background::add(std::size_t bytes, std::function<void()> task) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(
        lock, [&] { return failure_ || tasks_.empty() || waiting_bytes_ + bytes <= most_bytes_; });
    throw_failure();
    tasks_.push_back({bytes, std::move(task)});
    waiting_bytes_ += bytes;
    if (!thread_.joinable()) {
      const NoSignals inherited;
      thread_ = std::thread([this] { loop(); });
    }
  }
  changed_.notify_all();
}

void Background::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return failure_ || tasks_.empty(); });
  throw_failure();
}

void Background::throw_failure() {
  if (failure_) std::rethrow_exception(failure_);
}

void Background::loop() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return is_over_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    const std::function<void()> work = std::move(tasks_.front().work);
    lock.unlock();
    std::exception_ptr failure;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    waiting_bytes_ -= tasks_.front().bytes;
    tasks_.pop_front();
    if (failure) {
      failure_ = failure;
      tasks_.clear();
      waiting_bytes_ = 0;
    }
    changed_.notify_all();
  }
}

}  // namespace sinew::core
