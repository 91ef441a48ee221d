// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>

#include <sinew/la/solvers/linear_solver.hpp>
#include <sinew/la/symmetric_matrix.hpp>

namespace sinew::la {

/// y = A^-1 x with A factorised once, e.g. a consistent mass. May be shared between threads.
class FactoredInverse final : public LinearOperator {
 public:
  FactoredInverse(const SymmetricMatrix& A, std::unique_ptr<LinearSolver> solver)
      : size_(A.size()), solver_(std::move(solver)) {
    SINEW_ASSERT(solver_->factorize(A).status == SolveStatus::ok,
                 "the matrix to invert is not positive definite");
  }

  Index size() const override { return size_; }

 private:
  void do_apply(const VecIn& x, VecOut y) const override {
    const std::lock_guard lock(mutex_);  // the solver has scratch of its own
    SINEW_ASSERT(solver_->solve(x, y).status == SolveStatus::ok,
                 "the inverse could not be applied");
  }
  void do_apply_columns(const MatIn& X, MatOut Y) const override {
    const std::lock_guard lock(mutex_);
    SINEW_ASSERT(solver_->solve(X, Y).status == SolveStatus::ok,
                 "the inverse could not be applied");
  }

  Index size_;
  mutable std::mutex mutex_;
  std::unique_ptr<LinearSolver> solver_;
};

}  // namespace sinew::la
