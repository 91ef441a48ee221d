// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <sinew/physics/scripted_motion.hpp>

namespace sinew::physics {

std::vector<Vec3> ScriptedMotion::positions(std::span<const Vec3> rest, double t) const {
  std::vector<Vec3> result(rest.size());
  std::vector<double> values(rest.size());
  for (std::size_t axis = 0; axis < 3; ++axis) {
    position_[axis].evaluate(rest, t, values);
    for (std::size_t k = 0; k < rest.size(); ++k) result[k][static_cast<Index>(axis)] = values[k];
  }
  return result;
}

void ScriptedMotion::evaluate(const Places& places, double t) const {
  const auto at = [&](double time) { return positions(places.rest, time); };
  const auto now = at(t);
  std::copy(now.begin(), now.end(), places.x.begin());
  constexpr double h = velocity_span, H = acceleration_span;
  const bool starts = t < h;
  const auto after = at(t + h), other = starts ? at(t + 2.0 * h) : at(t - h);
  for (std::size_t k = 0; k < now.size(); ++k)
    places.v[k] =
        starts ? first_forward(now[k], after[k], other[k]) : first_central(other[k], after[k]);
  if (places.a.empty()) return;
  if (t < H) {
    const auto x1 = at(t + H), x2 = at(t + 2.0 * H), x3 = at(t + 3.0 * H);
    for (std::size_t k = 0; k < now.size(); ++k)
      places.a[k] = second_forward(now[k], x1[k], x2[k], x3[k]);
  } else {
    const auto before = at(t - H), next = at(t + H);
    for (std::size_t k = 0; k < now.size(); ++k)
      places.a[k] = second_central(before[k], now[k], next[k]);
  }
}

}  // namespace sinew::physics
