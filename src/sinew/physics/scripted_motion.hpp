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

  // Central differences. The spans balance truncation (span^2) against rounding (eps/span and
  // eps/span^2) for motions on the scale of 1 s; both errors stay below 1e-8 of the motion.
  // One-sided ones of the same order at the start: a script need not make sense before t = 0.
  Vec3 velocity(std::size_t /*index*/, const Vec3& rest, double t) const override {
    constexpr double span = 1e-5;
    const auto x = [&](double steps) { return position(rest, t + steps * span); };
    if (t < span) return (-3.0 * x(0) + 4.0 * x(1) - x(2)) / (2.0 * span);
    return (x(1) - x(-1)) / (2.0 * span);
  }
  Vec3 acceleration(std::size_t /*index*/, const Vec3& rest, double t) const override {
    constexpr double span = 1e-4;
    const auto x = [&](double steps) { return position(rest, t + steps * span); };
    if (t < span) return (2.0 * x(0) - 5.0 * x(1) + 4.0 * x(2) - x(3)) / (span * span);
    return (x(1) - 2.0 * x(0) + x(-1)) / (span * span);
  }

  const std::array<core::Expression, 3>& formulas() const { return position_; }

  bool depends_on_time() const override {
    return position_[0].depends_on_time() || position_[1].depends_on_time() ||
           position_[2].depends_on_time();
  }

 private:
  std::array<core::Expression, 3> position_;
};

}  // namespace sinew::physics
