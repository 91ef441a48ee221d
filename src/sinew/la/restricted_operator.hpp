// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <sinew/la/linear_operator.hpp>

namespace sinew::la {

/// The block A(rows, cols) of an operator, e.g. the coupling of an implicit to an explicit part.
/// Works for any A that multiplies; costs one product with the whole of A.
class RestrictedOperator {
 public:
  RestrictedOperator(const LinearOperator& whole, std::vector<Index> rows, std::vector<Index> cols)
      : whole_(&whole),
        rows_(std::move(rows)),
        cols_(std::move(cols)),
        x_(Vec::Zero(whole.size())),
        y_(whole.size()) {}

  /// y = A(rows, cols) x; x has as many entries as cols, y as rows.
  void apply(const VecIn& x, VecOut y) {
    x_.setZero();
    for (std::size_t k = 0; k < cols_.size(); ++k) x_[cols_[k]] = x[static_cast<Index>(k)];
    whole_->apply(x_, y_);
    for (std::size_t k = 0; k < rows_.size(); ++k) y[static_cast<Index>(k)] = y_[rows_[k]];
  }

 private:
  const LinearOperator* whole_;
  std::vector<Index> rows_, cols_;
  Vec x_, y_;
};

}  // namespace sinew::la
