// SPDX-License-Identifier: Apache-2.0
// A matrix laid out for a long row of products with the same few vectors. A product writes each row
// once, so that whatever follows it can be done on the way. Where blocks stay close to the
// diagonal, as in slender bodies, several steps are taken in one sweep: rows go through all of them
// while they and their neighbours are in the cache.
#pragma once

#include <span>
#include <vector>

#include <sinew/la/row_blocks.hpp>

namespace sinew::la {

class BlockRows {
 public:
  void assign(const SymmetricMatrix& A) { rows_.assign(A); }

  /// A few vectors, four numbers per node and vector, the fourth without meaning.
  class Vectors {
   public:
    Vectors(Index nodes, Index columns)
        : columns_(columns), data_(Vec::Zero(4 * nodes * columns + 4)) {}
    void read(const MatIn& X);
    void write(MatOut X) const;
    double* node(Index k) { return data_.data() + 4 * columns_ * k; }
    const double* node(Index k) const { return data_.data() + 4 * columns_ * k; }
    Index columns() const { return columns_; }
    friend void swap(Vectors& a, Vectors& b) { a.data_.swap(b.data_); }

   private:
    Index columns_;
    Vec data_;
  };

  /// next = a d (A current) - b current - c previous, with the diagonal matrix d (per node padded
  /// like vectors), then Y += next C^T.
  struct Step {
    double a, b, c;
    Mat C;
  };

  /// Steps one after another; `current` and `previous` are the last two then. The result is the
  /// same, to the last bit, however many are given at once and on however many threads.
  void advance(std::span<const Step> steps, Vectors& current, Vectors& previous, const Vectors& d,
               Vectors& Y) const;

 private:
  struct Sweep;

  /// How many steps to take in one sweep, and by how many rows at once.
  struct Tiling {
    int steps = 1, rows = 0, tiles = 0;
  };
  Tiling choose_tiling(Index columns, Index outputs) const;
  void advance_one(const Sweep& sweep) const;
  void advance_tiles(const Sweep& sweep, const Tiling& tiling) const;
  void advance_rows(const Sweep& sweep, std::size_t step, int begin, int end) const;
  template <int Columns>
  void advance_columns(const Sweep& sweep, std::size_t step, int begin, int end) const;

  RowBlocks<double> rows_;
};

}  // namespace sinew::la
