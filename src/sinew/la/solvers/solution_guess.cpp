// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <sinew/la/dense/decompositions.hpp>
#include <sinew/la/solvers/solution_guess.hpp>

namespace sinew::la {

void SolutionGuess::guess(const LinearOperator& A, const MatIn& B, const Reducer& reducer, MatOut X,
                          Mat& AX) {
  X.setZero();
  AX.setZero(B.rows(), B.cols());
  if (past_.rows() != B.rows()) past_.resize(B.rows(), 0);
  const Index m = past_.cols();
  if (m == 0) return;
  products_.resize(B.rows(), m + B.cols());
  A.apply_columns(past_, products_.leftCols(m));
  products_.rightCols(B.cols()) = B;
  const Mat gram = reducer.gram(past_, products_);
  // solutions of nearly the same direction say nothing new: leave out small eigenvalues
  const Vec scale =
      gram.leftCols(m).diagonal().cwiseAbs().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const SymmetricEigen eigen =
      symmetric_eigen(scale.asDiagonal() * gram.leftCols(m) * scale.asDiagonal());
  if (!(eigen.values[m - 1] > 0.0)) return;
  Vec weights = eigen.values.cwiseInverse();
  for (Index k = 0; k < m; ++k)
    if (!(eigen.values[k] > 1e-10)) weights[k] = 0.0;
  const Mat Y = scale.asDiagonal() * (eigen.vectors * weights.asDiagonal()) *
                (eigen.vectors.transpose() * scale.asDiagonal()) * gram.rightCols(B.cols());
  if (!Y.allFinite()) return;
  reducer.for_each_piece(X.rows(), [&](Index begin, Index size) {
    X.middleRows(begin, size).noalias() = past_.middleRows(begin, size) * Y;
    AX.middleRows(begin, size).noalias() = products_.leftCols(m).middleRows(begin, size) * Y;
  });
}

void SolutionGuess::remember(const MatIn& X) {
  if (past_.rows() != X.rows()) past_.resize(X.rows(), 0);
  for (Index c = std::max<Index>(0, X.cols() - most); c < X.cols(); ++c) {
    if (past_.cols() < most) {
      past_.conservativeResize(X.rows(), past_.cols() + 1);
      past_.col(past_.cols() - 1) = X.col(c);
    } else {
      newest_ = (newest_ + 1) % most;
      past_.col(newest_) = X.col(c);
    }
  }
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
