// SPDX-License-Identifier: Apache-2.0
// Changes of the system itself during a run: a held vertex let go, a cut, a broken bond. The
// simulation knows neither mesh nor physics; it asks whether an edit is due, by time or by state,
// and receives a new system with the state carried over.
#pragma once

#include <limits>
#include <memory>
#include <string>

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
  virtual double next_time(double /*t*/) const { return std::numeric_limits<double>::infinity(); }
  /// Whether this state, reached by an accepted step, asks for an edit. apply() must answer it: the
  /// state that comes of it is not asked again before the next step.
  virtual bool is_due(const dynamics::DynamicalSystem&, const dynamics::State&,
                      dynamics::Workspace&) const {
    return false;
  }
  /// The edit that next_time() announced for `time`, from which state.t differs by rounding at
  /// most, or that is_due() asked for.
  virtual Edit apply(const dynamics::DynamicalSystem& system, const dynamics::State& state,
                     double time) = 0;

  /// The problem as edited so far, for checkpoints: whatever restore() needs, and no history.
  virtual std::string description() const = 0;
  /// The system that description() spoke of; the source goes on from there.
  virtual std::unique_ptr<dynamics::DynamicalSystem> restore(const std::string& description) = 0;
};

}  // namespace sinew::sim
