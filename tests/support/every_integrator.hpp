// SPDX-License-Identifier: Apache-2.0
// The fixture of tests that hold every method of the table to something.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <sinew/integrators/registry.hpp>

#include "support/bodies.hpp"
#include "support/reducers.hpp"
#include "support/toy_systems.hpp"

namespace sinew::integrators {

using dynamics::State;
using test::bar_spec;
using test::CubicChain;
using test::deformed_state;
using test::Oscillator;

inline const test::CountingReducer counting;
inline const test::SplittingReducer splitting;

/// What the methods below sum with.
inline const la::Reducer* sums = &counting;

/// With SINEW_TEST_SOLVER=multigrid all linear systems are solved by that, to 1e-12.
inline Services services() {
  Services result = default_services();
  result.reducer = sums;
  if (const char* wanted = std::getenv("SINEW_TEST_SOLVER"))
    for (const la::SolverEntry& entry : la::solvers())
      if (entry.name == wanted && entry.make_iterative)
        result.make_linear_solver =
            result.make_direct_solver = [make = entry.make_iterative](const la::Reducer& reducer) {
              return make(reducer, 1e-12);
            };
  return result;
}

/// Advances to `end` in equal steps and fails the test when a step does.
inline State advance(Integrator& method, const dynamics::DynamicalSystem& system, State state,
                     double end, int steps) {
  const auto workspace = system.make_workspace();
  for (int k = 0; k < steps; ++k) {
    const StepReport report = method.step(system, *workspace, end / steps, state);
    EXPECT_EQ(report.status, StepStatus::accepted) << to_string(report.status);
    if (report.status != StepStatus::accepted) break;
  }
  return state;
}

/// Newton-based methods solve to the last digits here, so that order is not hidden by tolerance.
/// Hybrid methods get few modes, so that there is something left for their other half.
inline std::unique_ptr<Integrator> make_tight(const IntegratorEntry& entry, long modes = 2) {
  Options options(entry.options);
  if (options.values().contains("tolerance")) options.set("tolerance", 1e-13);
  if (options.values().contains("modes")) options.set("modes", modes);
  if (options.values().contains("mode_tolerance")) options.set("mode_tolerance", 1e-12);
  // a cut-off that follows the step size would hide the order of what lies above it
  if (options.values().contains("cutoff")) options.set("cutoff", 4.0);
  // and a sharp one its damping
  if (options.values().contains("sharpness")) options.set("sharpness", 2.0);
  return make_integrator(entry, options, services());
}

/// Error at the end of a second in which two of the steps, shorter ones, are made by a method
/// without errors worth mentioning.
inline double error_with_others(Integrator& method, const CubicChain& chain, int thirds) {
  const auto workspace = chain.make_workspace();
  State state = CubicChain::start();
  for (int k = 0; k < 3 * thirds; ++k) {
    const bool by_other = k % thirds == thirds - 1 && k < 2 * thirds;
    const double dt = (by_other ? 1.0 : 2.0) / (6.0 * thirds - 2.0);
    if (by_other) {
      const State before = state;
      state = advance(*make_integrator("rk4"), chain, before, dt, 8);
      method.skip(before, state, dt);
    } else {
      EXPECT_EQ(method.step(chain, *workspace, dt, state).status, StepStatus::accepted);
    }
  }
  const State exact = advance(*make_integrator("rk4"), chain, CubicChain::start(), 1.0, 20000);
  return (state.q - exact.q).norm() + (state.v - exact.v).norm();
}

struct Case {
  IntegratorEntry entry;
  const la::Reducer* reducer;
};

inline std::vector<Case> every_integrator_with(const std::vector<const la::Reducer*>& reducers) {
  std::vector<Case> cases;
  for (const la::Reducer* reducer : reducers)
    for (const IntegratorEntry& entry : integrators()) cases.push_back({entry, reducer});
  return cases;
}

class EveryIntegrator : public testing::TestWithParam<Case> {
 protected:
  EveryIntegrator() {
    sums = GetParam().reducer;
    method = make_tight(entry);
  }
  ~EveryIntegrator() override { sums = &counting; }

  const IntegratorEntry& entry = GetParam().entry;
  const Traits& traits = entry.traits;
  std::unique_ptr<Integrator> method;

  /// Measured between the two finest of several step sizes, against the finest of a good method.
  double measured_order(const dynamics::DynamicalSystem& system, const State& start, double end,
                        int coarsest, int fine) {
    const State exact = advance(*make_integrator("rk4"), system, start, end, fine);
    double error[2];
    for (int level = 0; level < 2; ++level) {
      method->reset();
      const State state = advance(*method, system, start, end, coarsest << level);
      error[level] = (state.q - exact.q).norm() + (state.v - exact.v).norm();
    }
    RecordProperty("error", std::to_string(error[1]));
    return std::log2(error[0] / error[1]);
  }

  /// Exponential methods of order 4 have so small an error that on strongly nonlinear motion terms
  /// of order 5 and rounding leave no room for it to show; gentler motion leaves some.
  bool gentle() const { return traits.is_exponential && traits.order >= 4; }
  CubicChain damped_and_loaded() const {
    return gentle() ? CubicChain({.stiffness = 10.0, .cubic = 1.0, .dashpot = 0.8, .load = 5.0})
                    : CubicChain({.dashpot = 0.8, .load = 20.0});
  }

  /// Far above 2/omega_max.
  bool takes_large_steps() const { return traits.is_implicit || traits.is_exponential; }
};

inline std::string test_name(const testing::TestParamInfo<Case>& row) {
  std::string name(row.param.entry.traits.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name + (row.param.reducer == &splitting ? "_split" : "");
}

}  // namespace sinew::integrators
