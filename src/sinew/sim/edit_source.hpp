// SPDX-License-Identifier: Apache-2.0
// Scheduled changes of the system itself: a held vertex let go, a cut. The simulation knows neither
// mesh nor physics; it asks when the next edit is due and receives a new system with the state
// carried over.
#pragma once

#include <limits>
#include <memory>

#include <sinew/dynamics/dynamical_system.hpp>

namespace sinew::sim {

struct Edit {
  std::unique_ptr<dynamics::DynamicalSystem> system;
  dynamics::State state;
  dynamics::DofMap map;
};

class EditSource {
 public:
  virtual ~EditSource() = default;
  /// Time of the next edit strictly after t, or infinity [s]. Changes due at one time are one edit.
  virtual double next_time(double t) const = 0;
  /// The edit that next_time() announced for `time`; state.t differs from it by rounding at most.
  virtual Edit apply(const dynamics::DynamicalSystem& system, const dynamics::State& state,
                     double time) = 0;
};

}  // namespace sinew::sim
