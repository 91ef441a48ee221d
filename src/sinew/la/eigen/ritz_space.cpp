// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <sinew/la/dense/decompositions.hpp>
#include <sinew/la/eigen/ritz_space.hpp>

namespace sinew::la {
namespace {

/// Scales the columns to M-norm 1; those without one become zero.
void normalise(const LinearOperator& M, const Reducer& reducer, Mat& X, Mat& MX) {
  M.apply_columns(X, MX);
  const Vec squares = reducer.column_dots(X, MX);
  for (Index c = 0; c < X.cols(); ++c) {
    if (squares[c] > 0.0 && std::isfinite(squares[c]))
      X.col(c) /= std::sqrt(squares[c]);
    else
      X.col(c).setZero();
  }
}

}  // namespace

Modes Modes::first(Index count) const {
  count = std::min(count, size());
  return {.lambda = lambda.head(count),
          .U = U.leftCols(count),
          .MU = MU.leftCols(count),
          .R = R.leftCols(count),
          .residual = residual.head(count),
          .given_share = given_share.head(count)};
}

Index RitzSpace::append(Mat X) {
  if (X.cols() == 0) return 0;
  Mat MX(X.rows(), X.cols());
  normalise(pencil_.M, reducer_, X, MX);
  double smallest = 1e-12;  // of what is kept, relative to the columns
  for (int pass = 0; pass < 2; ++pass) {
    if (size_ > 0)
      reducer_.subtract_product(V_.leftCols(size_), reducer_.gram(MV_.leftCols(size_), X), X);
    MX.resize(X.rows(), X.cols());
    pencil_.M.apply_columns(X, MX);
    Mat gram = reducer_.gram(X, MX);
    gram = 0.5 * (gram + gram.transpose()).eval();
    const SymmetricEigen eigen = symmetric_eigen(gram);
    const Index kept = (eigen.values.array() > smallest).count();
    if (kept == 0) return 0;
    const Vec values = eigen.values.tail(kept);
    const Mat C = eigen.vectors.rightCols(kept) * values.cwiseSqrt().cwiseInverse().asDiagonal();
    X = reducer_.product(X, C);
    // what little a column has beyond the others is known badly after once, then do it again
    constexpr double well_known = 0.1;
    if (values[0] > well_known) break;
    smallest = 0.5;
  }
  const Index added = X.cols();
  if (size_ + added > V_.cols()) reserve(X.rows(), std::max(2 * V_.cols(), size_ + added));
  V_.middleCols(size_, added) = X;
  pencil_.M.apply_columns(X, MV_.middleCols(size_, added));
  pencil_.K.apply_columns(X, KV_.middleCols(size_, added));
  products_ += added;
  size_ += added;
  project(added);
  return added;
}

void RitzSpace::reserve(Index rows, Index columns) {
  for (Mat* part : {&V_, &MV_, &KV_}) part->conservativeResize(rows, columns);
}

Mat RitzSpace::residual_of_last(Index count) const {
  Mat R = KV_.middleCols(size_ - count, count);
  reducer_.subtract_product(MV_.leftCols(size_), projected_.rightCols(count), R);
  return R;
}

Mat RitzSpace::residual_of(const Mat& C) const {
  Mat R = reducer_.product(KV_.leftCols(size_), C);
  reducer_.subtract_product(MV_.leftCols(size_), projected_ * C, R);
  return R;
}

void RitzSpace::project(Index added) {
  const Index old = size() - added;
  const Mat products = reducer_.gram(V_.leftCols(size_), KV_.middleCols(old, added));
  projected_.conservativeResize(size(), size());
  projected_.rightCols(added) = products;
  projected_.bottomLeftCorner(added, old) = products.topRows(old).transpose();
  const Mat corner = products.bottomRows(added);
  projected_.bottomRightCorner(added, added) = 0.5 * (corner + corner.transpose());
}

RitzSpace::Pairs RitzSpace::pairs() const {
  if (size() == 0) return {Vec(0), Mat(0, 0)};
  SymmetricEigen eigen = symmetric_eigen(projected_);
  return {std::move(eigen.values), std::move(eigen.vectors)};
}

Modes RitzSpace::lowest(Index count) const {
  Modes modes;
  count = std::min(count, size());
  const Pairs all = pairs();
  const Mat C = all.C.leftCols(count);
  modes.lambda = all.lambda.head(count);
  modes.U = reducer_.product(V_.leftCols(size_), C);
  modes.MU.resize(modes.U.rows(), count);
  pencil_.M.apply_columns(modes.U, modes.MU);
  modes.R = reducer_.product(KV_.leftCols(size_), C);
  reducer_.for_each_piece(modes.R.rows(), [&](Index begin, Index size) {
    modes.R.middleRows(begin, size) -= modes.MU.middleRows(begin, size) * modes.lambda.asDiagonal();
  });
  modes.given_share = Vec::Zero(count);
  if (M_given_.cols() > 0)
    modes.given_share = reducer_.gram(M_given_, modes.U).colwise().squaredNorm();
  Mat divided(modes.R.rows(), count);
  pencil_.M_inverse.apply_columns(modes.R, divided);
  modes.residual = reducer_.column_dots(modes.R, divided).cwiseAbs().cwiseSqrt();
  return modes;
}

void RitzSpace::restart(Index count) {
  const Pairs all = pairs();
  const Mat C = all.C.leftCols(std::min(count, size()));
  for (Mat* part : {&V_, &MV_, &KV_})
    part->leftCols(C.cols()) = reducer_.product(part->leftCols(size_), C);
  size_ = C.cols();
  projected_ = all.lambda.head(C.cols()).asDiagonal();
}

}  // namespace sinew::la
