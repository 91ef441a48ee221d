// SPDX-License-Identifier: Apache-2.0
// Watches methods that can go wrong without noticing: those that solve linearised equations once.
// A step that fails, gains energy or turns elements inside out is made again from the same state,
// one rung lower each time (integrators/rung.hpp). The guard says which rungs to try and whether an
// outcome may count; whoever runs the steps loops over them, and may then try a shorter step, which
// starts with the method as asked for again.
#pragma once

#include <map>
#include <memory>

#include <sinew/dynamics/capabilities/health.hpp>
#include <sinew/integrators/integrator.hpp>
#include <sinew/sim/energy_ledger.hpp>

namespace sinew::sim {

using integrators::Rung;
using integrators::Rungs;

/// What is known of a state besides itself, and what a step is judged by.
struct Books {
  EnergyLedger ledger;
  dynamics::Admissibility admissibility{};
};

/// One end of a step.
struct Instant {
  const dynamics::State& state;
  const Books& books;
};

/// Accepted steps that are not the method's own as asked for.
struct Redone {
  long projected = 0, linear = 0, nonlinear = 0;

  long total() const { return projected + linear + nonlinear; }
  /// One more, accepted on this rung.
  void count(Rung rung);
  bool operator==(const Redone&) const = default;
};

class Guard {
 public:
  /// `services` make solvers without a memory: what is redone then depends on the state alone.
  Guard(Rungs rungs, integrators::Services services)
      : rungs_(std::move(rungs)), services_(std::move(services)) {}

  /// What to try after the method as asked for.
  Rungs rungs(const integrators::Integrator& method, const dynamics::DynamicalSystem& system) const;

  /// The method of a rung that is not the run's own.
  integrators::Integrator& method(Rung rung, const dynamics::DynamicalSystem& system);

  /// Whether a step between these two, made on this rung, may count.
  integrators::StepStatus judge(Rung rung, const dynamics::DynamicalSystem& system,
                                dynamics::Workspace& workspace, const Instant& before,
                                const Instant& after) const;

 private:
  Rungs rungs_;
  integrators::Services services_;
  std::map<Rung, std::unique_ptr<integrators::Integrator>> methods_;  // made when first needed
};

}  // namespace sinew::sim
