// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/integrators/parts/error_estimate.hpp>
#include <sinew/integrators/parts/implicit_stage.hpp>

namespace sinew::integrators {

/// Its step, also the start of bdf2.
class Sdirk2Step {
 public:
  void prepare(const dynamics::DynamicalSystem& system) { f0_.resize(system.num_dofs()); }
  StepStatus run(StepContext& step, ImplicitStage& stage, la::LinearSolver& solver,
                 const dynamics::State& now, dynamics::State& next);

 private:
  dynamics::State middle_;
  Vec f0_, fm_, f1_;
  ThreePointError error_;
};

}  // namespace sinew::integrators
