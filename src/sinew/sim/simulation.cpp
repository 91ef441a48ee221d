// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/sim/simulation.hpp>

namespace sinew::sim {
namespace {

// Times that differ by less than this fraction of a step are the same time: sums of steps round.
constexpr double time_slack = 1e-6;

// Runs with steps longer than this keep what is needed to begin a step again [s].
constexpr double worth_keeping = 0.6 * core::Executor::patience;

}  // namespace

Simulation::Simulation(std::unique_ptr<dynamics::DynamicalSystem> system, dynamics::State initial,
                       std::unique_ptr<integrators::Integrator> integrator,
                       const SimulationSettings& settings)
    : stepper_(std::move(system), std::move(initial), std::move(integrator)),
      settings_(settings),
      control_(settings.error, settings.dt) {
  stepper_.method().set_error_estimate(control_.is_on() && control_.settings().is_estimated);
  SINEW_ASSERT(settings_.dt > 0.0 && settings_.end >= 0.0, "a run needs a positive step");
}

void Simulation::set_checkpoints(double seconds, std::function<void(const Checkpoint&)> save) {
  checkpoint_every_ = seconds;
  save_ = std::move(save);
}

template <class Notify>
void Simulation::notify(const Notify& notify_one) {
  const core::ScopedTimer timer(summary_.output_seconds);
  for (Observer* observer : observers_) notify_one(*observer);
}

bool Simulation::advance(double dt, int depth) {
  const core::Stopwatch watch;
  const double start = state().t;
  if (conclude(start, dt, attempt(dt), watch)) return true;
  // what has been growing for many steps does not stop in a shorter one, and halves that no longer
  // move time forward cannot succeed either
  if (summary_.last_failure == integrators::StepStatus::energy_absurd ||
      depth >= settings_.max_halvings || start + 0.5 * dt == start)
    return false;
  return advance(0.5 * dt, depth + 1) && advance(0.5 * dt, depth + 1);
}

bool Simulation::advance_by_error(double span) {
  const double end = state().t + span;
  for (;;) {
    const double start = state().t, remaining = end - start;
    if (remaining <= 1e-3 * time_slack * settings_.dt) return true;  // far below any step
    const core::Stopwatch watch;
    const double dt = control_.propose(remaining);
    stepper_.remember();
    integrators::StepReport report =
        control_.settings().is_estimated ? attempt(dt) : attempt_twice(dt);
    if (report.status == integrators::StepStatus::accepted) {
      if (!control_.accepts(dt, report.error_estimate)) {
        report.status = integrators::StepStatus::error_too_large;
        stepper_.take_back();
      }
    }
    if (!conclude(start, dt, report, watch) && !control_.shrink_after_failure(dt)) return false;
  }
}

integrators::StepReport Simulation::attempt(double dt) {
  using integrators::StepStatus;
  integrators::StepReport report;
  for (const Rung rung : stepper_.attempts()) {
    const core::Profile spent = report.profile;
    report = stepper_.advance(dt, rung);
    report.profile += spent;
    if (report.status != StepStatus::accepted) continue;
    {
      const core::ScopedTimer timer(summary_.output_seconds);
      report.status = stepper_.judge(settings_.fails_on_absurd_energy);
    }
    if (report.status != StepStatus::accepted) continue;
    stepper_.accept();
    return report;
  }
  if (stepper_.is_guarded()) report.rung = Rung::refused;
  return report;
}

integrators::StepReport Simulation::attempt_twice(double dt) {
  using integrators::StepStatus;
  integrators::StepReport report = attempt(dt);
  if (report.status != StepStatus::accepted) return report;
  const dynamics::State whole = state();
  stepper_.take_back();
  report.rung = Rung::as_asked;  // the halves are kept
  for (int half = 0; half < 2; ++half) {
    const integrators::StepReport part = attempt(0.5 * dt);
    report.profile += part.profile;
    report.projected += part.projected;
    report.regularised += part.regularised;
    report.rung = std::max(report.rung, part.rung);
    report.status = part.status;
    if (part.status != StepStatus::accepted) {
      stepper_.take_back();
      return report;
    }
  }
  // of the two halves: their error is that of the whole divided by 2^order
  const auto n = static_cast<double>(reducer().count(whole.q.size()));
  const double difference =
      reducer().norm(whole.q - state().q) + dt * reducer().norm(whole.v - state().v);
  report.error_estimate =
      difference / std::sqrt(n) / (std::pow(2.0, control_.settings().order) - 1.0);
  return report;
}

bool Simulation::conclude(double start, double dt, const integrators::StepReport& report,
                          const core::Stopwatch& watch) {
  StepRecord record{.dt = dt, .t = start + dt, .seconds = watch.seconds(), .report = report};
  summary_.profile += report.profile;
  const bool accepted = report.status == integrators::StepStatus::accepted;
  if (accepted) {
    record.admissibility = stepper_.books().admissibility;
    ++summary_.accepted_steps;
    summary_.redone.count(report.rung);
    summary_.largest_strain =
        std::max(summary_.largest_strain, record.admissibility.largest_strain);
  } else {
    ++summary_.rejected_steps;
    summary_.last_failure = report.status;
    summary_.failure_time = start;
    summary_.failure_dt = dt;
  }
  notify([&](Observer& observer) { observer.on_step(view(), record); });
  return accepted;
}

void Simulation::apply_edit(double due) {
  const bool memory_kept = stepper_.exchange(edits_->apply(stepper_.system(), state(), due));
  is_edited_ = true;
  notify([&](Observer& observer) { observer.on_edit(view(), memory_kept); });
}

void Simulation::apply_due_edits() {
  if (!edits_) return;
  const double slack = time_slack * settings_.dt;
  for (double due = edits_->next_time(last_edit_); due <= state().t + slack;
       due = edits_->next_time(last_edit_)) {
    last_edit_ = due;
    apply_edit(due);
  }
  if (edits_->is_due(stepper_.system(), state(), stepper_.workspace())) apply_edit(state().t);
}

long Simulation::frames_until_now() const {
  constexpr double most_frames = 1e18;  // what a long can count
  const double t = state().t + time_slack * settings_.dt;
  return static_cast<long>(std::min(t * settings_.fps, most_frames)) + 1;
}

void Simulation::write_due_frames(bool last) {
  if (settings_.fps <= 0.0) return;
  const double slack = time_slack * settings_.dt;
  const bool due = state().t + slack >= static_cast<double>(frames_) / settings_.fps;
  // the last state is always shown, unless it just was
  if (!(due || last) || state().t == last_frame_time_) return;
  // a step may pass several frame times; one frame stands for all of them
  frames_ = frames_until_now();
  last_frame_time_ = state().t;
  notify([&](Observer& observer) { observer.on_frame(view()); });
}

double Simulation::wall_seconds() const {
  return summary_.wall_seconds + (watch_ ? watch_->seconds() : 0.0);
}

double Simulation::parallel_seconds() const {
  return summary_.parallel_seconds +
         (watch_ && executor_ ? executor_->use().seconds - parallel_before_ : 0.0);
}

bool Simulation::ends_off_grid() const {
  const double slack = time_slack * settings_.dt;
  const double next_edit = edits_ ? edits_->next_time(state().t + slack) : settings_.end;
  return settings_.end < next_grid_time() - slack && next_edit >= settings_.end - slack;
}

Checkpoint Simulation::checkpoint() const {
  return {.state = state(),
          .memory = stepper_.method().memory(),
          .ledger = ledger().save(),
          .accepted_steps = summary_.accepted_steps,
          .rejected_steps = summary_.rejected_steps,
          .redone = summary_.redone,
          .largest_strain = summary_.largest_strain,
          .next_nominal_step = nominal_step_,
          .is_edited = is_edited_,
          .edited = is_edited_ ? edits_->description() : std::string(),
          .last_edit = last_edit_,
          .dt = settings_.dt,
          .step_size = control_.step_size(),
          .last_frame_time = last_frame_time_,
          .profile = summary_.profile,
          .wall_seconds = wall_seconds(),
          .output_seconds = summary_.output_seconds,
          .parallel_seconds = parallel_seconds()};
}

void Simulation::resume(const Checkpoint& checkpoint) {
  if (checkpoint.dt != settings_.dt)
    throw InputError(Problem{.where = "/time/dt",
                             .what = "the run to resume was made with another step size",
                             .hint = "resume with the dt it was started with"});
  if (checkpoint.state.t > settings_.end + time_slack * settings_.dt)
    throw InputError(Problem{
        .where = "/time/end",
        .what = fmt::format("the run to resume has already reached t = {:.9g}, and would end at "
                            "{:.9g}",
                            checkpoint.state.t, settings_.end),
        .hint = "give a later end, with --end"});
  std::unique_ptr<dynamics::DynamicalSystem> edited;
  if (checkpoint.is_edited) {
    if (!edits_)
      throw InputError(Problem{.what = "the checkpoint belongs to another scene: one in which "
                                       "something is released or cut",
                               .hint = "resume with the scene the run was started with"});
    edited = edits_->restore(checkpoint.edited);
  }
  is_edited_ = checkpoint.is_edited;
  last_edit_ = checkpoint.last_edit;
  stepper_.restore(std::move(edited), checkpoint.state, checkpoint.memory, checkpoint.ledger);
  summary_.accepted_steps = checkpoint.accepted_steps;
  summary_.rejected_steps = checkpoint.rejected_steps;
  summary_.redone = checkpoint.redone;
  summary_.largest_strain = checkpoint.largest_strain;
  summary_.profile = checkpoint.profile;
  summary_.wall_seconds = checkpoint.wall_seconds;
  summary_.output_seconds = checkpoint.output_seconds;
  summary_.parallel_seconds = checkpoint.parallel_seconds;
  last_frame_time_ = checkpoint.last_frame_time;
  nominal_step_ = checkpoint.next_nominal_step;
  control_.set_step_size(checkpoint.step_size);
  frames_ = frames_until_now();
  resumed_ = true;
}

bool Simulation::begin() {
  has_begun_ = true;
  if (!resumed_) stepper_.open_books();
  const bool is_finite = std::isfinite(ledger().record().total);
  if (!is_finite) {
    summary_.reason = StopReason::failed;
    summary_.last_failure = integrators::StepStatus::energy_not_finite;
    summary_.failure_time = state().t;
  }
  notify([&](Observer& observer) { observer.on_start(view()); });
  if (!resumed_) write_due_frames(false);
  return is_finite;
}

bool Simulation::step_towards(double target) {
  const double slack = time_slack * settings_.dt;
  apply_due_edits();
  // end each nominal step on its grid point, on the end of the run, or at the next edit
  const double edit = edits_ ? edits_->next_time(state().t + slack) : target;
  const bool reaches_grid = edit >= target - slack;
  // on an undisturbed grid every step has exactly the nominal length
  const double span = (reaches_grid ? target : edit) - state().t;
  const double dt = std::abs(span - settings_.dt) <= slack ? settings_.dt : span;
  try {
    const core::StopScope stoppable(executor_, interrupted_);
    if (!(control_.is_on() ? advance_by_error(dt) : advance(dt, 0))) return false;
  } catch (...) {
    stepper_.method().reset();  // its solvers may hold half a factor
    throw;
  }
  // the end of a run, like an edit, need not be a grid point
  if (state().t >= next_grid_time() - slack) ++nominal_step_;
  return true;
}

bool Simulation::step() {
  if (!has_begun_ && !begin()) return false;
  for (const long next = nominal_step_ + 1; nominal_step_ < next;)
    if (!step_towards(next_grid_time())) return false;
  write_due_frames(false);
  return true;
}

void Simulation::set_state(dynamics::State state) {
  const dynamics::State& now = this->state();
  SINEW_ASSERT(state.q.size() == now.q.size() && state.v.size() == now.q.size() &&
                   state.internal.size() == now.internal.size() && std::isfinite(state.t),
               "a state of this system is needed");
  if (!has_begun_) begin();
  stepper_.move_to(std::move(state));
  nominal_step_ = static_cast<long>(std::floor(this->state().t / settings_.dt + time_slack));
  frames_ = frames_until_now();
}

void Simulation::refresh_books() {
  if (has_begun_)
    stepper_.refresh_books();
  else
    begin();
}

RunSummary Simulation::run() {
  watch_.emplace();
  if (executor_) parallel_before_ = executor_->use().seconds;
  core::Stopwatch since_checkpoint;
  begin();
  const double slack = time_slack * settings_.dt;
  double longest = 0.0;  // of the steps so far [s]
  bool is_first = true;  // nobody knows how long that will take
  std::optional<Checkpoint> before, on_grid;
  const bool keeps_checkpoints = save_ && checkpoint_every_ > 0.0;
  while (summary_.reason != StopReason::failed && state().t < settings_.end - slack) {
    if (reducer().any((stop_ && stop_()) || (interrupted_ && interrupted_()))) {
      summary_.reason = StopReason::stopped_by_user;
      break;
    }
    // a step that is given up leaves a trace in solvers: a run is resumed from before it
    before.reset();
    if (save_ && (is_first || reducer().any(longest > worth_keeping))) before = checkpoint();
    // the step that the end cuts short is none that a longer run would make
    if (keeps_checkpoints && ends_off_grid()) on_grid = checkpoint();
    const core::Stopwatch step_watch;
    try {
      if (!step_towards(std::min(next_grid_time(), settings_.end))) {
        summary_.reason = StopReason::failed;
        break;
      }
    } catch (const core::Interrupted&) {
      summary_.reason = StopReason::stopped_by_user;
      break;
    }
    longest = std::max(longest, step_watch.seconds());
    is_first = false;
    before.reset();
    write_due_frames(false);
    if (keeps_checkpoints && reducer().any(since_checkpoint.seconds() >= checkpoint_every_)) {
      save_(checkpoint());
      since_checkpoint = {};
    }
  }
  if (summary_.reason == StopReason::failed && explain_)
    summary_.cause = explain_(summary_.failure_time, summary_.failure_time + summary_.failure_dt);
  if (summary_.reason == StopReason::stopped_by_user && save_)
    save_(before ? *before : checkpoint());
  if (summary_.reason == StopReason::reached_end && keeps_checkpoints)
    save_(on_grid ? *on_grid : checkpoint());
  if (summary_.reason != StopReason::stopped_by_user) write_due_frames(true);
  summary_.health = ledger().health();
  summary_.solver_choice = stepper_.method().solver_choice();
  summary_.parallel_seconds = parallel_seconds();
  summary_.wall_seconds = wall_seconds();
  watch_.reset();
  notify([&](Observer& observer) { observer.on_finish(view(), summary_); });
  return summary_;
}

}  // namespace sinew::sim
