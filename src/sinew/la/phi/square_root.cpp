// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <sinew/la/dense/cholesky.hpp>
#include <sinew/la/phi/square_root.hpp>

namespace sinew::la {

std::optional<Mat> matrix_square_root(const Mat& A) {
  const Index n = A.rows();
  const Mat one = Mat::Identity(n, n);
  Mat P = 0.5 * (A + A.transpose()), X = P;  // P -> I while X -> sqrt A
  constexpr int max_iterations = 60;
  for (int k = 0; k < max_iterations; ++k) {
    const DenseCholesky factor(P);
    if (!factor.is_positive_definite() || !P.allFinite()) return std::nullopt;
    const double distance = (P - one).norm();
    if (distance < 1e-13 * static_cast<double>(n)) return X;
    // brings the spectrum around one while it is far away
    double g2 = 1.0;
    if (distance > 1e-2) g2 = std::exp(-factor.log_determinant() / static_cast<double>(n));
    const Mat inverse = factor.solve(one) / g2;
    X = 0.5 * std::sqrt(g2) * X * (one + inverse);
    X = (0.5 * (X + X.transpose())).eval();
    P = 0.5 * (one + 0.5 * (g2 * P + inverse));
    P = (0.5 * (P + P.transpose())).eval();
  }
  return std::nullopt;
}

}  // namespace sinew::la
