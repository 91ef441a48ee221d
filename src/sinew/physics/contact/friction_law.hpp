// SPDX-License-Identifier: Apache-2.0
// Coulomb's law, smoothed: a sliding speed u meets the force F(u) per normal force,
//
//   F = mu(u) s(u),   s = 2 u/e - (u/e)^2 below the speed e, 1 above,
//   mu = static coefficient up to e, kinetic one from 10 e on, a smooth step between.
//
// What sticks creeps at a part of e. R(u) = integral of F.
#pragma once

#include <cstddef>
#include <vector>

namespace sinew::physics {

struct FrictionValue {
  double potential = 0.0;  ///< R [m/s]
  double force = 0.0;      ///< F, per normal force
  double slope = 0.0;      ///< F' [s/m]
};

struct FrictionLaw {
  double sticking = 0.0;  ///< static coefficient
  double sliding = 0.0;   ///< kinetic one
  double slip = 1e-3;     ///< e [m/s]

  /// F and its neighbours at a speed, not negative.
  FrictionValue at(double speed) const {
    const double x = speed / slip;
    if (x < 1.0)
      return {sticking * slip * x * x * (1.0 - x / 3.0), sticking * x * (2.0 - x),
              2.0 * sticking * (1.0 - x) / slip};
    const double until = sticking * slip * 2.0 / 3.0, drop = sliding - sticking;
    const double width = (fall - 1.0) * slip, y = (speed - slip) / width;
    if (y < 1.0)
      return {until + sticking * (speed - slip) + drop * width * y * y * y * (1.0 - 0.5 * y),
              sticking + drop * y * y * (3.0 - 2.0 * y), 6.0 * drop * y * (1.0 - y) / width};
    return {until + sticking * width + drop * width * 0.5 + sliding * (speed - fall * slip),
            sliding, 0.0};
  }
  /// F(u)/u, also at rest [s/m].
  double per_speed(double speed) const {
    return speed > 0.0 ? at(speed).force / speed : 2.0 * sticking / slip;
  }

 private:
  static constexpr double fall = 10.0;  // from where on the kinetic coefficient holds, in e
};

/// One law per pair of parts.
class FrictionTable {
 public:
  FrictionTable(std::size_t num_parts, const FrictionLaw& everywhere)
      : num_parts_(num_parts), laws_(num_parts * num_parts, everywhere) {}

  void set(int a, int b, const FrictionLaw& law) {
    laws_[place(a, b)] = law;
    laws_[place(b, a)] = law;
  }
  const FrictionLaw& operator()(int a, int b) const { return laws_[place(a, b)]; }

 private:
  std::size_t place(int a, int b) const {
    return static_cast<std::size_t>(a) * num_parts_ + static_cast<std::size_t>(b);
  }

  std::size_t num_parts_;
  std::vector<FrictionLaw> laws_;
};

}  // namespace sinew::physics
