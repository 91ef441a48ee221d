// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/integrators/parts/semi_implicit_step.hpp>

namespace sinew::integrators {

/// (M + h D + h^2 K) dv = h (f + h f_t) - h^2 K v0; the base of `siere` as well.
class SiStep final : public SemiImplicitStep {
 public:
  /// `predicts`: f, K and D at q0 + h v0 instead of q0.
  SiStep(la::LinearSolver& solver, bool predicts) : solver_(solver), predicts_(predicts) {}

  void prepare(const dynamics::DynamicalSystem& system) override;
  StepStatus run(StepContext& step, const dynamics::State& now, dynamics::State& next,
                 const StageObserver& observe) override;

 private:
  la::LinearSolver& solver_;
  bool predicts_;
  LinearStage stage_;
  dynamics::State at_;
  Vec f_, h_rate_, r_q_, Mr_v_, d_q_, d_v_;
};

}  // namespace sinew::integrators
