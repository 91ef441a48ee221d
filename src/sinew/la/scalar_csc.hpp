// SPDX-License-Identifier: Apache-2.0
// The lower triangle of a permuted symmetric block matrix in compressed sparse columns, the form
// that direct solvers read. The positions are worked out once; refilling is one pass.
#pragma once

#include <vector>

#include <sinew/la/symmetric_matrix.hpp>

namespace sinew::la {

class ScalarCsc {
 public:
  /// Block row `order[k]` of the matrix becomes block row k here.
  void analyze(const BlockPattern& pattern, const std::vector<int>& order);

  /// Copies the values; returns false if any of them is not finite.
  bool fill(const SymmetricMatrix& matrix);

  /// Columns; the upper half of each diagonal block is present as well and must be ignored.
  std::vector<int> col_start, rows;
  std::vector<double> values;

  /// y = P x and its inverse, one block row at a time.
  void permute(const MatIn& x, MatOut y) const;
  void permute_back(const MatIn& x, MatOut y) const;

  const std::vector<int>& order() const { return order_; }

 private:
  struct Target {
    int first;        ///< where the block's first column begins
    int column_step;  ///< from one column of the block to the next
    bool transposed;  ///< the block lands mirrored
  };

  std::vector<int> order_;
  std::vector<Target> targets_;
  int block_size_ = 1;
};

}  // namespace sinew::la
