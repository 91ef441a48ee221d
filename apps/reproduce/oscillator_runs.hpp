// SPDX-License-Identifier: Apache-2.0
// The scalar equation q'' + d q' + omega^2 q = 0 under a method, step by step.
#pragma once

#include <string>

#include <sinew/dynamics/oscillator.hpp>
#include <sinew/output/publish/line_plot.hpp>

namespace sinew::cli {

struct OscillatorRun {
  output::Curve positions, velocities;  ///< over time, at the start and after every step
};

/// Throws InternalError where a step fails.
OscillatorRun run_oscillator(const dynamics::Oscillator& oscillator, const std::string& method,
                             dynamics::State state, double dt, int steps);

}  // namespace sinew::cli
