// SPDX-License-Identifier: Apache-2.0
// Here because Eigen's own comes with all of Eigen/Geometry.
#pragma once

#include <sinew/core/types.hpp>

namespace sinew::geometry {

inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace sinew::geometry
