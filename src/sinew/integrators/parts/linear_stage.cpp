// SPDX-License-Identifier: Apache-2.0
#include <sinew/integrators/parts/linear_stage.hpp>

namespace sinew::integrators {

void LinearStage::prepare(const dynamics::DynamicalSystem& system) {
  linearization_ = system.make_linearization();
  Kr_.resize(system.num_dofs());
}

void LinearStage::linearize(StepContext& step, const dynamics::State& at, Vec& f) {
  at_ = at;
  step.linearize(at, *linearization_, &f);
}

StepStatus LinearStage::factorize(StepContext& step, la::LinearSolver& solver, double c) {
  c_ = c;
  return status_of(step.factorize(solver, linearization_->combine(1.0, c, c * c), at_));
}

StepStatus LinearStage::solve(StepContext& step, la::LinearSolver& solver, const Vec& r_q,
                              const Vec& Mr_v, Vec& d_q, Vec& d_v) {
  step.apply(linearization_->stiffness(), r_q, Kr_);
  Kr_ = Mr_v - c_ * Kr_;
  d_v.setZero(r_q.size());
  const la::SolveStatus status = step.solve(solver, Kr_, d_v);
  if (status != la::SolveStatus::ok) return status_of(status);
  d_q = r_q + c_ * d_v;
  return StepStatus::accepted;
}

}  // namespace sinew::integrators
