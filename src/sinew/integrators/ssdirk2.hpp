// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/integrators/linear_stage.hpp>

namespace sinew::integrators {

/// sdirk2 with the Jacobian frozen at the beginning of the step: one factorisation, two solves.
IntegratorEntry ssdirk2();

/// Its step, also the start of sbdf2.
class Ssdirk2Step {
 public:
  void prepare(const dynamics::DynamicalSystem& system);
  StepStatus run(StepContext& step, LinearStage& stage, la::LinearSolver& solver,
                 const dynamics::State& now, dynamics::State& next);

 private:
  dynamics::State middle_;
  Vec f_, rate_, r_q_, Mr_v_, d_q_, d_v_, Md_v_;
};

}  // namespace sinew::integrators
