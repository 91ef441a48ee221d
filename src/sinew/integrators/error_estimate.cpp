// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <sinew/integrators/error_estimate.hpp>

namespace sinew::integrators {

double error_size(StepContext& step, const Vec& e_q, const Vec& e_v) {
  const auto n = static_cast<double>(e_q.size());
  return step.reducer.norm(e_q) / std::sqrt(n) + step.dt * step.reducer.norm(e_v) / std::sqrt(n);
}

void ThreePointError::report(StepContext& step, double c, const Slope& start, const Slope& middle,
                             const Slope& end) {
  const double wc = 1.0 / (6.0 * c * (1.0 - c)), w1 = 0.5 - c * wc, w0 = 1.0 - wc - w1;
  const double h = step.dt;
  e_q_ = end.state.q - start.state.q -
         h * (w0 * start.state.v + wc * middle.state.v + w1 * end.state.v);
  impulse_ = h * (w0 * start.force + wc * middle.force + w1 * end.force);
  e_v_.resize(impulse_.size());
  step.divide_by_mass(impulse_, e_v_);
  e_v_ = end.state.v - start.state.v - e_v_;
  step.report().error_estimate = error_size(step, e_q_, e_v_);
}

}  // namespace sinew::integrators
