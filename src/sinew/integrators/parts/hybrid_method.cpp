// SPDX-License-Identifier: Apache-2.0
#include <sinew/integrators/parts/hybrid_method.hpp>

namespace sinew::integrators {

void HybridMethod::prepare(const dynamics::DynamicalSystem& system) {
  SemiImplicitMethod::prepare(system);
  modal_.prepare(system);
}

StepStatus HybridMethod::do_step(StepContext& step, const dynamics::State& now,
                                 dynamics::State& next) {
  const StepStatus status =
      step_->run(step, now, next, [&](const StageView& view) { return observe(step, now, view); });
  if (status == StepStatus::accepted) finish(step, now, next);
  return status;
}

StepStatus HybridMethod::observe(StepContext& step, const dynamics::State& now,
                                 const StageView& view) {
  if (view.number != 0) return StepStatus::accepted;
  const StepStatus status = modal_.update(step, view.stage, view.solver);
  if (status == StepStatus::accepted) modal_.load(step, now, view.f, view.h_rate);
  return status;
}

void HybridMethod::finish(StepContext& step, const dynamics::State& now, dynamics::State& next) {
  modal_.couple(step, (next.q - now.q) / step.dt, (next.v - now.v) / step.dt);
  modal_.replace(step, modal_.exact_increment(1.0, true), now, next);
}

void HybridMethod::commit(const dynamics::State& before, const dynamics::State& after) {
  SemiImplicitMethod::commit(before, after);
  modal_.commit();
}

void HybridMethod::save_history(Memory& memory) const {
  SemiImplicitMethod::save_history(memory);
  modal_.save(memory);
}

void HybridMethod::restore_history(const Memory& memory) {
  SemiImplicitMethod::restore_history(memory);
  modal_.restore(memory);
}

void HybridMethod::forget_history() {
  SemiImplicitMethod::forget_history();
  modal_.forget();
}

IntegratorEntry hybrid_entry(Traits traits, std::vector<OptionInfo> own) {
  traits.is_implicit = true;
  traits.is_exponential = true;
  traits.guarded = true;
  return {.traits = traits, .options = with_modal_options(std::move(own)), .make = nullptr};
}

Mat bdf2_increment_as_printed(StepContext& step, const ModalPart& modal,
                              const TwoStepHistory& history, const dynamics::State& now) {
  const auto [old, c] = bdf2_weights(step.dt, history.dt());
  Mat increment = c / step.dt * modal.exact_increment(1.0, false);
  increment.col(0) += old * modal.coordinates(step, now.q - history.q());
  increment.col(1) += old * modal.coordinates(step, now.v - history.v());
  return increment;
}

OptionInfo as_printed_option(std::string_view equation) {
  return {.name = "variant",
          .summary = "decoupled, or the formula as printed (" + std::string(equation) +
                     " of the survey), which is of first order and amplifies the modes",
          .default_value = std::string("decoupled"),
          .choices = {"decoupled", "as-printed"}};
}

}  // namespace sinew::integrators
