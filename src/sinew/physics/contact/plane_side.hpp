// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>

#include <sinew/physics/elements/padded_field.hpp>

namespace sinew::physics {

/// Where a plane is: most points are so far from it that a product says so.
struct PlaneSide {
  PlaneSide(const std::array<int, 3>& vertices, const PaddedField& x)
      : point(x.vector(vertices[0])),
        normal((x.vector(vertices[1]) - point).cross(x.vector(vertices[2]) - point).normalized()) {}

  /// Whether a point is certainly further outside than this [m].
  bool is_beyond(const Vec3& x, double distance) const {
    constexpr double rounding = 1e-12;
    const Vec3 way = x - point;
    return normal.dot(way) - rounding * (way.cwiseAbs().sum() + point.cwiseAbs().sum()) > distance;
  }

  Vec3 point, normal;
};

}  // namespace sinew::physics
