// SPDX-License-Identifier: Apache-2.0
// A = L L^T of a small dense matrix, with what its users do with L.
#pragma once

#include <sinew/core/types.hpp>

namespace sinew::la {

class DenseCholesky {
 public:
  /// Reads the lower triangle of A.
  explicit DenseCholesky(const Mat& A);

  /// False where A is not positive definite; nothing else is then of use.
  bool is_positive_definite() const { return is_positive_definite_; }
  /// The logarithm of det A.
  double log_determinant() const;
  /// A^-1 B.
  Mat solve(const Mat& B) const;
  Vec solve(const Vec& b) const;
  /// L^-1 B.
  Mat solve_lower(const Mat& B) const;
  /// L^-T b.
  Vec solve_upper(const Vec& b) const;
  /// L^T B.
  Mat multiply_upper(const Mat& B) const;

 private:
  Mat L_;  // below the diagonal and on it
  bool is_positive_definite_ = false;
};

}  // namespace sinew::la
