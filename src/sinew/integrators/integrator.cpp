// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <sinew/core/error.hpp>
#include <sinew/integrators/integrator.hpp>

namespace sinew::integrators {
namespace {

std::string solver_key(std::size_t index) {
  return "solver" + std::to_string(index);
}

}  // namespace

StepReport Integrator::step(const dynamics::DynamicalSystem& system, dynamics::Workspace& workspace,
                            double dt, dynamics::State& state) {
  StepReport report = propose(system, workspace, dt, state);
  if (report.status == StepStatus::accepted) accept(state);
  return report;
}

void Integrator::accept(dynamics::State& state) {
  commit(state, next_);
  std::swap(state, next_);
}

StepReport Integrator::propose(const dynamics::DynamicalSystem& system,
                               dynamics::Workspace& workspace, double dt,
                               const dynamics::State& state) {
  SINEW_ASSERT(dt > 0.0, "the time step must be positive");
  SINEW_ASSERT(state.q.size() == system.num_dofs() && state.v.size() == system.num_dofs(),
               "the state does not belong to this system");
  if (prepared_for_ != system.id()) {
    prepare(system);
    prepared_for_ = system.id();
  }
  StepReport report;
  next_.q = state.q;
  next_.v = state.v;
  next_.t = state.t;
  // springs that yield have many
  next_.internal.resize(state.internal.size());
  reducer().for_each_piece(state.internal.size(), [&](Index begin, Index size) {
    next_.internal.segment(begin, size) = state.internal.segment(begin, size);
  });
  system.begin_step(state, dt, workspace);
  StepContext context(system, workspace, dt, definiteness_, reducer(), report);
  context.wants_error_estimate = wants_error_estimate_;
  context.find_modes = &services_.find_modes;
  report.status = do_step(context, state, next_);
  if (report.status != StepStatus::accepted) return report;
  next_.t = state.t + dt;
  const auto is_finite = [&] {
    return !reducer().any(!reducer().is_finite_here(next_.q) ||
                          !reducer().is_finite_here(next_.v) ||
                          !reducer().is_finite_here(next_.internal));
  };
  // asked only where it spares a search for collisions
  const auto was_corrected = [&] {
    return !system.traits().has_contacts || reducer().any(next_.q != proposed_);
  };
  if (!is_finite()) {
    report.status = StepStatus::not_finite;
  } else if (!context.is_admissible(state, next_)) {
    report.status = StepStatus::not_admissible;
  } else {
    proposed_ = next_.q;
    system.end_step(state, next_, workspace);
    if (!is_finite())
      report.status = StepStatus::not_finite;
    else if (was_corrected() && !context.is_admissible(state, next_))
      report.status = StepStatus::not_admissible;  // corrections may go astray
  }
  return report;
}

la::LinearSolver& Integrator::add_solver() {
  solvers_.push_back(services_.make_linear_solver(*services_.reducer));
  return *solvers_.back();
}

Memory Integrator::memory() const {
  Memory memory;
  save_history(memory);
  for (std::size_t k = 0; k < solvers_.size(); ++k)
    if (Vec kept = solvers_[k]->memory(); kept.size() > 0) memory[solver_key(k)] = std::move(kept);
  return memory;
}

std::string Integrator::solver_choice() const {
  return solvers_.empty() ? std::string() : solvers_.front()->choice();
}

void Integrator::restore(const Memory& memory) {
  reset();
  restore_history(memory);
  for (std::size_t k = 0; k < solvers_.size(); ++k)
    if (const auto kept = memory.find(solver_key(k)); kept != memory.end())
      solvers_[k]->restore(kept->second);
}

void Integrator::reset() {
  forget_history();
  for (const auto& solver : solvers_) solver->reset();
}

bool has_history(const IntegratorEntry& entry, const Options& options) {
  return entry.has_history ? entry.has_history(options) : entry.traits.multistep;
}

Rungs rungs_of(const IntegratorEntry& entry, const Options& options) {
  if (entry.rungs) return entry.rungs(options);
  const bool uses_tangents = entry.traits.is_implicit || entry.traits.is_exponential;
  if (!uses_tangents) return {Rung::linear, Rung::nonlinear};
  return {Rung::projected, Rung::linear, Rung::nonlinear};
}

}  // namespace sinew::integrators
