// SPDX-License-Identifier: Apache-2.0
// The body of the step benchmarks: a bar held at one end that swings under its weight.
#pragma once

#include <array>
#include <string_view>

#include <sinew/integrators/step_context.hpp>
#include <sinew/physics/bodies.hpp>

namespace sinew::cli {

struct BenchBar {
  std::array<double, 3> size{1.0, 1.0 / 16, 1.0 / 16};
  std::array<int, 3> cells{128, 8, 8};
  int order = 1;  ///< of the tets
  std::string_view material = "stable-neo-hookean";
  double young = 1e6;  ///< [Pa]
  double poisson = 0.45;
  double gravity = 9.81;  ///< scaled so that stiff bars swing as well [m/s^2]
};

physics::BodiesSpec swinging_bar(const BenchBar& bar);

/// Direct solvers that factorise every matrix, or go on using an earlier factor.
integrators::Services bench_services(bool lagged);

}  // namespace sinew::cli
