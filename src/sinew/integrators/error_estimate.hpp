// SPDX-License-Identifier: Apache-2.0
// Local error of a second-order step from what it computed anyway. The quadrature through the
// slopes at 0, c and 1 is of third order, so the difference to it is the leading error of the step:
//   e = u1 - u0 - h (w0 F0 + wc Fc + w1 F1),   wc = 1/(6 c (1 - c)), w1 = 1/2 - c wc, w0 = 1 - wc -
//   w1.
#pragma once

#include <sinew/integrators/step_context.hpp>

namespace sinew::integrators {

/// A state and the force there.
struct Slope {
  const dynamics::State& state;
  const Vec& force;
};

class ThreePointError {
 public:
  /// Writes the size of the error into the step report.
  void report(StepContext& step, double c, const Slope& start, const Slope& middle,
              const Slope& end);

 private:
  Vec e_q_, impulse_, e_v_;
};

/// Size of a difference of states as a length: root-mean-square of its positions, and of its
/// velocities times the step [m].
double error_size(StepContext& step, const Vec& e_q, const Vec& e_v);

}  // namespace sinew::integrators
