// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include <sinew/physics/vertex_motion.hpp>

namespace sinew::physics {

/// Places at given times and straight ways between them: nothing goes further than it was told.
/// Before the first and after the last time everything rests.
class MotionSequence final : public VertexMotion {
 public:
  /// `times`: ascending [s]; `places`: for each of them one place per vertex [m].
  MotionSequence(std::vector<double> times, std::vector<std::vector<Vec3>> places);

  Vec3 position(std::size_t index, const Vec3& rest, double t) const override;
  /// Where the way bends, that of the part that begins.
  Vec3 velocity(std::size_t index, const Vec3& rest, double t) const override;
  Vec3 acceleration(std::size_t, const Vec3&, double) const override { return Vec3::Zero(); }
  bool depends_on_time() const override { return times_.size() > 1; }

 private:
  /// Number of the last time that is not after t; -1 before the first.
  std::ptrdiff_t part_of(double t) const;

  std::vector<double> times_;
  std::vector<std::vector<Vec3>> places_;
};

}  // namespace sinew::physics
