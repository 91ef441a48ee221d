// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include <sinew/core/expression.hpp>

namespace sinew::physics {

/// Where a vertex goes, as three formulas of its rest position and time.
class ScriptedMotion {
 public:
  explicit ScriptedMotion(std::array<core::Expression, 3> position)
      : position_(std::move(position)) {}

  Vec3 position(const Vec3& rest, double t) const {
    return {position_[0](rest, t), position_[1](rest, t), position_[2](rest, t)};
  }

  // Central differences. The spans balance truncation (span^2) against rounding (eps/span and
  // eps/span^2) for motions on the scale of 1 s; both errors stay below 1e-8 of the motion.
  Vec3 velocity(const Vec3& rest, double t) const {
    constexpr double span = 1e-5;
    return (position(rest, t + span) - position(rest, t - span)) / (2.0 * span);
  }
  Vec3 acceleration(const Vec3& rest, double t) const {
    constexpr double span = 1e-4;
    return (position(rest, t + span) - 2.0 * position(rest, t) + position(rest, t - span)) /
           (span * span);
  }

  bool depends_on_time() const {
    return position_[0].depends_on_time() || position_[1].depends_on_time() ||
           position_[2].depends_on_time();
  }

 private:
  std::array<core::Expression, 3> position_;
};

}  // namespace sinew::physics
