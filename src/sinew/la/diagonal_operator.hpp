// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include <sinew/core/executor.hpp>
#include <sinew/la/linear_operator.hpp>

namespace sinew::la {

/// y_i = d_i x_i: lumped masses, their inverses, Jacobi preconditioners.
class DiagonalOperator final : public LinearOperator {
 public:
  /// The executor must outlive it.
  explicit DiagonalOperator(Vec diagonal, const core::Executor& executor = core::serial_executor())
      : diagonal_(std::move(diagonal)), executor_(&executor) {}

  Index size() const override { return diagonal_.size(); }
  const Vec& diagonal() const { return diagonal_; }
  const Vec* diagonal_only() const override { return &diagonal_; }

 private:
  void do_apply(const VecIn& x, VecOut y) const override { do_apply_columns(x, y); }
  void do_apply_columns(const MatIn& X, MatOut Y) const override {
    constexpr Index piece = 16384;
    executor_->for_ranges(size(), piece, [&](Index begin, Index end) {
      Y.middleRows(begin, end - begin) =
          diagonal_.segment(begin, end - begin).asDiagonal() * X.middleRows(begin, end - begin);
    });
  }

  Vec diagonal_;
  const core::Executor* executor_;
};

}  // namespace sinew::la
