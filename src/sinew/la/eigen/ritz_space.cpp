// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <Eigen/Eigenvalues>

#include <sinew/la/eigen/ritz_space.hpp>

namespace sinew::la {
namespace {

void add_columns(Mat& to, const Mat& columns) {
  const Index old = to.cols();
  to.conservativeResize(columns.rows(), old + columns.cols());
  to.rightCols(columns.cols()) = columns;
}

/// Scales the columns to M-norm 1; those without one become zero.
void normalise(const LinearOperator& M, const Reducer& reducer, Mat& X, Mat& MX) {
  M.apply_columns(X, MX);
  for (Index c = 0; c < X.cols(); ++c) {
    const double square = reducer.dot(X.col(c), MX.col(c));
    if (square > 0.0 && std::isfinite(square))
      X.col(c) /= std::sqrt(square);
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
  // twice, since what little a column has beyond the others is known badly after once
  for (const double smallest : {1e-12, 0.5}) {
    if (size() > 0) X -= V_ * reducer_.gram(MV_, X);
    MX.resize(X.rows(), X.cols());
    pencil_.M.apply_columns(X, MX);
    Mat gram = reducer_.gram(X, MX);
    gram = 0.5 * (gram + gram.transpose()).eval();
    const Eigen::SelfAdjointEigenSolver<Mat> eigen(gram);
    const Index kept = (eigen.eigenvalues().array() > smallest).count();
    if (kept == 0) return 0;
    const Vec scale = eigen.eigenvalues().tail(kept).cwiseSqrt().cwiseInverse();
    X = (X * (eigen.eigenvectors().rightCols(kept) * scale.asDiagonal())).eval();
  }
  MX.resize(X.rows(), X.cols());
  pencil_.M.apply_columns(X, MX);
  Mat KX(X.rows(), X.cols());
  pencil_.K.apply_columns(X, KX);
  products_ += X.cols();
  add_columns(V_, X);
  add_columns(MV_, MX);
  add_columns(KV_, KX);
  project(X.cols());
  return X.cols();
}

void RitzSpace::project(Index added) {
  const Index old = size() - added;
  const Mat products = reducer_.gram(V_, KV_.rightCols(added));
  projected_.conservativeResize(size(), size());
  projected_.rightCols(added) = products;
  projected_.bottomLeftCorner(added, old) = products.topRows(old).transpose();
  const Mat corner = products.bottomRows(added);
  projected_.bottomRightCorner(added, added) = 0.5 * (corner + corner.transpose());
}

RitzSpace::Pairs RitzSpace::pairs() const {
  if (size() == 0) return {Vec(0), Mat(0, 0)};
  const Eigen::SelfAdjointEigenSolver<Mat> eigen(projected_);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

Modes RitzSpace::lowest(Index count) const {
  Modes modes;
  count = std::min(count, size());
  const Pairs all = pairs();
  const Mat C = all.C.leftCols(count);
  modes.lambda = all.lambda.head(count);
  modes.U = V_ * C;
  modes.MU = MV_ * C;
  modes.R = KV_ * C - modes.MU * modes.lambda.asDiagonal();
  modes.given_share = Vec::Zero(count);
  if (M_given_.cols() > 0)
    modes.given_share = reducer_.gram(M_given_, modes.U).colwise().squaredNorm();
  Mat divided(modes.R.rows(), count);
  pencil_.M_inverse.apply_columns(modes.R, divided);
  modes.residual.resize(count);
  for (Index k = 0; k < count; ++k)
    modes.residual[k] = std::sqrt(std::abs(reducer_.dot(modes.R.col(k), divided.col(k))));
  return modes;
}

void RitzSpace::restart(Index count) {
  const Pairs all = pairs();
  const Mat C = all.C.leftCols(std::min(count, size()));
  for (Mat* columns : {&V_, &MV_, &KV_}) *columns = (*columns * C).eval();
  projected_ = all.lambda.head(C.cols()).asDiagonal();
}

}  // namespace sinew::la
