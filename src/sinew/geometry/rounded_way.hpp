// SPDX-License-Identifier: Apache-2.0
// What the rounding of moving corners does to a distance.
#pragma once

#include <algorithm>
#include <limits>

#include <sinew/geometry/closest.hpp>

namespace sinew::geometry {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// How far from + b (to - from), rounded to doubles, can be from the straight way of this corner,
/// for all b in [0, 1]; `to` may have been rounded before. Per coordinate this is half an epsilon
/// of |to|, of |to - from|, of its product with b, and of the sum; no more than twice that in
/// space. A corner at rest is not rounded.
inline double rounding_of_corner(const Corners& from, const Corners& to, int corner) {
  const double way = (to.col(corner) - from.col(corner)).cwiseAbs().maxCoeff();
  if (way == 0.0) return 0.0;
  const double place =
      std::max(from.col(corner).cwiseAbs().maxCoeff(), to.col(corner).cwiseAbs().maxCoeff());
  return 2.0 * epsilon * (place + way);
}

/// The least distance that features may come to which begin `gap` apart: the share `kept` of what
/// is beyond `least`, at most `most`, or all of a gap that is less, but for what rounding makes of
/// it.
inline double kept_distance(double gap, double least, double kept, double most) {
  return gap > least ? least + std::min(kept * (gap - least), most) : (1.0 - 1e-12) * gap;
}

}  // namespace sinew::geometry
