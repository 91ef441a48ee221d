// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include <sinew/core/expression.hpp>
#include <sinew/physics/vertex_motion.hpp>

namespace sinew::physics {

/// Where a vertex goes, as three formulas of its rest position and time.
class ScriptedMotion final : public VertexMotion {
 public:
  explicit ScriptedMotion(std::array<core::Expression, 3> position)
      : position_(std::move(position)) {}

  Vec3 position(std::size_t /*index*/, const Vec3& rest, double t) const override {
    return position(rest, t);
  }
  Vec3 position(const Vec3& rest, double t) const {
    return {position_[0](rest, t), position_[1](rest, t), position_[2](rest, t)};
  }

  static constexpr double velocity_span = 1e-5, acceleration_span = 1e-4;  // [s]

  // Central differences. The spans balance truncation (span^2) against rounding (eps/span and
  // eps/span^2) for motions on the scale of 1 s; both errors stay below 1e-8 of the motion.
  // One-sided ones of the same order at the start: a script need not make sense before t = 0.
  Vec3 velocity(std::size_t /*index*/, const Vec3& rest, double t) const override {
    constexpr double span = velocity_span;
    const auto x = [&](double steps) { return position(rest, t + steps * span); };
    if (t < span) return first_forward(x(0), x(1), x(2));
    return first_central(x(-1), x(1));
  }
  Vec3 acceleration(std::size_t /*index*/, const Vec3& rest, double t) const override {
    constexpr double span = acceleration_span;
    const auto x = [&](double steps) { return position(rest, t + steps * span); };
    if (t < span) return second_forward(x(0), x(1), x(2), x(3));
    return second_central(x(-1), x(0), x(1));
  }

  void evaluate(const Places& places, double t) const override;

  const std::array<core::Expression, 3>& formulas() const { return position_; }

  bool depends_on_time() const override {
    return position_[0].depends_on_time() || position_[1].depends_on_time() ||
           position_[2].depends_on_time();
  }

 private:
  static Vec3 first_forward(const Vec3& x0, const Vec3& x1, const Vec3& x2) {
    return (-3.0 * x0 + 4.0 * x1 - x2) / (2.0 * velocity_span);
  }
  static Vec3 first_central(const Vec3& before, const Vec3& after) {
    return (after - before) / (2.0 * velocity_span);
  }
  static Vec3 second_forward(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3) {
    return (2.0 * x0 - 5.0 * x1 + 4.0 * x2 - x3) / (acceleration_span * acceleration_span);
  }
  static Vec3 second_central(const Vec3& before, const Vec3& now, const Vec3& after) {
    return (after - 2.0 * now + before) / (acceleration_span * acceleration_span);
  }
  std::vector<Vec3> positions(std::span<const Vec3> rest, double t) const;

  std::array<core::Expression, 3> position_;
};

}  // namespace sinew::physics
