// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <sinew/core/error.hpp>
#include <sinew/physics/motion_sequence.hpp>

namespace sinew::physics {

MotionSequence::MotionSequence(std::vector<double> times, std::vector<std::vector<Vec3>> places)
    : times_(std::move(times)), places_(std::move(places)) {
  SINEW_ASSERT(!times_.empty() && times_.size() == places_.size(), "places for every time");
  SINEW_ASSERT(std::is_sorted(times_.begin(), times_.end(), std::less_equal<>()),
               "the times of a sequence must ascend");
}

std::ptrdiff_t MotionSequence::part_of(double t) const {
  return std::upper_bound(times_.begin(), times_.end(), t) - times_.begin() - 1;
}

Vec3 MotionSequence::position(std::size_t index, const Vec3& /*rest*/, double t) const {
  const std::ptrdiff_t part = part_of(t);
  if (part < 0) return places_.front()[index];
  if (part + 1 == std::ssize(times_)) return places_.back()[index];
  const auto k = static_cast<std::size_t>(part);
  const double share = (t - times_[k]) / (times_[k + 1] - times_[k]);
  return (1.0 - share) * places_[k][index] + share * places_[k + 1][index];
}

Vec3 MotionSequence::velocity(std::size_t index, const Vec3& /*rest*/, double t) const {
  const std::ptrdiff_t part = part_of(t);
  if (part < 0 || part + 1 == std::ssize(times_)) return Vec3::Zero();
  const auto k = static_cast<std::size_t>(part);
  return (places_[k + 1][index] - places_[k][index]) / (times_[k + 1] - times_[k]);
}

}  // namespace sinew::physics
