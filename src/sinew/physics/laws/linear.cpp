// SPDX-License-Identifier: Apache-2.0
// W = k/2 s^2 with the stretch s = l - L.
#include <sinew/physics/laws/entries.hpp>
#include <sinew/physics/laws/law_entry.hpp>

namespace sinew::physics {
namespace {

struct LinearSpring {
  static double energy(const SpringElement& spring, double length) {
    const double stretch = length - spring.rest_length;
    return 0.5 * spring.stiffness * stretch * stretch;
  }
  static double tension(const SpringElement& spring, double length) {
    return spring.stiffness * (length - spring.rest_length);
  }
  static double stiffness(const SpringElement& spring, double /*length*/) {
    return spring.stiffness;
  }
};

}  // namespace

SpringLawEntry linear_spring_entry() {
  return spring_law_entry<LinearSpring>({.name = "linear",
                                         .title = "linear",
                                         .formula = "W' = k s",
                                         .remark = "Hooke's law, in tension and in compression"});
}

}  // namespace sinew::physics
