// SPDX-License-Identifier: Apache-2.0
// Watches methods that can go wrong without noticing: those that solve linearised equations once.
// A step that fails, makes energy or turns elements inside out is made again from the same state,
// one rung lower each time:
//
//   0 the method as asked for   1 with the projected tangent   2 si, projected   3 be   4 refused
//
// Whoever calls it may then try a shorter step, which starts at rung 0 again.
#pragma once

#include <memory>

#include <sinew/dynamics/capabilities/health.hpp>
#include <sinew/integrators/integrator.hpp>
#include <sinew/sim/energy_ledger.hpp>

namespace sinew::sim {

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
  long projected = 0, si = 0, be = 0;

  long total() const { return projected + si + be; }
  /// One more, accepted on this rung.
  void count(int rung);
  bool operator==(const Redone&) const = default;
};

/// Which rungs there are below the method itself.
struct GuardSettings {
  bool projects = true;  ///< rung 1; also skipped where the method projects already
  bool has_si = true;    ///< rung 2
  bool has_be = true;    ///< rung 3
};

class Guard {
 public:
  /// `services` make solvers without a memory: what is redone then depends on the state alone.
  Guard(const GuardSettings& settings, integrators::Services services)
      : settings_(settings), services_(std::move(services)) {}

  /// Whether a step between these two may count.
  integrators::StepStatus judge(const dynamics::DynamicalSystem& system,
                                dynamics::Workspace& workspace, const Instant& before,
                                const Instant& after) const;

  /// As Integrator::step, by the first rung whose step passes `check`. The profile is that of all
  /// rungs tried, everything else in the report that of the last.
  integrators::StepReport step(integrators::Integrator& method,
                               const dynamics::DynamicalSystem& system,
                               dynamics::Workspace& workspace, double dt, dynamics::State& state,
                               const integrators::StepCheck& check);

 private:
  GuardSettings settings_;
  integrators::Services services_;
  std::unique_ptr<integrators::Integrator> si_, be_;  // made when first needed
};

}  // namespace sinew::sim
