// SPDX-License-Identifier: Apache-2.0
// What a method does to q'' + omega^2 q = 0, measured by running it. The step is a linear map of
// the state and, for multistep methods, of what they remember; the latter shows in the state
// before. So the map from one pair of consecutive states to the next has the eigenvalues of the
// method, and is found from a few runs.
#pragma once

#include <complex>

#include <sinew/integrators/integrator.hpp>

namespace sinew::integrators {

struct Amplification {
  double radius = 0.0;  ///< largest growth factor per step
  double phase = 0.0;   ///< angle the state turns by per step, 0 to pi [rad]

  /// d with which q'' + d q' + omega^2 q = 0 would lose as much, over omega: -2 ln(radius)/h_omega.
  double damping(double h_omega) const;
};

/// For the step size times frequency `h_omega` > 0.
Amplification measure_amplification(const IntegratorEntry& entry, const Options& options,
                                    double h_omega);

}  // namespace sinew::integrators
