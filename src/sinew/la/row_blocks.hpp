// SPDX-License-Identifier: Apache-2.0
// A symmetric matrix of 3x3 blocks laid out for many products: both triangles, row by row, so that
// each row of a product is written once and rows are independent. Vectors have four numbers per
// node, the fourth without meaning.
#pragma once

#include <memory>
#include <vector>

#include <sinew/la/four_lanes.hpp>
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
  /// How far from the diagonal blocks lie at most, in rows.
  int reach() const { return reach_; }
  int begin(int row) const { return start_[row]; }
  int end(int row) const { return start_[row + 1]; }
  int column(int k) const { return columns_[k]; }
  using Block = Eigen::Matrix<Scalar, 3, 3, Eigen::RowMajor>;
  Eigen::Map<const Block> block(int k) const {
    return Eigen::Map<const Block>(values_.data() + 9 * static_cast<Index>(k));
  }
  /// Row of A X for several vectors side by side: x + 4 (Columns * node + v).
  template <int Columns>
  void multiply_row(int row, const Scalar* x, Four* sums) const {
    FourLanes<Scalar> first[Columns] = {}, second[Columns] = {}, third[Columns] = {};
    for (int k = start_[row]; k < start_[row + 1]; ++k) {
      const Scalar* b = values_.data() + 9 * static_cast<Index>(k);
      FourLanes<Scalar> b0 = load_four(b), b1 = load_four(b + 3), b2 = load_four(b + 6);
      // several vectors: blocks are to stay in registers instead of being read again
      if constexpr (Columns > 1) asm("" : "+x"(b0), "+x"(b1), "+x"(b2));
      const Scalar* at = x + static_cast<Index>(4 * Columns) * columns_[k];
      for (int v = 0; v < Columns; ++v) {
        const auto node = load_padded(at + 4 * v);
        first[v] = multiply_add(b0, node, first[v]);
        second[v] = multiply_add(b1, node, second[v]);
        third[v] = multiply_add(b2, node, third[v]);
      }
    }
    for (int v = 0; v < Columns; ++v) {
      const FourLanes<Scalar> sum = add_lanes(first[v], second[v], third[v]);
      __builtin_memcpy(sums[v].data(), &sum, sizeof(sum));
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
  int reach_ = 0;
  std::vector<int> source_;     // slot of the upper triangle; -1 - slot: transposed
  std::vector<Scalar> values_;  // nine per block, row by row, and what loads reach too far
};

extern template class RowBlocks<float>;
extern template class RowBlocks<double>;

}  // namespace sinew::la
