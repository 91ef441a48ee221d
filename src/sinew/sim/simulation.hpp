// SPDX-License-Identifier: Apache-2.0
// The loop: attempts steps, halves and retries where allowed, applies scheduled edits, tells the
// observers, and stops at the end, at a failure, or when asked to.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sinew/dynamics/dynamical_system.hpp>
#include <sinew/integrators/integrator.hpp>
#include <sinew/sim/checkpoint.hpp>
#include <sinew/sim/edit_source.hpp>
#include <sinew/sim/error_control.hpp>
#include <sinew/sim/observer.hpp>
#include <sinew/sim/stepper.hpp>

namespace sinew::sim {

struct SimulationSettings {
  double dt = 0.01;      ///< nominal step [s]
  double end = 1.0;      ///< time at which the run ends [s]
  int max_halvings = 8;  ///< how often a failing step may be cut in two; 0: a failure ends the run
  double fps = 60.0;     ///< frames per simulated second; 0: none
  /// Whether the run fails when it has ten times the energy it can have (EnergyHealth).
  bool fails_on_absurd_energy = true;
  ErrorControlSettings error{};  ///< for smaller steps inside the nominal ones
};

class Simulation {
 public:
  Simulation(std::unique_ptr<dynamics::DynamicalSystem> system, dynamics::State initial,
             std::unique_ptr<integrators::Integrator> integrator,
             const SimulationSettings& settings);

  /// The observer must outlive the run.
  void add_observer(Observer& observer) { observers_.push_back(&observer); }
  /// Without one, steps that gain energy count like others.
  void set_guard(std::unique_ptr<Guard> guard) { stepper_.set_guard(std::move(guard)); }
  void set_edits(std::unique_ptr<EditSource> edits) { edits_ = std::move(edits); }
  /// Asked when a run has failed at a step between two times [s]: what, other than the method, was
  /// the cause. Empty: nothing is known.
  void set_explanation(std::function<std::string(double from, double to)> explain) {
    explain_ = std::move(explain);
  }
  /// Asked between steps; true ends the run after the current one.
  void set_stop(std::function<bool()> stop_requested) { stop_ = std::move(stop_requested); }
  /// Asked at any time, on any thread: a step that goes on for longer than Executor::patience is
  /// given up. The executor is that of the system and the solvers.
  void set_interrupt(std::function<bool()> interrupted, core::Executor& executor) {
    interrupted_ = std::move(interrupted);
    executor_ = &executor;
  }
  /// Called with a checkpoint when the run is stopped by the user, and for `seconds` above 0 also
  /// every `seconds` of wall time and at the end. The one at the end is that of the last point of
  /// the grid of steps: a run may be made longer, and is then what it would have been.
  void set_checkpoints(double seconds, std::function<void(const Checkpoint&)> save);

  /// Continue from here instead of the initial state; call before run().
  void resume(const Checkpoint& checkpoint);

  RunSummary run();

  /// Instead of run(), for programs that hold the loop themselves: one nominal step, also beyond
  /// the end of the run. The steps are those that run() makes. False: it failed, and the state is
  /// the last one that was accepted; summary() says why. Throws core::Interrupted where it was
  /// given up (set_interrupt). Observers hear of the start and of steps, frames and edits.
  bool step();
  /// Between steps: goes on from another state. Its length is that of state(); what edits did stays
  /// done.
  void set_state(dynamics::State state);
  /// Between steps: something that the system reads, such as physics::AppliedForces, has changed.
  /// Before the first one, opens the books.
  void refresh_books();
  /// Of the steps so far.
  const RunSummary& summary() const { return summary_; }
  /// Nominal length of steps [s].
  double dt() const { return settings_.dt; }
  dynamics::Workspace& workspace() { return stepper_.workspace(); }

  const dynamics::DynamicalSystem& system() const { return stepper_.system(); }
  const dynamics::State& state() const { return stepper_.state(); }
  const EnergyLedger& ledger() const { return stepper_.books().ledger; }
  /// That of the method: a run is summed in one way.
  const la::Reducer& reducer() const { return stepper_.method().reducer(); }
  Checkpoint checkpoint() const;

 private:
  double wall_seconds() const;
  double parallel_seconds() const;
  /// Opens the books and tells the observers; whether there is anything to begin with.
  bool begin();
  /// To a time or up to the next edit, whichever comes first; whether it got there.
  bool step_towards(double target);
  double next_grid_time() const { return static_cast<double>(nominal_step_ + 1) * settings_.dt; }
  /// Over one nominal step, halving where it fails.
  bool advance(double dt, int depth);
  /// Over one nominal step in pieces whose error is small enough.
  bool advance_by_error(double span);
  /// One step by the first rung that succeeds, or one and two halves to see how they differ.
  integrators::StepReport attempt(double dt);
  integrators::StepReport attempt_twice(double dt);
  /// Counts an attempt that began at this time and tells the observers; whether it was accepted.
  bool conclude(double start, double dt, const integrators::StepReport& report,
                const core::Stopwatch& watch);
  void apply_edit(double due);
  void apply_due_edits();
  void write_due_frames(bool last);
  /// Whether the end cuts the step that comes next short.
  bool ends_off_grid() const;
  /// Frames whose time has come, the one at t = 0 included.
  long frames_until_now() const;
  FrameView view() {
    return {stepper_.system(), stepper_.state(),        stepper_.workspace(),
            ledger(),          summary_.accepted_steps, last_frame_time_};
  }
  template <class Notify>
  void notify(const Notify& notify_one);

  Stepper stepper_;
  SimulationSettings settings_;
  ErrorControl control_;
  std::vector<Observer*> observers_;
  std::unique_ptr<EditSource> edits_;
  std::function<bool()> stop_, interrupted_;
  core::Executor* executor_ = nullptr;
  std::function<std::string(double, double)> explain_;
  double checkpoint_every_ = 0.0;
  std::function<void(const Checkpoint&)> save_;
  RunSummary summary_;                    // with what earlier parts of a resumed run took
  std::optional<core::Stopwatch> watch_;  // of this part
  double parallel_before_ = 0.0;          // use of the executor before this part [s]
  long nominal_step_ = 0;
  long frames_ = 0;
  bool is_edited_ = false;
  double last_edit_ = -std::numeric_limits<double>::infinity();  ///< time of the last edit [s]
  double last_frame_time_ = std::numeric_limits<double>::quiet_NaN();
  bool resumed_ = false;
  bool has_begun_ = false;
};

}  // namespace sinew::sim
