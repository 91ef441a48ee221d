// SPDX-License-Identifier: Apache-2.0
// A symmetric matrix of 3x3 blocks laid out for many products: both triangles, row by row, so that
// each row of a product is written once and rows are independent. Vectors have four numbers per
// node, the fourth without meaning.
#pragma once

#include <memory>
#include <vector>

#include <sinew/la/symmetric_matrix.hpp>

namespace sinew::la {

template <class Scalar>
class RowBlocks {
 public:
  using Four = Eigen::Matrix<Scalar, 4, 1>;

  /// Takes over the entries; the order of blocks is found anew only for a new pattern.
  void assign(const SymmetricMatrix& A);

  int num_rows() const { return pattern_ ? pattern_->num_blocks() : 0; }
  const core::Executor& executor() const { return *executor_; }
  int begin(int row) const { return start_[row]; }
  int end(int row) const { return start_[row + 1]; }
  int column(int k) const { return columns_[k]; }
  /// Nine numbers, column by column; one more may be read.
  const Scalar* block(int k) const { return values_.data() + 9 * static_cast<Index>(k); }

  /// Row of A X for several vectors side by side: x + 4 (Columns * node + v).
  template <int Columns>
  void multiply_row(int row, const Scalar* x, Four* sums) const {
    for (int v = 0; v < Columns; ++v) sums[v].setZero();
    for (int k = start_[row]; k < start_[row + 1]; ++k) {
      const Scalar* b = block(k);
      const Four first = Eigen::Map<const Four>(b), second = Eigen::Map<const Four>(b + 3),
                 third = Eigen::Map<const Four>(b + 6);
      const Scalar* at = x + static_cast<Index>(4 * Columns) * columns_[k];
      for (int v = 0; v < Columns; ++v)
        sums[v] += first * at[4 * v] + second * at[4 * v + 1] + third * at[4 * v + 2];
    }
  }

  /// work(first row, end) on all threads.
  template <class Work>
  void for_rows(const Work& work) const {
    constexpr int piece = 1024;
    executor_->for_ranges(num_rows(), piece, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      work(static_cast<int>(begin), static_cast<int>(end));
    });
  }

 private:
  void arrange(const BlockPattern& pattern);

  std::shared_ptr<const BlockPattern> pattern_;
  const core::Executor* executor_ = nullptr;
  std::vector<int> start_, columns_;
  std::vector<int> source_;  // slot of the upper triangle; -1 - slot: transposed
  std::vector<Scalar> values_;
};

extern template class RowBlocks<float>;
extern template class RowBlocks<double>;

}  // namespace sinew::la
