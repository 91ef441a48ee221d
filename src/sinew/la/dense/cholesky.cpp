// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Cholesky>

#include <sinew/la/dense/cholesky.hpp>

namespace sinew::la {
namespace {

auto lower(const Mat& L) {
  return L.triangularView<Eigen::Lower>();
}
auto upper(const Mat& L) {
  return L.adjoint().triangularView<Eigen::Upper>();
}

}  // namespace

DenseCholesky::DenseCholesky(const Mat& A) {
  const Eigen::LLT<Mat> factor(A);
  L_ = factor.matrixLLT();
  is_positive_definite_ = factor.info() == Eigen::Success;
}

double DenseCholesky::log_determinant() const {
  return 2.0 * L_.diagonal().array().log().sum();
}

Mat DenseCholesky::solve(const Mat& B) const {
  return upper(L_).solve(solve_lower(B));
}

Vec DenseCholesky::solve(const Vec& b) const {
  return solve_upper(lower(L_).solve(b));
}

Mat DenseCholesky::solve_lower(const Mat& B) const {
  return lower(L_).solve(B);
}

Vec DenseCholesky::solve_upper(const Vec& b) const {
  return upper(L_).solve(b);
}

Mat DenseCholesky::multiply_upper(const Mat& B) const {
  return upper(L_) * B;
}

}  // namespace sinew::la
