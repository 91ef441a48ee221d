// SPDX-License-Identifier: Apache-2.0
// Decompositions of small dense matrices. Eigen's templates for them are the heaviest to compile of
// all that the library uses: they are instantiated here once, and callers see plain functions.
#pragma once

#include <complex>

#include <sinew/core/types.hpp>

namespace sinew::la {

/// A = vectors diag(values) vectors^T; values ascend. Of A only the lower triangle is read.
struct SymmetricEigen {
  Vec values;
  Mat vectors;
};
SymmetricEigen symmetric_eigen(const Mat& A);
/// The same for a matrix of the six rigid motions of a body.
SymmetricEigen symmetric_eigen_6(const Eigen::Matrix<double, 6, 6>& A);
/// Of the matrix with this diagonal and this one beside it, on both sides.
SymmetricEigen tridiagonal_eigen(const Vec& diagonal, const Vec& off_diagonal);
/// K u = lambda M u with M positive definite; the vectors are M-orthonormal.
SymmetricEigen generalized_symmetric_eigen(const Mat& K, const Mat& M);
/// Ascending; cheaper than with the vectors.
Vec symmetric_eigenvalues(const Mat& A);

/// Of any square matrix, in no order.
Eigen::VectorXcd eigenvalues(const Mat& A);

/// A = U diag(values) V^T with as many columns as A has rows or columns, whichever are fewer;
/// values descend.
struct ThinSvd {
  Mat U;
  Vec values;
  Mat V;
};
ThinSvd thin_svd(const Mat& A);

/// Both by a factorisation with partial pivoting.
Vec solve(const Mat& A, const Vec& b);
Mat inverse(const Mat& A);

/// e^A.
Mat exponential(const Mat& A);

}  // namespace sinew::la
