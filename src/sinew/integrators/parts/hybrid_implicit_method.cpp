// SPDX-License-Identifier: Apache-2.0
#include <sinew/integrators/parts/hybrid_implicit_method.hpp>

namespace sinew::integrators {

void HybridImplicitMethod::prepare(const dynamics::DynamicalSystem& system) {
  beginning_.prepare(system);
  stage_.prepare(system);
  modal_.prepare(system);
  f0_.setZero(system.num_dofs());
  h_rate_.setZero(system.num_dofs());
}

StepStatus HybridImplicitMethod::find_modes(StepContext& step, const dynamics::State& now) {
  if (modal_.is_off()) {
    step.force(now, f0_);
    return modal_.update(step, beginning_, modal_solver_);
  }
  beginning_.linearize(step, now, f0_);
  h_rate_.setZero();
  step.add_force_rate(now, step.dt, step.dt, h_rate_);
  StepStatus status = beginning_.factorize(step, modal_solver_, step.dt);
  if (status == StepStatus::accepted) status = modal_.update(step, beginning_, modal_solver_);
  if (status == StepStatus::accepted) modal_.load(step, now, f0_, h_rate_);
  return status;
}

void HybridImplicitMethod::prescribe(StepContext& step, const dynamics::State& now,
                                     const Mat& increment) {
  stage_.prescribe(step.reducer, modal_.modes(), modal_.coordinates(step, now.q) + increment.col(0),
                   modal_.coordinates(step, now.v) + increment.col(1));
}

void HybridImplicitMethod::commit(const dynamics::State&, const dynamics::State&) {
  modal_.commit();
}
void HybridImplicitMethod::save_history(Memory& memory) const {
  modal_.save(memory);
}
void HybridImplicitMethod::restore_history(const Memory& memory) {
  modal_.restore(memory);
}
void HybridImplicitMethod::forget_history() {
  modal_.forget();
}

std::vector<OptionInfo> with_hybrid_implicit_options(std::vector<OptionInfo> own) {
  return with_newton_options(with_modal_options(std::move(own)));
}

}  // namespace sinew::integrators
