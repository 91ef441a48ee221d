// SPDX-License-Identifier: Apache-2.0
// W = k/2 min(s, 0)^2 with the stretch s = l - L: pushes its ends apart and never pulls.
#include <algorithm>

#include <sinew/physics/laws/entries.hpp>
#include <sinew/physics/laws/law_entry.hpp>

namespace sinew::physics {
namespace {

struct RepulsiveSpring {
  static double energy(const SpringElement& spring, double length) {
    const double stretch = std::min(length - spring.rest_length, 0.0);
    return 0.5 * spring.stiffness * stretch * stretch;
  }
  static double tension(const SpringElement& spring, double length) {
    return spring.stiffness * std::min(length - spring.rest_length, 0.0);
  }
  static double stiffness(const SpringElement& spring, double length) {
    return length <= spring.rest_length ? spring.stiffness : 0.0;
  }
};

}  // namespace

SpringLawEntry repulsive_spring_entry() {
  return spring_law_entry<RepulsiveSpring>({.name = "repulsive",
                                            .title = "repulsive only",
                                            .formula = "W' = k min(s, 0)",
                                            .remark = "keeps its ends apart, never pulls"});
}

}  // namespace sinew::physics
