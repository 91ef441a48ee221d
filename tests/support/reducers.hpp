// SPDX-License-Identifier: Apache-2.0
// Reducers that stand for several processes, or watch how often they are asked.
#pragma once

#include <atomic>

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

/// Adds what two processes with half of the dofs each would have found: the same numbers but for
/// rounding.
class SplittingReducer final : public la::Reducer {
  double local_dot(const VecIn& x, const VecIn& y) const override {
    const Index half = x.size() / 2, rest = x.size() - half;
    return x.head(half).dot(y.head(half)) + x.tail(rest).dot(y.tail(rest));
  }
  Mat local_gram(const MatIn& X, const MatIn& Y) const override {
    const Index half = X.rows() / 2, rest = X.rows() - half;
    Mat sum = X.topRows(half).transpose() * Y.topRows(half);
    sum += X.bottomRows(rest).transpose() * Y.bottomRows(rest);
    return sum;
  }
};

/// A second process has the same dofs with the same values: all sums are doubled, all maxima as
/// they were. Two bodies that know nothing of each other move like one, so a step gives the same
/// result, unless some sum, or some number of dofs, did not go through the reducer and is compared
/// with one that did. Goes with TwinSystem.
class TwinReducer final : public la::Reducer {
  void global_sum(std::span<double> values) const override {
    for (double& value : values) value *= 2.0;
  }
};

}  // namespace sinew::test
