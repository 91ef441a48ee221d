// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <sinew/integrators/parts/error_estimate.hpp>

namespace sinew::integrators {

StepStatus ThreePointError::report(StepContext& step, ImplicitStage& stage,
                                   la::LinearSolver& solver, double c, const Slope& start,
                                   const Slope& middle, const Slope& end) {
  if (!step.wants_error_estimate) return StepStatus::accepted;
  const double wc = 1.0 / (6.0 * c * (1.0 - c)), w1 = 0.5 - c * wc, w0 = 1.0 - wc - w1;
  const double h = step.dt;
  e_q_ = end.state.q - start.state.q -
         h * (w0 * start.state.v + wc * middle.state.v + w1 * end.state.v);
  e_v_ = end.state.v - start.state.v;
  Me_v_.resize(e_v_.size());
  step.apply(step.system().mass(), e_v_, Me_v_);
  Me_v_ -= h * (w0 * start.force + wc * middle.force + w1 * end.force);
  const StepStatus status = stage.damp_stiff_part(step, solver, e_q_, Me_v_, e_v_);
  if (status != StepStatus::accepted) return status;
  const double root = std::sqrt(static_cast<double>(step.reducer.count(e_q_.size())));
  step.report().error_estimate = (step.reducer.norm(e_q_) + h * step.reducer.norm(e_v_)) / root;
  return StepStatus::accepted;
}

}  // namespace sinew::integrators
