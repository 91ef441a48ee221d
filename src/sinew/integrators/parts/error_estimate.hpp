// SPDX-License-Identifier: Apache-2.0
// Local error of a second-order step from the slopes it computed anyway. The quadrature through the
// slopes at 0, c and 1 is of third order, so the difference to it is the leading error of the step:
//   e = u1 - u0 - h (w0 F0 + wc Fc + w1 F1),   wc = 1/(6 c (1 - c)), w1 = 1/2 - c wc, w0 = 1 - wc -
//   w1.
// For motion far too fast for the step that difference is large although the method has damped the
// motion away; multiplied by (I - b J)^-1 of the last stage it is small there and unchanged
// elsewhere, at the cost of one solve.
#pragma once

#include <sinew/integrators/parts/implicit_stage.hpp>

namespace sinew::integrators {

/// A state and the force there.
struct Slope {
  const dynamics::State& state;
  const Vec& force;
};

class ThreePointError {
 public:
  /// Writes the size of the error into the step report, as a length: root-mean-square of positions,
  /// plus that of velocities times the step [m]. `stage` and `solver` are as the last stage left
  /// them.
  StepStatus report(StepContext& step, ImplicitStage& stage, la::LinearSolver& solver, double c,
                    const Slope& start, const Slope& middle, const Slope& end);

 private:
  Vec e_q_, Me_v_, e_v_;
};

}  // namespace sinew::integrators
