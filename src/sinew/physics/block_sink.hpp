// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <span>

#include <sinew/core/error.hpp>
#include <sinew/la/symmetric_matrix.hpp>
#include <sinew/physics/numbering.hpp>

namespace sinew::physics {

/// Where a term adds the blocks of a matrix over the free vertices.
class BlockSink {
 public:
  enum class Missing { is_error, is_dropped };

  /// `slots`: of the term's pairs; -1: a vertex is not free.
  BlockSink(la::SymmetricMatrix& matrix, const Numbering& numbering, std::span<const int> slots,
            Missing missing = Missing::is_error)
      : matrix_(matrix), numbering_(numbering), slots_(slots), missing_(missing) {}

  /// For loops over fixed elements: block s is at values() + 9 s, row by row, rows those of the
  /// smaller vertex.
  std::span<const int> slots() const { return slots_; }
  double* values() {
    mark_used();
    return matrix_.values();
  }
  /// Whether anything may have been added.
  bool is_used() const { return is_used_.load(std::memory_order_relaxed); }

  /// Adds to the block of the term's pair k; mirrored where `block` is that of (larger, smaller).
  void add_to_pair(std::size_t k, const Mat3& block, bool is_mirrored) {
    if (slots_[k] >= 0) add_to_slot(slots_[k], block, is_mirrored);
  }

  /// Adds to block (a, b), and its transpose to (b, a). Looks up the place; pairs with a vertex
  /// that is not free are ignored.
  void add(int a, int b, const Mat3& block) {
    SINEW_ASSERT(a >= 0 && b >= 0 && std::max(a, b) < numbering_.num_vertices(),
                 "a term added a block of a vertex that there is not");
    const int row = numbering_.block(a), col = numbering_.block(b);
    if (row < 0 || col < 0) return;
    const int slot = matrix_.pattern().slot(std::min(row, col), std::max(row, col));
    if (slot < 0) {
      SINEW_ASSERT(missing_ == Missing::is_dropped,
                   "a term added a block that it had not announced in pairs() or moving_pairs()");
      return;
    }
    add_to_slot(slot, block, row > col);
  }

 private:
  void mark_used() {
    if (!is_used()) is_used_.store(true, std::memory_order_relaxed);
  }
  void add_to_slot(int slot, const Mat3& block, bool is_mirrored) {
    mark_used();
    Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> target(matrix_.block(slot));
    target += is_mirrored ? Mat3(block.transpose()) : block;
  }

  la::SymmetricMatrix& matrix_;
  const Numbering& numbering_;
  std::span<const int> slots_;
  Missing missing_;
  std::atomic<bool> is_used_ = false;
};

}  // namespace sinew::physics
