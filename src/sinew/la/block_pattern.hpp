// SPDX-License-Identifier: Apache-2.0
// Where a symmetric block-sparse matrix may be non-zero. Built once, shared by K, D, M and every
// combination of them, and never changed. Its version is a code of what it is, in this process and
// any other, by which solvers know when to analyse again.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <sinew/core/types.hpp>
#include <sinew/la/ordering.hpp>

namespace sinew::la {

class BlockPattern {
 public:
  /// `pairs` are the block positions (row, col); either triangle, repeats allowed. Diagonal blocks
  /// are always present. Only row <= col is kept.
  static std::shared_ptr<const BlockPattern> build(int num_blocks, int block_size,
                                                   std::vector<std::pair<int, int>> pairs);
  /// `base` and further blocks (row <= col, ascending, none of them in it). `slot_of_base[k]` is
  /// where block k of `base` went. Linear.
  static std::shared_ptr<const BlockPattern> extended(std::shared_ptr<const BlockPattern> base,
                                                      std::span<const std::pair<int, int>> extra,
                                                      std::vector<int>& slot_of_base);
  /// Every entry of an n x n matrix, for small systems.
  static std::shared_ptr<const BlockPattern> dense(int n);
  /// Only the diagonal.
  static std::shared_ptr<const BlockPattern> diagonal(int n);

  int num_blocks() const { return static_cast<int>(row_start_.size()) - 1; }  ///< block rows
  int block_size() const { return block_size_; }
  Index size() const { return static_cast<Index>(num_blocks()) * block_size_; }
  int num_entries() const { return static_cast<int>(cols_.size()); }  ///< stored blocks
  std::uint64_t version() const { return version_; }
  /// Of an extended pattern, the one without further blocks; nullptr: it is its own.
  const std::shared_ptr<const BlockPattern>& base() const { return base_; }

  int row_begin(int row) const { return row_start_[row]; }
  int row_end(int row) const { return row_start_[row + 1]; }
  std::span<const int> cols() const { return cols_; }
  /// Row boundaries that make a parallel product possible (ordering.hpp).
  std::span<const int> parts() const { return parts_; }

  /// Index of block (row, col), row <= col, or -1. Logarithmic; for building slot tables once.
  int slot(int row, int col) const;
  /// Number of the connected piece that each block row belongs to, from 0.
  std::vector<int> pieces() const;
  /// Neighbours of each block row.
  Graph graph() const;

 private:
  BlockPattern() = default;
  void set_version();

  std::vector<int> row_start_, cols_, parts_;
  int block_size_ = 1;
  std::uint64_t version_ = 0;
  std::shared_ptr<const BlockPattern> base_;
};

}  // namespace sinew::la
