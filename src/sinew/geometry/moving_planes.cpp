// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <sinew/geometry/cross.hpp>
#include <sinew/geometry/moving_planes.hpp>
#include <sinew/geometry/rounded_way.hpp>

namespace sinew::geometry {
namespace {

constexpr int most_spans = 50;

/// Of a product of two things that are linear in time, from its values f(i, j) with these at their
/// starts (0) or ends (1).
template <class Product>
auto square_of(const Product& f) {
  using Value = decltype(f(0, 0));
  return std::array<Value, 3>{f(0, 0), 0.5 * (f(1, 0) + f(0, 1)), f(1, 1)};
}

/// Likewise of three.
template <class Product>
std::array<double, 4> cubic_of(const Product& f) {
  return {f(0, 0, 0), (f(1, 0, 0) + f(0, 1, 0) + f(0, 0, 1)) / 3.0,
          (f(1, 1, 0) + f(1, 0, 1) + f(0, 1, 1)) / 3.0, f(1, 1, 1)};
}

/// a x b with all signs positive: times epsilon, the size of its errors.
Vec3 cross_size(const Vec3& a, const Vec3& b) {
  const Vec3 u = a.cwiseAbs(), v = b.cwiseAbs();
  return {u[1] * v[2] + u[2] * v[1], u[2] * v[0] + u[0] * v[2], u[0] * v[1] + u[1] * v[0]};
}

/// Coefficients of the same polynomial on [begin, end], by de Casteljau's algorithm.
template <class Value, std::size_t n>
std::array<Value, n> span_of(std::array<Value, n> c, double begin, double end) {
  for (std::size_t order = 1; order < n; ++order)
    for (std::size_t i = 0; i + order < n; ++i) c[i] = (1.0 - begin) * c[i] + begin * c[i + 1];
  const double part = (end - begin) / (1.0 - begin);
  for (std::size_t order = 1; order < n; ++order)
    for (std::size_t i = n - 1; i >= order; --i) c[i] = (1.0 - part) * c[i - 1] + part * c[i];
  return c;
}

/// The part of its span in which a cubic is certainly not negative.
double part_above_zero(const std::array<double, 4>& c) {
  if (!(c[0] > 0.0)) return 0.0;
  double fall = 0.0;
  bool is_above = true;
  for (int i = 1; i < 4; ++i) {
    if (!std::isfinite(c[i])) return 0.0;
    if (c[i] < 0.0) is_above = false;
    fall = std::max(fall, 3.0 / i * (c[0] - c[i]));
  }
  // a coefficient below zero may be too small to be seen in a difference
  return is_above ? 1.0 : std::min(c[0] / fall, 1.0 - epsilon);
}

}  // namespace

// The errors, in halves of epsilon times cross_size: 8 of a triple product and 4 of a cross product
// whose factors are rounded differences, 3 or 1 of the mean, 18 of the two passes of span_of(), 2
// or 3 of what follows. The constants are for underflow: |N|^2 of less than 1e-300 has lost digits.
MovingPlanes::MovingPlanes(const MovingVector& e, const MovingVector& f, const MovingVector& r)
    : normal_(square_of([&](int i, int j) { return cross(e[i], f[j]); })),
      normal_error_(square_of(
          [&](int i, int j) { return 16.0 * epsilon * cross_size(e[i], f[j]).sum() + 1e-150; })),
      volume_(cubic_of([&](int i, int j, int k) { return cross(e[i], f[j]).dot(r[k]); })),
      volume_error_(cubic_of([&](int i, int j, int k) {
        return 20.0 * epsilon * cross_size(e[i], f[j]).dot(r[k].cwiseAbs()) + 1e-300;
      })) {}

double MovingPlanes::distance_at_start() const {
  return (std::abs(volume_[0]) - volume_error_[0]) /
         ((normal_[0].norm() + normal_error_[0]) * (1.0 + 8.0 * epsilon));
}

std::array<double, 4> MovingPlanes::beyond(double distance, double side, double begin,
                                           double end) const {
  const std::array<Vec3, 3> normal = span_of(normal_, begin, end);
  const std::array<double, 3> normal_error = span_of(normal_error_, begin, end);
  std::array<double, 3> length;
  for (int i = 0; i < 3; ++i) length[i] = normal[i].norm() + normal_error[i];
  const std::array<double, 4> area{length[0], (length[0] + 2.0 * length[1]) / 3.0,
                                   (2.0 * length[1] + length[2]) / 3.0, length[2]};
  const std::array<double, 4> volume = span_of(volume_, begin, end);
  const std::array<double, 4> error = span_of(volume_error_, begin, end);
  std::array<double, 4> result;
  for (int i = 0; i < 4; ++i)
    result[i] = side * volume[i] - error[i] - distance * (1.0 + 32.0 * epsilon) * area[i];
  return result;
}

double MovingPlanes::reach(double distance, double t) const {
  const double side = span_of(volume_, t, 1.0)[0] > 0.0 ? 1.0 : -1.0;
  double span = 1.0 - t;
  for (int k = 0; k < most_spans && t < 1.0; ++k) {
    const double end = std::min(1.0, t + span);
    const double part = part_above_zero(beyond(distance, side, t, end));
    if (part == 1.0 && end == 1.0) return 1.0;
    const double advance = part * (end - t) * (1.0 - 32.0 * epsilon);
    const double next = std::max(t, (t + advance) * (1.0 - epsilon));  // not rounded up
    const bool is_little = next - t < 1e-3 * next;
    if (!(next > t) || (is_little && part > 0.25)) return next;
    // bounds are closer in a shorter span
    span = 4.0 * (next - t);
    t = next;
  }
  return t;
}

}  // namespace sinew::geometry
