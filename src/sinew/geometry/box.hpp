// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include <sinew/core/types.hpp>

namespace sinew::geometry {

/// Axis-aligned and closed: boxes that share a point overlap. A new one is empty and overlaps
/// nothing. What is not a number never enters a box by extend(), so that it cannot hide the rest.
struct Box {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());    ///< [m]
  Vec3 high = Vec3::Constant(-std::numeric_limits<double>::infinity());  ///< [m]

  void extend(const Vec3& point) { extend(Box{point, point}); }

  void extend(const Box& other) {
    for (int k = 0; k < 3; ++k) {
      if (other.low[k] < low[k]) low[k] = other.low[k];
      if (other.high[k] > high[k]) high[k] = other.high[k];
    }
  }

  bool overlaps(const Box& other) const {
    // all six are cheaper than the branches that would spare some
    return bool(int(low[0] <= other.high[0]) & int(low[1] <= other.high[1]) &
                int(low[2] <= other.high[2]) & int(other.low[0] <= high[0]) &
                int(other.low[1] <= high[1]) & int(other.low[2] <= high[2]));
  }

  /// By `margin` on every side [m].
  Box grown(double margin) const { return {low.array() - margin, high.array() + margin}; }

  /// Of the surface; of a flat box that of both sides, of an empty one 0 [m^2].
  double area() const {
    const Vec3 size = high - low;
    if (!(size.minCoeff() >= 0.0)) return 0.0;
    return 2.0 * (size[0] * size[1] + size[1] * size[2] + size[2] * size[0]);
  }

  /// From the nearest point of the box; infinite for an empty one [m^2].
  double squared_distance(const Vec3& point) const {
    return (low - point).cwiseMax(point - high).cwiseMax(0.0).squaredNorm();
  }
};

}  // namespace sinew::geometry
