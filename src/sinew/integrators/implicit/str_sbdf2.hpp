// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/integrators/parts/semi_implicit_step.hpp>

namespace sinew::integrators {

/// tr-bdf2 with each half linearised where it begins; the base of `str-sbdf2ere` as well.
class StrSbdf2Step final : public SemiImplicitStep {
 public:
  StrSbdf2Step(la::LinearSolver& trapezoidal_solver, la::LinearSolver& bdf_solver)
      : trapezoidal_solver_(trapezoidal_solver), bdf_solver_(bdf_solver) {}

  void prepare(const dynamics::DynamicalSystem& system) override;
  StepStatus run(StepContext& step, const dynamics::State& now, dynamics::State& next,
                 const StageObserver& observe) override;

 private:
  la::LinearSolver& trapezoidal_solver_;
  la::LinearSolver& bdf_solver_;
  LinearStage stage_;
  dynamics::State half_;
  Vec f_, h_rate_, r_q_, Mr_v_, d_q_, d_v_;
};

std::unique_ptr<SemiImplicitStep> make_str_sbdf2_step(
    const SemiImplicitMethod::AddSolver& add_solver);

}  // namespace sinew::integrators
