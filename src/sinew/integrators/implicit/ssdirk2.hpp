// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/integrators/parts/semi_implicit_step.hpp>

namespace sinew::integrators {

/// sdirk2 with the Jacobian frozen at the beginning of the step; also the start of sbdf2, and the
/// base of `ssdirk2ere`.
class Ssdirk2Step final : public SemiImplicitStep {
 public:
  Ssdirk2Step(std::shared_ptr<LinearStage> stage, la::LinearSolver& solver)
      : stage_(std::move(stage)), solver_(solver) {}

  void prepare(const dynamics::DynamicalSystem& system) override;
  StepStatus run(StepContext& step, const dynamics::State& now, dynamics::State& next,
                 const StageObserver& observe) override;

 private:
  std::shared_ptr<LinearStage> stage_;
  la::LinearSolver& solver_;
  dynamics::State middle_;
  Vec f_, h_rate_, r_q_, Mr_v_, d_q_, d_v_, Md_v_;
};

std::unique_ptr<SemiImplicitStep> make_ssdirk2_step(
    const SemiImplicitMethod::AddSolver& add_solver);

}  // namespace sinew::integrators
