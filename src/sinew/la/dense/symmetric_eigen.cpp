// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Eigenvalues>

#include <sinew/la/dense/decompositions.hpp>

namespace sinew::la {

SymmetricEigen symmetric_eigen(const Mat& A) {
  const Eigen::SelfAdjointEigenSolver<Mat> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

SymmetricEigen symmetric_eigen_6(const Eigen::Matrix<double, 6, 6>& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

SymmetricEigen tridiagonal_eigen(const Vec& diagonal, const Vec& off_diagonal) {
  Eigen::SelfAdjointEigenSolver<Mat> solver;
  solver.computeFromTridiagonal(diagonal, off_diagonal, Eigen::ComputeEigenvectors);
  if (solver.info() != Eigen::Success) {
    // its iteration gives up on some graded matrices; the general one does not
    Mat T = diagonal.asDiagonal();
    T.diagonal(1) = off_diagonal;
    T.diagonal(-1) = off_diagonal;
    solver.compute(T);
  }
  return {solver.eigenvalues(), solver.eigenvectors()};
}

SymmetricEigen generalized_symmetric_eigen(const Mat& K, const Mat& M) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Mat> solver(K, M);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Vec symmetric_eigenvalues(const Mat& A) {
  return Eigen::SelfAdjointEigenSolver<Mat>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace sinew::la
