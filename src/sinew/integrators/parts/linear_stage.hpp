// SPDX-License-Identifier: Apache-2.0
// The linear equation that every stage of the semi-implicit methods comes down to. With J the
// Jacobian of u' = (v, M^-1 f) at one state,
//
//   (I - c J) d = r     <=>     S d_v = M r_v - c K r_q,   d_q = r_q + c d_v,   S = M + c D + c^2
//   K:
//
// one symmetric system of the size of q, and M is only multiplied with.
#pragma once

#include <sinew/integrators/integrator.hpp>

namespace sinew::integrators {

class LinearStage {
 public:
  void prepare(const dynamics::DynamicalSystem& system);

  /// K and D at a state, and f there.
  void linearize(StepContext& step, const dynamics::State& at, Vec& f);
  /// S for the coefficient c [s].
  [[nodiscard]] StepStatus factorize(StepContext& step, la::LinearSolver& solver, double c);
  /// `Mr_v` is M r_v [kg m/s]; d_q and d_v have their size.
  [[nodiscard]] StepStatus solve(StepContext& step, la::LinearSolver& solver, const Vec& r_q,
                                 const Vec& Mr_v, Vec& d_q, Vec& d_v);

  const dynamics::Linearization& linearization() const { return *linearization_; }
  /// Where it was made.
  const dynamics::State& at() const { return at_; }
  /// The coefficient of the last factor [s].
  double coefficient() const { return c_; }

 private:
  std::unique_ptr<dynamics::Linearization> linearization_;
  dynamics::State at_;
  double c_ = 0.0;
  Vec Kr_;
};

}  // namespace sinew::integrators
