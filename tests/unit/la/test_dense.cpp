// SPDX-License-Identifier: Apache-2.0
// What the dense decompositions promise, by the identities that define them.
#include <cmath>

#include <gtest/gtest.h>

#include <sinew/la/dense/cholesky.hpp>
#include <sinew/la/dense/decompositions.hpp>

namespace sinew::la {
namespace {

/// Entries between -1 and 1, the same on every run.
Mat rough(Index rows, Index cols, double seed) {
  Mat A(rows, cols);
  for (Index j = 0; j < cols; ++j)
    for (Index i = 0; i < rows; ++i)
      A(i, j) = std::sin(seed + 12.9898 * static_cast<double>(i) + 78.233 * static_cast<double>(j));
  return A;
}

Mat symmetric(Index n, double seed) {
  const Mat A = rough(n, n, seed);
  return A + A.transpose();
}

Mat positive_definite(Index n, double seed) {
  const Mat A = rough(n, n, seed);
  return A * A.transpose() + Mat::Identity(n, n);
}

double distance(const Mat& A, const Mat& B) {
  return (A - B).norm() / (1.0 + B.norm());
}

void expect_decomposition(const SymmetricEigen& eigen, const Mat& A) {
  const Index n = A.rows();
  EXPECT_LT(distance(A * eigen.vectors, eigen.vectors * eigen.values.asDiagonal()), 1e-13);
  EXPECT_LT(distance(eigen.vectors.transpose() * eigen.vectors, Mat::Identity(n, n)), 1e-13);
  for (Index k = 1; k < n; ++k) EXPECT_LE(eigen.values[k - 1], eigen.values[k]);
}

TEST(Dense, SymmetricMatricesAreDecomposed) {
  const Mat A = symmetric(9, 1.0);
  expect_decomposition(symmetric_eigen(A), A);
  EXPECT_LT(distance(symmetric_eigenvalues(A), symmetric_eigen(A).values), 1e-13);
  const Eigen::Matrix<double, 6, 6> B = symmetric(6, 2.0);
  expect_decomposition(symmetric_eigen_6(B), B);
}

TEST(Dense, TridiagonalMatricesAreDecomposedAlsoWhereTheyAreGraded) {
  Vec diagonal(8), off(7);
  for (Index k = 0; k < 8; ++k) diagonal[k] = std::pow(10.0, -2.0 * static_cast<double>(k));
  for (Index k = 0; k < 7; ++k) off[k] = 0.3 * diagonal[k + 1];
  Mat T = diagonal.asDiagonal();
  T.diagonal(1) = off;
  T.diagonal(-1) = off;
  expect_decomposition(tridiagonal_eigen(diagonal, off), T);
}

TEST(Dense, VectorsOfAPencilAreOrthonormalInItsMass) {
  const Mat K = symmetric(7, 3.0), M = positive_definite(7, 4.0);
  const SymmetricEigen eigen = generalized_symmetric_eigen(K, M);
  EXPECT_LT(distance(K * eigen.vectors, M * eigen.vectors * eigen.values.asDiagonal()), 1e-13);
  EXPECT_LT(distance(eigen.vectors.transpose() * M * eigen.vectors, Mat::Identity(7, 7)), 1e-13);
}

TEST(Dense, EigenvaluesOfARotationAreComplex) {
  Mat A(2, 2);
  A << 0.0, -2.0, 2.0, 0.0;
  const Eigen::VectorXcd values = eigenvalues(A);
  EXPECT_LT(std::abs(values[0] * values[1] - 4.0), 1e-14);
  EXPECT_LT(std::abs(values[0] + values[1]), 1e-14);
}

TEST(Dense, SingularValuesDescend) {
  const Mat A = rough(4, 9, 5.0);
  const ThinSvd svd = thin_svd(A);
  EXPECT_LT(distance(svd.U * svd.values.asDiagonal() * svd.V.transpose(), A), 1e-13);
  EXPECT_LT(distance(svd.V.transpose() * svd.V, Mat::Identity(4, 4)), 1e-13);
  for (Index k = 1; k < 4; ++k) EXPECT_GE(svd.values[k - 1], svd.values[k]);
}

TEST(Dense, SolutionsAndInversesAreThat) {
  const Mat A = rough(6, 6, 6.0) + 2.0 * Mat::Identity(6, 6);
  const Vec b = rough(6, 1, 7.0);
  EXPECT_LT(distance(A * solve(A, b), b), 1e-12);
  EXPECT_LT(distance(A * inverse(A), Mat::Identity(6, 6)), 1e-12);
}

TEST(Dense, ExponentialsOfSymmetricMatricesFollowTheirEigenvalues) {
  const Mat A = symmetric(5, 8.0);
  const SymmetricEigen eigen = symmetric_eigen(A);
  const Vec grown = eigen.values.array().exp();
  EXPECT_LT(
      distance(exponential(A), eigen.vectors * grown.asDiagonal() * eigen.vectors.transpose()),
      1e-12);
}

TEST(Dense, CholeskyFactorsSolve) {
  const Mat A = positive_definite(6, 9.0), B = rough(6, 3, 10.0);
  const DenseCholesky factor(A);
  ASSERT_TRUE(factor.is_positive_definite());
  EXPECT_LT(distance(A * factor.solve(B), B), 1e-12);
  EXPECT_LT(distance(factor.solve(Vec(B.col(1))), factor.solve(B).col(1)), 1e-13);
  EXPECT_LT(distance(factor.solve_upper(factor.solve_lower(B).col(0)), factor.solve(B).col(0)),
            1e-13);
  EXPECT_LT(distance(factor.multiply_upper(B).transpose() * factor.multiply_upper(B),
                     B.transpose() * A * B),
            1e-13);
  EXPECT_NEAR(factor.log_determinant(), symmetric_eigenvalues(A).array().log().sum(), 1e-12);
  EXPECT_FALSE(DenseCholesky(-A).is_positive_definite());
}

}  // namespace
}  // namespace sinew::la
