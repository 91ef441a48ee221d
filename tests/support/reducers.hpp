// SPDX-License-Identifier: Apache-2.0
// Reducers that stand for several processes, or watch how often they are asked.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include <sinew/la/reducer.hpp>

namespace sinew::test {

/// The serial one, and how often processes would have had to wait for each other.
class CountingReducer final : public la::Reducer {
 public:
  long sums() const { return sums_; }
  long maxima() const { return maxima_; }
  long reductions() const { return sums_ + maxima_; }

 private:
  void global_sum(std::span<double>) const override { ++sums_; }
  void global_max(std::span<double>) const override { ++maxima_; }

  mutable std::atomic<long> sums_ = 0, maxima_ = 0;
};

/// Adds in other pieces: the same numbers but for rounding.
class SplittingReducer final : public la::Reducer {
 public:
  SplittingReducer() : Reducer(core::serial_executor(), 6) {}
};

/// A second process has the same dofs with the same values: all sums are doubled, all maxima as
/// they were. Two bodies that know nothing of each other move like one, so a step gives the same
/// result, unless some sum, or some number of dofs, did not go through the reducer and is compared
/// with one that did. Goes with PartOfSystem. (A
/// routine that bypasses it throughout gives the same result, too: see Lockstep.)
class TwinReducer final : public la::Reducer {
  void global_sum(std::span<double> values) const override {
    for (double& value : values) value *= 2.0;
  }
};

/// Two processes, as two threads that wait for each other in every reduction. Whoever asks for
/// something else than the other one, or does not come, ends both with an exception.
class Lockstep {
 public:
  /// Calls work(0, reducer) and work(1, reducer), at the same time.
  template <class Work>
  static void run(const Work& work) {
    Lockstep both;
    std::exception_ptr failures[2];
    const auto process = [&](int rank) {
      try {
        work(rank, both.reducers_[rank]);
      } catch (...) {
        failures[rank] = std::current_exception();
      }
      both.leave();
    };
    std::thread other(process, 1);
    process(0);
    other.join();
    for (const std::exception_ptr& failure : failures)
      if (failure) std::rethrow_exception(failure);
  }

 private:
  enum class Kind { sum, max };

  class Process final : public la::Reducer {
   public:
    Process(Lockstep& both, int rank) : both_(both), rank_(rank) {}

   private:
    void global_sum(std::span<double> values) const override {
      both_.exchange(rank_, Kind::sum, values);
    }
    void global_max(std::span<double> values) const override {
      both_.exchange(rank_, Kind::max, values);
    }
    Lockstep& both_;
    int rank_;
  };

  void exchange(int rank, Kind kind, std::span<double> values) {
    std::unique_lock lock(mutex_);
    wishes_[rank] = {kind, {values.begin(), values.end()}};
    meet(lock);
    const auto& [kind0, values0] = wishes_[0];
    const auto& [kind1, values1] = wishes_[1];
    if (kind0 != kind1 || values0.size() != values1.size()) parted_ = true;
    for (std::size_t k = 0; k < values.size() && !parted_; ++k)
      values[k] = kind == Kind::sum ? values0[k] + values1[k] : std::max(values0[k], values1[k]);
    meet(lock);  // before the wishes change
  }

  void meet(std::unique_lock<std::mutex>& lock) {
    const long round = round_;
    if (gone_) parted_ = true;
    if (++waiting_ == 2) {
      waiting_ = 0;
      ++round_;
      changed_.notify_all();
    } else {
      changed_.wait(lock, [&] { return round_ != round || parted_; });
    }
    if (parted_) {
      changed_.notify_all();
      throw std::runtime_error("two processes wait for different reductions");
    }
  }

  /// Whoever still waits for this process waits in vain.
  void leave() {
    const std::lock_guard lock(mutex_);
    gone_ = true;
    if (waiting_ > 0) parted_ = true;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::pair<Kind, std::vector<double>> wishes_[2];
  int waiting_ = 0;
  long round_ = 0;
  bool parted_ = false, gone_ = false;
  Process reducers_[2] = {{*this, 0}, {*this, 1}};
};

}  // namespace sinew::test
