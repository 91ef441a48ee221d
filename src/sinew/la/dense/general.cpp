// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>

#include <sinew/la/dense/decompositions.hpp>

#include <unsupported/Eigen/MatrixFunctions>

namespace sinew::la {

Eigen::VectorXcd eigenvalues(const Mat& A) {
  return Eigen::EigenSolver<Mat>(A, false).eigenvalues();
}

ThinSvd thin_svd(const Mat& A) {
  const Eigen::JacobiSVD<Mat> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
}

Vec solve(const Mat& A, const Vec& b) {
  return A.partialPivLu().solve(b);
}

Mat inverse(const Mat& A) {
  return A.partialPivLu().inverse();
}

Mat exponential(const Mat& A) {
  return A.exp();
}

}  // namespace sinew::la
