// SPDX-License-Identifier: Apache-2.0
#include <sinew/la/dense/decompositions.hpp>
#include <sinew/la/solvers/solution_guess.hpp>

namespace sinew::la {

void SolutionGuess::guess(const LinearOperator& A, const VecIn& b, const Reducer& reducer,
                          VecOut x) {
  x.setZero();
  if (past_.rows() != b.size()) past_.resize(b.size(), 0);
  const Index m = past_.cols();
  if (m == 0) return;
  A_past_.resize(b.size(), m);
  A.apply_columns(past_, A_past_);
  const Vec rhs = reducer.dots(past_, b);
  Mat gram(m, m);
  for (Index j = 0; j < m; ++j) {
    const Vec products = reducer.dots(A_past_.leftCols(j + 1), past_.col(j));
    gram.row(j).head(j + 1) = products.transpose();
    gram.col(j).head(j + 1) = products;
  }
  // solutions of nearly the same direction say nothing new: leave out small eigenvalues
  const Vec scale = gram.diagonal().cwiseAbs().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const SymmetricEigen eigen = symmetric_eigen(scale.asDiagonal() * gram * scale.asDiagonal());
  if (!(eigen.values[m - 1] > 0.0)) return;
  Vec y = eigen.vectors.transpose() * scale.cwiseProduct(rhs);
  for (Index k = 0; k < m; ++k) y[k] = eigen.values[k] > 1e-10 ? y[k] / eigen.values[k] : 0.0;
  y = scale.cwiseProduct(eigen.vectors * y);
  if (y.allFinite()) x = past_ * y;
}

void SolutionGuess::remember(const VecIn& x) {
  if (past_.rows() != x.size()) past_.resize(x.size(), 0);
  if (past_.cols() < most) {
    past_.conservativeResize(x.size(), past_.cols() + 1);
    past_.col(past_.cols() - 1) = x;
    return;
  }
  newest_ = (newest_ + 1) % most;
  past_.col(newest_) = x;
}

void SolutionGuess::forget() {
  past_.resize(0, 0);
  newest_ = most - 1;
}

void SolutionGuess::restore(Mat solutions, Index newest) {
  past_ = std::move(solutions);
  newest_ = newest;
}

}  // namespace sinew::la
