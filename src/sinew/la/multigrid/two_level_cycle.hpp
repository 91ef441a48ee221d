// SPDX-License-Identifier: Apache-2.0
// One cycle of two levels in single precision: Chebyshev smoothing of block-Jacobi type, a
// correction in the coarse space, smoothing again. A symmetric positive definite approximation of
// the inverse, for up to eight right-hand sides in one pass.
#pragma once

#include <sinew/la/multigrid/coarse_space.hpp>
#include <sinew/la/reducer.hpp>

namespace sinew::la {

class TwoLevelCycle {
 public:
  static constexpr Index most_columns = 8;

  /// Takes in the matrix that is to be smoothed; false: a diagonal block is not definite, and so
  /// neither is A.
  bool assign(const SymmetricMatrix& A);

  /// Fits the smoother to the matrix. It serves those that follow, too, as long as the largest
  /// eigenvalue of D^-1 A, D the diagonal blocks, does not grow by more than a quarter: beyond that
  /// the cycle may lose its definiteness. (It is at most 4 for sums of definite tets.) False: no
  /// number.
  bool fit();

  /// Z = B R with the coarse space given.
  void apply(CoarseSpace& coarse, const MatIn& R, MatOut Z, const Reducer& reducer);

 private:
  template <int Columns>
  void apply_block(CoarseSpace& coarse, const MatIn& R, MatOut Z, const Vec& scale);
  /// work(row) for all rows, on all threads.
  template <class Work>
  void for_each_row(const Work& work) const;

  RowBlocks<float> rows_;
  std::vector<Eigen::Matrix<float, 3, 3>> inverse_diagonal_;
  // x += first D^-1 r, then x += momentum (last change) + second D^-1 r
  float first_ = 1.0F, momentum_ = 0.0F, second_ = 1.0F;
  std::vector<float> b_, x_, y_, d_;  // four numbers per node and column
};

}  // namespace sinew::la
