// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <sinew/sim/error_control.hpp>

namespace sinew::sim {

double ErrorControl::propose(double remaining) const {
  // equal parts rather than a tiny last one
  return remaining / std::ceil(remaining / dt_ * (1.0 - 1e-9));
}

bool ErrorControl::accepts(double dt, double error) {
  // the local error grows with the power order + 1; a little less than the best guess saves
  // rejections, and limits keep one odd estimate from doing much harm
  constexpr double safety = 0.9, least = 0.2, most = 2.0;
  // what is not a number is as bad as can be
  const double ratio = error > 0.0 ? settings_.tolerance / error : error == 0.0 ? 1e9 : 0.0;
  const double factor =
      std::clamp(safety * std::pow(ratio, 1.0 / (settings_.order + 1)), least, most);
  const bool is_good = error <= settings_.tolerance;
  // a last short piece of an interval says nothing about longer steps
  if (!is_good || factor * dt > dt_ || factor < 1.0)
    dt_ = std::clamp(factor * dt, settings_.dt_min, dt_max_);
  return is_good;
}

bool ErrorControl::shrink_after_failure(double dt) {
  if (dt <= settings_.dt_min * (1.0 + 1e-9)) return false;
  // where the error was the reason, the right size is known already; equal parts of an interval may
  // be a little longer than what was asked for
  constexpr double same = 0.95;
  if (dt_ >= same * dt) dt_ = std::max(0.5 * dt, settings_.dt_min);
  return true;
}

}  // namespace sinew::sim
