// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include <sinew/dynamics/state.hpp>

namespace sinew::dynamics {

struct Workspace;

/// How sound a configuration is.
struct Admissibility {
  Index inverted_elements = 0;
  Index contacts = 0;
  double min_distance = std::numeric_limits<double>::infinity();  ///< [m]
  double largest_strain = 0.0;                                    ///< of a spring, by magnitude
};

/// A cheap look at a configuration, beside the force.
class Health {
 public:
  virtual ~Health() = default;
  virtual Admissibility admissibility(const State&, Workspace&) const = 0;
};

}  // namespace sinew::dynamics
