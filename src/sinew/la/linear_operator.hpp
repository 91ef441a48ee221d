// SPDX-License-Identifier: Apache-2.0
// A matrix is an operator first: something that multiplies. Only code that truly needs the entries
// asks for the assembled form, so matrix-free, distributed and device operators fit the same seam.
#pragma once

#include <sinew/core/error.hpp>
#include <sinew/core/types.hpp>

namespace sinew::la {

class SymmetricMatrix;

/// y = A x with A symmetric. Matrices, inverses and preconditioners are all operators.
class LinearOperator {
 public:
  virtual ~LinearOperator() = default;
  virtual Index size() const = 0;

  /// x and y must not alias.
  void apply(const VecIn& x, VecOut y) const {
    SINEW_ASSERT(x.size() == size() && y.size() == size(), "operator applied to a wrong size");
    do_apply(x, y);
  }

  /// Y = A X, one column at a time unless the operator knows better.
  void apply_columns(const MatIn& X, MatOut Y) const {
    SINEW_ASSERT(X.rows() == size() && Y.rows() == size() && X.cols() == Y.cols(),
                 "operator applied to a wrong size");
    do_apply_columns(X, Y);
  }

  /// The entries, or nullptr where there are none to show.
  virtual const SymmetricMatrix* assembled() const { return nullptr; }
  /// The diagonal of an operator that has nothing else (a lumped mass), or nullptr.
  virtual const Vec* diagonal_only() const { return nullptr; }

 private:
  virtual void do_apply(const VecIn& x, VecOut y) const = 0;
  virtual void do_apply_columns(const MatIn& X, MatOut Y) const {
    for (Index c = 0; c < X.cols(); ++c) do_apply(X.col(c), Y.col(c));
  }
};

}  // namespace sinew::la
