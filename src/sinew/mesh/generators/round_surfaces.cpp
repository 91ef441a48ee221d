// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include <sinew/mesh/generators/round_surfaces.hpp>

namespace sinew::mesh {
namespace {

/// Halfway, and away from the axis of a tube as far as its surface if both ends lie on it: edges
/// inside the flat ends of a tube stay straight. `nearest` finds the point of the axis.
template <class Nearest>
MiddlePlace tube(double radius, Nearest nearest) {
  return [=](const Vec3& a, const Vec3& b) {
    constexpr double slack = 1e-9;  // of the radius
    Vec3 middle = 0.5 * (a + b);
    const auto is_on_surface = [&](const Vec3& x) {
      return std::abs((x - nearest(x)).norm() - radius) < slack * radius;
    };
    if (!is_on_surface(a) || !is_on_surface(b)) return middle;
    const Vec3 axis = nearest(middle);
    return Vec3(axis + radius * (middle - axis).normalized());
  };
}

}  // namespace

MiddlePlace surface_of(const BallSettings& settings) {
  return tube(settings.radius, [](const Vec3&) { return Vec3(Vec3::Zero()); });
}

MiddlePlace surface_of(const CylinderSettings& settings) {
  return tube(settings.radius, [](const Vec3& x) { return Vec3(0.0, 0.0, x[2]); });
}

MiddlePlace surface_of(const TorusSettings& settings) {
  return tube(settings.minor_radius, [R = settings.major_radius](const Vec3& x) {
    return Vec3(R * Vec3(x[0], x[1], 0.0).normalized());
  });
}

MiddlePlace surface_of(const CoilSpringSettings& settings) {
  const double rise = settings.pitch / (2.0 * std::numbers::pi);  // per angle
  return tube(settings.wire_radius, [R = settings.coil_radius, rise](const Vec3& x) {
    // the turn that is nearest along z, then Newton for the foot of the perpendicular
    const double around = std::atan2(x[1], x[0]);
    const double turns = std::round((x[2] / rise - around) / (2.0 * std::numbers::pi));
    double angle = around + 2.0 * std::numbers::pi * turns;
    for (int iteration = 0; iteration < 20; ++iteration) {
      const Vec3 point(R * std::cos(angle), R * std::sin(angle), rise * angle);
      const Vec3 slope(-point[1], point[0], rise), bend(-point[0], -point[1], 0.0);
      const double step = (point - x).dot(slope) / (slope.squaredNorm() + (point - x).dot(bend));
      angle -= step;
      if (std::abs(step) < 1e-15 * std::max(1.0, std::abs(angle))) break;
    }
    return Vec3(R * std::cos(angle), R * std::sin(angle), rise * angle);
  });
}

}  // namespace sinew::mesh
