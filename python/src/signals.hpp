// SPDX-License-Identifier: Apache-2.0
// Ctrl-C: Python hears of it on its main thread only, with the lock of the interpreter held.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <thread>
#include <type_traits>

#include <pybind11/pybind11.h>

namespace sinew::python {

class Signals {
 public:
  /// Whether somebody asked to stop. Any thread may ask; the one that made this object looks.
  bool is_pending() {
    if (is_pending_) return true;
    if (std::this_thread::get_id() != owner_) return false;
    const auto now = std::chrono::steady_clock::now();
    if (now - looked_ < interval) return false;
    looked_ = now;
    const pybind11::gil_scoped_acquire lock;
    look();
    return is_pending_;
  }

  /// With the lock held, on the thread that made this object.
  void look() {
    if (is_pending_ || PyErr_CheckSignals() == 0) return;
    error_.emplace();  // takes the exception that the handler raised
    is_pending_ = true;
  }

  /// Throws what the handler raised, if anything; with the lock held.
  void raise() {
    if (!is_pending_.exchange(false)) return;
    pybind11::error_already_set error = std::move(*error_);
    error_.reset();
    throw error;
  }

  static constexpr auto interval = std::chrono::milliseconds(50);

 private:
  std::thread::id owner_ = std::this_thread::get_id();
  std::chrono::steady_clock::time_point looked_{};
  std::atomic<bool> is_pending_ = false;
  std::optional<pybind11::error_already_set> error_;
};

/// Does long work on a thread of its own, without the lock, while this one looks for Ctrl-C.
/// `work` is given a question that it should ask now and then: whether to stop.
template <class Work>
auto with_signals(const Work& work) {
  using Result = std::invoke_result_t<Work, std::function<bool()>>;
  Signals signals;
  std::future<Result> result;
  {
    const pybind11::gil_scoped_release unlocked;
    result = std::async(std::launch::async,
                        [&] { return work([&signals] { return signals.is_pending(); }); });
    while (result.wait_for(Signals::interval) != std::future_status::ready) {
      const pybind11::gil_scoped_acquire locked;
      signals.look();
    }
  }
  if constexpr (std::is_void_v<Result>) {
    result.get();
    signals.raise();
  } else {
    Result value = result.get();
    signals.raise();
    return value;
  }
}

}  // namespace sinew::python
