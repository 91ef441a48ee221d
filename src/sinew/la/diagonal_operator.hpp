// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include <sinew/la/linear_operator.hpp>

namespace sinew::la {

/// y_i = d_i x_i: lumped masses, their inverses, Jacobi preconditioners.
class DiagonalOperator final : public LinearOperator {
 public:
  explicit DiagonalOperator(Vec diagonal) : diagonal_(std::move(diagonal)) {}

  Index size() const override { return diagonal_.size(); }
  const Vec& diagonal() const { return diagonal_; }
  const Vec* diagonal_only() const override { return &diagonal_; }

 private:
  void do_apply(const VecIn& x, VecOut y) const override {
    y.array() = diagonal_.array() * x.array();
  }

  Vec diagonal_;
};

}  // namespace sinew::la
