// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

#include <sinew/mesh/shapes/distances.hpp>

namespace sinew::mesh {
namespace {

/// Where a coordinate lies between whole multiples of the period, from -period/2 to period/2.
double folded(double x, double period) {
  return x - period * std::round(x / period);
}

/// From a rectangle around the origin, given how far beyond its sides a point is.
template <class V>
double beyond(const V& excess) {
  return excess.cwiseMax(0.0).norm() + std::min(excess.maxCoeff(), 0.0);
}

}  // namespace

double capsule_distance(const Vec3& x, const Vec3& from, const Vec3& to, double from_radius,
                        double to_radius) {
  const Vec3 way = to - from;
  const double length = way.norm();
  if (length == 0.0) return (x - from).norm() - std::max(from_radius, to_radius);
  // of all places on the way the one whose ball is nearest: there, |x - s| - radius(s) is least
  const double along = way.dot(x - from) / length;
  const double across = std::sqrt(std::max((x - from).squaredNorm() - along * along, 0.0));
  const double slope = (from_radius - to_radius) / length;
  const double s = std::clamp(along - across * slope / std::sqrt(1.0 - slope * slope), 0.0, length);
  return std::hypot(along - s, across) - (from_radius - slope * s);
}

double box_distance(const Vec3& x, const Vec3& size, double rounding) {
  return beyond(Vec3(x.cwiseAbs() - 0.5 * size + Vec3::Constant(rounding))) - rounding;
}

double cylinder_distance(const Vec3& x, const Vec3& from, const Vec3& to, double radius,
                         double rounding) {
  const Vec3 axis = (to - from).normalized(), middle = 0.5 * (from + to);
  const double along = axis.dot(x - middle);
  const double across = (x - middle - along * axis).norm();
  const Eigen::Vector2d excess(across - radius, std::abs(along) - 0.5 * (to - from).norm());
  return beyond(Eigen::Vector2d(excess.array() + rounding)) - rounding;
}

double torus_distance(const Vec3& x, double major_radius, double minor_radius) {
  return std::hypot(std::hypot(x[0], x[1]) - major_radius, x[2]) - minor_radius;
}

double band_distance(const Vec3& x, double radius, double width, double thickness, int half_turns) {
  const double outward = std::hypot(x[0], x[1]) - radius;
  const double turned = 0.5 * half_turns * std::atan2(x[1], x[0]);
  const double c = std::cos(turned), s = std::sin(turned);
  // across the band, and through it
  const Eigen::Vector2d at(c * outward + s * x[2], c * x[2] - s * outward);
  return beyond(Eigen::Vector2d(at.cwiseAbs() - 0.5 * Eigen::Vector2d(thickness, width)));
}

double honeycomb_distance(const Vec3& x, double cell, double thickness) {
  // centres of the hexagons: two grids of rectangles, one in the middle of the other
  const double height = cell * std::numbers::sqrt3;
  const Eigen::Vector2d a(folded(x[0], cell), folded(x[1], height));
  const Eigen::Vector2d b(folded(x[0] - 0.5 * cell, cell), folded(x[1] - 0.5 * height, height));
  const Eigen::Vector2d from_centre = (a.squaredNorm() < b.squaredNorm() ? a : b).cwiseAbs();
  const double to_side =
      std::max(from_centre[0], 0.5 * from_centre[0] + 0.5 * std::numbers::sqrt3 * from_centre[1]);
  return 0.5 * cell - to_side - 0.5 * thickness;
}

double bars_distance(const Vec3& x, double cell, double thickness) {
  const Vec3 at(folded(x[0], cell), folded(x[1], cell), folded(x[2], cell));
  const double nearest =
      std::min({std::hypot(at[0], at[1]), std::hypot(at[1], at[2]), std::hypot(at[2], at[0])});
  return nearest - 0.5 * thickness;
}

double gyroid_distance(const Vec3& x, double cell, double thickness) {
  constexpr double usual_slope = 1.5;  // of the sum where it is 0
  const double scale = 2.0 * std::numbers::pi / cell;
  const Vec3 s = (scale * x).array().sin(), c = (scale * x).array().cos();
  const double sum = s[0] * c[1] + s[1] * c[2] + s[2] * c[0];
  return std::abs(sum) / (usual_slope * scale) - 0.5 * thickness;
}

double blended_min(double a, double b, double blend) {
  if (blend == 0.0) return std::min(a, b);
  const double h = std::max(blend - std::abs(a - b), 0.0) / blend;
  return std::min(a, b) - 0.25 * h * h * blend;
}

}  // namespace sinew::mesh
