// SPDX-License-Identifier: Apache-2.0
// A matrix laid out for a long row of products with the same few vectors. A product writes each row
// once, so that whatever follows it can be done on the way.
#pragma once

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

  /// previous <- a d (A current) - b current - c previous, with the diagonal matrix d (per node
  /// padded like vectors), then Y += (the new vectors) C^T.
  void advance(const Vectors& current, Vectors& previous, const Vectors& d, double a, double b,
               double c, const Mat& C, Vectors& Y) const;

 private:
  template <int Columns>
  void advance_rows(int begin, int end, const Vectors& current, Vectors& previous, const Vectors& d,
                    double a, double b, double c, const Mat& C, Vectors& Y) const;

  RowBlocks<double> rows_;
};

}  // namespace sinew::la
