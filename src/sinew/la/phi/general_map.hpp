// SPDX-License-Identifier: Apache-2.0
// A general matrix and the inner product in which it is nearly dissipative. Every kernel for sums
// of phi functions of such a matrix,
//
//   y(c) = sum_k c^k phi_k(c A) b_k,   k = 1 .. p,     the solution of
//   y' = A y + b_1 + t b_2 + ... + t^(p-1)/(p-1)! b_p,   y(0) = 0,   at t = c,
//
// rests on one fact: |e^{t A}| <= e^{t omega} in that inner product, with an omega that is known.
// Then what is left over when an approximation is put into the equation bounds its error, and
// nothing that grows faster can pass for the solution.
#pragma once

#include <sinew/core/types.hpp>

namespace sinew::la {

/// A, and the inner product <x, y> = y^T G x.
class GeneralMap {
 public:
  virtual ~GeneralMap() = default;
  virtual Index size() const = 0;
  /// Ax = A x and Gx = G x; together, since both may need the same product.
  virtual void apply(const VecIn& x, VecOut Ax, VecOut Gx) const = 0;
  /// Gx = G x alone.
  virtual void weigh(const VecIn& x, VecOut Gx) const = 0;
  /// omega: no <Ax, x> is larger than omega <x, x>.
  virtual double growth() const = 0;
  /// What an error in y, in the norm of G, is to be small compared with.
  virtual double scale_of(const VecIn& y) const = 0;
};

/// A region that holds <Ax, x>/<x, x> for all complex x: real parts from `left` to `right`, of
/// which those above the middle come with any imaginary part up to `height`, and those below with
/// imaginary parts inside half an ellipse. The shape is that of damped oscillators.
struct FieldOfValues {
  double left = 0.0, right = 0.0, height = 0.0;
};

/// z -> (I - gamma A)^-1 z for one gamma.
class ShiftedInverse {
 public:
  virtual ~ShiftedInverse() = default;
  /// False: the solve failed.
  virtual bool apply(const VecIn& x, VecOut y) const = 0;
};

}  // namespace sinew::la
