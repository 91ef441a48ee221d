// SPDX-License-Identifier: Apache-2.0
// W = k (a/2 s^2 + c/4 s^4/L^2) with the stretch s = l - L: stiffer the further it is stretched or
// pressed. With a = 0 there is no stiffness at rest.
#include <sinew/physics/laws/entries.hpp>
#include <sinew/physics/laws/law_entry.hpp>

namespace sinew::physics {
namespace {

struct CubicSpring {
  static double energy(const SpringElement& spring, double length) {
    const auto [a, c] = spring.constants;
    const double stretch = length - spring.rest_length, strain = stretch / spring.rest_length;
    return spring.stiffness * stretch * stretch * (0.5 * a + 0.25 * c * strain * strain);
  }
  static double tension(const SpringElement& spring, double length) {
    const auto [a, c] = spring.constants;
    const double stretch = length - spring.rest_length, strain = stretch / spring.rest_length;
    return spring.stiffness * stretch * (a + c * strain * strain);
  }
  static double stiffness(const SpringElement& spring, double length) {
    const auto [a, c] = spring.constants;
    const double strain = length / spring.rest_length - 1.0;
    return spring.stiffness * (a + 3.0 * c * strain * strain);
  }
};

}  // namespace

SpringLawEntry cubic_spring_entry() {
  return spring_law_entry<CubicSpring>(
      {.name = "cubic",
       .title = "cubic",
       .formula = "W' = k (linear s + cubic s^3/L^2)",
       .remark = "stiffer the further it is from rest",
       .constants = {{"linear", 1.0, 0.0, 1e6, "part that grows with the stretch"},
                     {"cubic", 1.0, 0.0, 1e12, "part that grows with its third power"}}});
}

}  // namespace sinew::physics
