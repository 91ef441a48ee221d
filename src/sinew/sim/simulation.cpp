// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include <sinew/core/error.hpp>
#include <sinew/sim/simulation.hpp>

namespace sinew::sim {
namespace {

// Times that differ by less than this fraction of a step are the same time: sums of steps round.
constexpr double time_slack = 1e-6;

}  // namespace

Simulation::Simulation(std::unique_ptr<dynamics::DynamicalSystem> system, dynamics::State initial,
                       std::unique_ptr<integrators::Integrator> integrator,
                       const SimulationSettings& settings)
    : system_(std::move(system)),
      workspace_(system_->make_workspace()),
      state_(std::move(initial)),
      integrator_(std::move(integrator)),
      settings_(settings),
      control_(settings.error, settings.dt),
      books_{EnergyLedger(*system_, integrator_->reducer())},
      books_before_(books_),
      judged_(books_) {
  integrator_->set_error_estimate(control_.is_on() && control_.settings().is_estimated);
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
  before_ = state_;
  if (conclude(dt, attempt(dt), watch)) return true;
  // what has been growing for many steps does not stop in a shorter one, and halves that no longer
  // move time forward cannot succeed either
  const double start = state_.t;
  if (summary_.last_failure == integrators::StepStatus::energy_absurd ||
      depth >= settings_.max_halvings || start + 0.5 * dt == start)
    return false;
  return advance(0.5 * dt, depth + 1) && advance(0.5 * dt, depth + 1);
}

bool Simulation::advance_by_error(double span) {
  const double end = state_.t + span;
  for (;;) {
    const double remaining = end - state_.t;
    if (remaining <= 1e-3 * time_slack * settings_.dt) return true;  // far below any step
    const core::Stopwatch watch;
    const double dt = control_.propose(remaining);
    before_ = state_;
    books_before_ = books_;
    integrators::StepReport report =
        control_.settings().is_estimated ? attempt(dt) : attempt_twice(dt);
    if (report.status == integrators::StepStatus::accepted) {
      if (!control_.accepts(dt, report.error_estimate)) {
        report.status = integrators::StepStatus::error_too_large;
        take_back();
      }
    }
    if (!conclude(dt, report, watch) && !control_.shrink_after_failure(dt)) return false;
  }
}

integrators::StepReport Simulation::attempt(double dt) {
  const integrators::StepCheck check = [this](const auto& before, const auto& after) {
    return judge(before, after);
  };
  integrators::StepReport report =
      guard_ ? guard_->step(*integrator_, *system_, *workspace_, dt, state_, check)
             : integrator_->step(*system_, *workspace_, dt, state_, check);
  if (report.status == integrators::StepStatus::accepted) std::swap(books_, judged_);
  return report;
}

integrators::StepStatus Simulation::judge(const dynamics::State& before,
                                          const dynamics::State& after) {
  const core::ScopedTimer timer(summary_.output_seconds);
  judged_ = books_;
  judged_.ledger.advance(*system_, before, after, *workspace_);
  if (!std::isfinite(judged_.ledger.record().numerical_loss))
    return integrators::StepStatus::energy_not_finite;
  if (settings_.fails_on_absurd_energy && judged_.ledger.health().excess_time >= 0.0)
    return integrators::StepStatus::energy_absurd;
  judged_.admissibility = system_->admissibility(after, *workspace_);
  if (!guard_) return integrators::StepStatus::accepted;
  return guard_->judge(*system_, *workspace_, {before, books_}, {after, judged_});
}

void Simulation::take_back() {
  state_ = before_;
  books_ = books_before_;
}

integrators::StepReport Simulation::attempt_twice(double dt) {
  using integrators::StepStatus;
  integrators::StepReport report = attempt(dt);
  if (report.status != StepStatus::accepted) return report;
  const dynamics::State whole = state_;
  take_back();
  report.rung = 0;  // the halves are kept
  for (int half = 0; half < 2; ++half) {
    const integrators::StepReport part = attempt(0.5 * dt);
    report.profile += part.profile;
    report.projected += part.projected;
    report.regularised += part.regularised;
    report.rung = std::max(report.rung, part.rung);
    report.status = part.status;
    if (part.status != StepStatus::accepted) {
      take_back();
      return report;
    }
  }
  // of the two halves: their error is that of the whole divided by 2^order
  const auto n = static_cast<double>(reducer().count(whole.q.size()));
  const double difference =
      reducer().norm(whole.q - state_.q) + dt * reducer().norm(whole.v - state_.v);
  report.error_estimate =
      difference / std::sqrt(n) / (std::pow(2.0, control_.settings().order) - 1.0);
  return report;
}

bool Simulation::conclude(double dt, const integrators::StepReport& report,
                          const core::Stopwatch& watch) {
  const double start = before_.t;
  StepRecord record{.dt = dt, .t = start + dt, .seconds = watch.seconds(), .report = report};
  summary_.profile += report.profile;
  const bool accepted = report.status == integrators::StepStatus::accepted;
  if (accepted) {
    record.admissibility = books_.admissibility;
    ++summary_.accepted_steps;
    summary_.redone.count(report.rung);
  } else {
    ++summary_.rejected_steps;
    summary_.last_failure = report.status;
    summary_.failure_time = start;
    summary_.failure_dt = dt;
  }
  notify([&](Observer& observer) { observer.on_step(view(), record); });
  return accepted;
}

Edit Simulation::exchange_system(double due) {
  Edit edit = edits_->apply(*system_, state_, due);
  system_ = std::move(edit.system);
  state_ = std::move(edit.state);
  workspace_ = system_->make_workspace();
  last_edit_ = due;
  ++edits_applied_;
  return edit;
}

void Simulation::apply_due_edits() {
  if (!edits_) return;
  const double slack = time_slack * settings_.dt;
  for (;;) {
    const double due = edits_->next_time(last_edit_);
    if (!(due <= state_.t + slack)) return;
    const Edit edit = exchange_system(due);
    const bool memory_kept = integrator_->remap(edit.map);
    books_.ledger.edit(*system_, state_, *workspace_);
    books_.admissibility = system_->admissibility(state_, *workspace_);
    notify([&](Observer& observer) { observer.on_edit(view(), memory_kept); });
  }
}

long Simulation::frames_until_now() const {
  constexpr double most_frames = 1e18;  // what a long can count
  const double t = state_.t + time_slack * settings_.dt;
  return static_cast<long>(std::min(t * settings_.fps, most_frames)) + 1;
}

void Simulation::write_due_frames(bool last) {
  if (settings_.fps <= 0.0) return;
  const double slack = time_slack * settings_.dt;
  const bool due = state_.t + slack >= static_cast<double>(frames_) / settings_.fps;
  // the last state is always shown, unless it just was
  if (!(due || last) || state_.t == last_frame_time_) return;
  // a step may pass several frame times; one frame stands for all of them
  frames_ = frames_until_now();
  last_frame_time_ = state_.t;
  notify([&](Observer& observer) { observer.on_frame(view()); });
}

Checkpoint Simulation::checkpoint() const {
  return {.state = state_,
          .memory = integrator_->memory(),
          .ledger = books_.ledger.save(),
          .accepted_steps = summary_.accepted_steps,
          .rejected_steps = summary_.rejected_steps,
          .redone = summary_.redone,
          .next_nominal_step = nominal_step_,
          .edits_applied = edits_applied_,
          .dt = settings_.dt,
          .step_size = control_.step_size()};
}

void Simulation::resume(const Checkpoint& checkpoint) {
  // the edits of the past have changed the system already
  while (edits_ && edits_applied_ < checkpoint.edits_applied) {
    const double next = edits_->next_time(last_edit_);
    if (!(next <= checkpoint.state.t + time_slack * settings_.dt)) break;
    state_.t = next;
    exchange_system(next);
  }
  if (state_.q.size() != checkpoint.state.q.size() ||
      checkpoint.state.v.size() != checkpoint.state.q.size() ||
      books_.ledger.save().size() != checkpoint.ledger.size() ||
      edits_applied_ != checkpoint.edits_applied)
    throw InputError(Problem{.what = "the checkpoint belongs to another scene: it has another "
                                     "number of unknowns",
                             .hint = "resume with the scene the run was started with"});
  if (checkpoint.dt != settings_.dt)
    throw InputError(Problem{.where = "/time/dt",
                             .what = "the run to resume was made with another step size",
                             .hint = "resume with the dt it was started with"});
  state_ = checkpoint.state;
  integrator_->restore(checkpoint.memory);
  books_.ledger.restore(checkpoint.ledger);
  summary_.accepted_steps = checkpoint.accepted_steps;
  summary_.rejected_steps = checkpoint.rejected_steps;
  summary_.redone = checkpoint.redone;
  nominal_step_ = checkpoint.next_nominal_step;
  control_.set_step_size(checkpoint.step_size);
  frames_ = frames_until_now();
  resumed_ = true;
}

RunSummary Simulation::run() {
  const core::Stopwatch wall;
  core::Stopwatch since_checkpoint;
  if (!resumed_) books_.ledger.open(*system_, state_, *workspace_);
  books_.admissibility = system_->admissibility(state_, *workspace_);
  if (!std::isfinite(books_.ledger.record().total)) {
    summary_.reason = StopReason::failed;
    summary_.last_failure = integrators::StepStatus::energy_not_finite;
    summary_.failure_time = state_.t;
  }
  notify([&](Observer& observer) { observer.on_start(view()); });
  if (!resumed_) write_due_frames(false);
  const double slack = time_slack * settings_.dt;
  while (summary_.reason != StopReason::failed && state_.t < settings_.end - slack) {
    if (stop_ && stop_()) {
      summary_.reason = StopReason::stopped_by_user;
      break;
    }
    apply_due_edits();
    // end each nominal step on its grid point, on the end of the run, or at the next edit
    const double target =
        std::min(static_cast<double>(nominal_step_ + 1) * settings_.dt, settings_.end);
    const double edit = edits_ ? edits_->next_time(state_.t + slack) : target;
    const bool reaches_grid = edit >= target - slack;
    // on an undisturbed grid every step has exactly the nominal length
    const double span = (reaches_grid ? target : edit) - state_.t;
    const double dt = std::abs(span - settings_.dt) <= slack ? settings_.dt : span;
    if (!(control_.is_on() ? advance_by_error(dt) : advance(dt, 0))) {
      summary_.reason = StopReason::failed;
      break;
    }
    // the end of a run need not be a grid point, and a longer run may be resumed from it
    if (state_.t >= static_cast<double>(nominal_step_ + 1) * settings_.dt - slack) ++nominal_step_;
    write_due_frames(false);
    if (save_ && checkpoint_every_ > 0.0 && since_checkpoint.seconds() >= checkpoint_every_) {
      save_(checkpoint());
      since_checkpoint = {};
    }
  }
  if (summary_.reason == StopReason::failed && explain_)
    summary_.cause = explain_(summary_.failure_time, summary_.failure_time + summary_.failure_dt);
  if (summary_.reason == StopReason::stopped_by_user && save_) save_(checkpoint());
  if (summary_.reason != StopReason::stopped_by_user) write_due_frames(true);
  summary_.health = books_.ledger.health();
  summary_.wall_seconds = wall.seconds();
  notify([&](Observer& observer) { observer.on_finish(view(), summary_); });
  return summary_;
}

}  // namespace sinew::sim
