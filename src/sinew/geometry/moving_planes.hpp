// SPDX-License-Identifier: Apache-2.0
// Two parallel planes that turn: through a moving point and along two moving directions e, f, and
// at a way r from there. Their distance is |N.r| / |N| with N = e x f. A point and a plane are
// apart by it, a point and a triangle or two edges by at least as much.
//
// The distance is above T as long as |N.r| - T |N| is positive. N.r is a cubic in time, |N| is at
// most the sum of Bernstein polynomials with the lengths of N's coefficients, and a polynomial is
// above every line that its Bernstein coefficients are above: such a line, from the value at the
// start of a span of time, says how much of the span is certain.
#pragma once

#include <array>

#include <sinew/core/types.hpp>

namespace sinew::geometry {

/// At the start and at the end of a straight way.
struct MovingVector {
  Vec3 start, end;

  const Vec3& operator[](int side) const { return side == 0 ? start : end; }
};

class MovingPlanes {
 public:
  MovingPlanes(const MovingVector& e, const MovingVector& f, const MovingVector& r);

  /// A lower bound of the distance at the start; not positive, or no number, where there is none
  /// that is certain [m].
  double distance_at_start() const;

  /// Up to when the distance is certainly at least this, from t on; t where that is not certain.
  double reach(double distance, double t) const;

 private:
  /// A lower bound, of Bernstein coefficients, of |N.r| - distance |N| in a span of time, which
  /// begins with this sign of N.r.
  std::array<double, 4> beyond(double distance, double side, double begin, double end) const;

  // Bernstein coefficients, and bounds of the errors of them and of all that is done with them
  std::array<Vec3, 3> normal_;
  std::array<double, 3> normal_error_;
  std::array<double, 4> volume_, volume_error_;
};

}  // namespace sinew::geometry
