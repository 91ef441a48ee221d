// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>

#include <sinew/core/profile.hpp>
#include <sinew/dynamics/capabilities/health.hpp>
#include <sinew/dynamics/dynamical_system.hpp>
#include <sinew/integrators/step_report.hpp>
#include <sinew/sim/energy_ledger.hpp>
#include <sinew/sim/guard.hpp>

namespace sinew::sim {

/// What an observer may look at.
struct FrameView {
  const dynamics::DynamicalSystem& system;
  const dynamics::State& state;
  dynamics::Workspace& workspace;
  const EnergyLedger& ledger;
  long step = 0;  ///< accepted steps so far
  /// Time of the last frame; NaN: there was none [s]
  double last_frame_time = std::numeric_limits<double>::quiet_NaN();
};

/// One attempted step, accepted or not.
struct StepRecord {
  double dt = 0.0;
  double t = 0.0;  ///< at the end of the attempt
  double seconds = 0.0;
  const integrators::StepReport& report;
  dynamics::Admissibility admissibility{};
};

enum class StopReason { reached_end, failed, stopped_by_user };

struct RunSummary {
  StopReason reason = StopReason::reached_end;
  long accepted_steps = 0;
  long rejected_steps = 0;
  Redone redone;                ///< of the accepted ones
  double largest_strain = 0.0;  ///< of a spring after an accepted step, by magnitude
  EnergyHealth health;
  integrators::StepStatus last_failure = integrators::StepStatus::accepted;
  double failure_time = 0.0;    ///< where the failed step began [s]
  double failure_dt = 0.0;      ///< the smallest step tried there [s]
  std::string cause{};          ///< of the failure, where something outside of the method is known
  std::string solver_choice{};  ///< what the linear solver chose and why, where it had a choice
  core::Profile profile;
  double wall_seconds = 0.0;
  double output_seconds = 0.0;
  double parallel_seconds = 0.0;  ///< in which several threads could work
};

/// Watches, never interferes. Every writer, monitor and progress line is one of these.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_start(const FrameView&) {}
  virtual void on_step(const FrameView&, const StepRecord&) {}  ///< rejected steps too
  virtual void on_frame(const FrameView&) {}                    ///< at the output rate
  /// The system was exchanged; `memory_kept` says whether the method could carry its memory over.
  virtual void on_edit(const FrameView&, bool /*memory_kept*/) {}
  virtual void on_finish(const FrameView&, const RunSummary&) {}
};

}  // namespace sinew::sim
