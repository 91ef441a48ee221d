// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Geometry>

#include <sinew/output/publish/upright.hpp>

namespace sinew::output {

Mat3 upright(const Vec3& up) {
  const Vec3 from = up.normalized();
  // upside down every way is the shortest: x stays
  if (from.z() < -1.0 + 1e-12) return Vec3(1.0, -1.0, -1.0).asDiagonal();
  // Rodrigues' formula, which is exact for axes
  const Vec3 axis = from.cross(Vec3::UnitZ());
  Mat3 cross;
  cross << 0.0, -axis.z(), axis.y(), axis.z(), 0.0, -axis.x(), -axis.y(), axis.x(), 0.0;
  return Mat3::Identity() + cross + cross * cross / (1.0 + from.z());
}

}  // namespace sinew::output
