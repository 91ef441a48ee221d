// SPDX-License-Identifier: Apache-2.0
// One cycle of two levels in single precision: Chebyshev smoothing of block-Jacobi type, a
// correction in the coarse space, smoothing again. A symmetric positive definite approximation of
// the inverse.
#pragma once

#include <sinew/la/multigrid/coarse_space.hpp>

namespace sinew::la {

class TwoLevelCycle {
 public:
  /// Takes in the matrix that is to be smoothed; false: a diagonal block is not definite.
  bool assign(const SymmetricMatrix& A);

  /// z = B r with the coarse space given.
  void apply(CoarseSpace& coarse, const VecIn& r, VecOut z);

 private:
  using Four = Eigen::Matrix<float, 4, 1>;

  double largest_eigenvalue();
  /// x improved by a polynomial of second degree; `from_zero`: x is 0 on entry, whatever it holds.
  void smooth(bool from_zero);

  RowBlocks<float> rows_;
  std::vector<Eigen::Matrix<float, 3, 3>> inverse_diagonal_;
  float upper_ = 1.0F;  // of the spectrum of the inverse diagonal times A
  std::vector<float> b_, x_, d_, r_;
};

}  // namespace sinew::la
