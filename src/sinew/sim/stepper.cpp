// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <utility>

#include <sinew/core/error.hpp>
#include <sinew/sim/stepper.hpp>

namespace sinew::sim {

using dynamics::Definiteness;
using integrators::StepStatus;

Stepper::Stepper(std::unique_ptr<dynamics::DynamicalSystem> system, dynamics::State initial,
                 std::unique_ptr<integrators::Integrator> method)
    : system_(std::move(system)),
      workspace_(system_->make_workspace()),
      method_(std::move(method)),
      state_(std::move(initial)),
      books_{EnergyLedger(*system_, method_->reducer())},
      books_remembered_(books_),
      judged_(books_) {}

Rungs Stepper::attempts() const {
  Rungs rungs{Rung::as_asked};
  if (guard_)
    for (const Rung rung : guard_->rungs(*method_, *system_)) rungs.push_back(rung);
  return rungs;
}

integrators::Integrator& Stepper::method_of(Rung rung) {
  const bool is_own = rung == Rung::as_asked || rung == Rung::projected;
  return is_own ? *method_ : guard_->method(rung, *system_);
}

integrators::StepReport Stepper::advance(double dt, Rung rung) {
  proposer_ = &method_of(rung);
  proposed_on_ = rung;
  proposed_dt_ = dt;
  const Definiteness own = proposer_->definiteness();
  if (rung == Rung::projected) proposer_->set_definiteness(Definiteness::psd_clamp);
  integrators::StepReport report = proposer_->propose(*system_, *workspace_, dt, state_);
  proposer_->set_definiteness(own);
  report.rung = rung;
  return report;
}

StepStatus Stepper::judge(bool fails_on_absurd_energy) {
  const dynamics::State& after = proposer_->proposed();
  judged_ = books_;
  judged_.ledger.advance(*system_, state_, after, *workspace_);
  if (!std::isfinite(judged_.ledger.record().numerical_loss)) return StepStatus::energy_not_finite;
  if (fails_on_absurd_energy && judged_.ledger.health().excess_time >= 0.0)
    return StepStatus::energy_absurd;
  judged_.admissibility = look_at(after);
  if (!guard_) return StepStatus::accepted;
  return guard_->judge(proposed_on_, *system_, *workspace_, {state_, books_}, {after, judged_});
}

void Stepper::accept() {
  SINEW_ASSERT(proposer_ != nullptr, "there is no step to accept");
  if (proposer_ == method_.get()) {
    method_->accept(state_);
  } else {
    const dynamics::State before = state_;
    proposer_->accept(state_);
    method_->skip(before, state_, proposed_dt_);
  }
  std::swap(books_, judged_);
  proposer_ = nullptr;
}

void Stepper::remember() {
  remembered_ = state_;
  books_remembered_ = books_;
}

void Stepper::take_back() {
  state_ = remembered_;
  books_ = books_remembered_;
}

void Stepper::open_books() {
  books_.ledger.open(*system_, state_, *workspace_);
  books_.admissibility = look_at(state_);
}

bool Stepper::exchange(Edit edit) {
  system_ = std::move(edit.system);
  state_ = std::move(edit.state);
  workspace_ = system_->make_workspace();
  const bool memory_kept = method_->remap(edit.map);
  refresh_books();
  return memory_kept;
}

void Stepper::move_to(dynamics::State state) {
  state_ = std::move(state);
  method_->reset();
  refresh_books();
}

void Stepper::refresh_books() {
  books_.ledger.edit(*system_, state_, *workspace_);
  books_.admissibility = look_at(state_);
}

void Stepper::restore(std::unique_ptr<dynamics::DynamicalSystem> system,
                      const dynamics::State& state, const integrators::Memory& memory,
                      const std::vector<double>& ledger) {
  const bool is_other = !system && state_.internal.size() != state.internal.size();
  if (system) {
    system_ = std::move(system);
    workspace_ = system_->make_workspace();
  }
  if (system_->num_dofs() != state.q.size() || state.v.size() != state.q.size() || is_other ||
      books_.ledger.save().size() != ledger.size())
    throw InputError(Problem{.what = "the checkpoint belongs to another scene: it has another "
                                     "number of unknowns",
                             .hint = "resume with the scene the run was started with"});
  state_ = state;
  method_->restore(memory);
  books_.ledger.restore(ledger);
  books_.admissibility = look_at(state_);
}

dynamics::Admissibility Stepper::look_at(const dynamics::State& state) const {
  const dynamics::Health* health = system_->capabilities().health;
  return health ? health->admissibility(state, *workspace_) : dynamics::Admissibility{};
}

}  // namespace sinew::sim
