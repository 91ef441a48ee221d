// SPDX-License-Identifier: Apache-2.0
// Every method of the table is held to what it claims about itself.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <thread>

#include <gtest/gtest.h>

#include <sinew/core/error.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/la/solvers/lagged_solver.hpp>

#include "support/bodies.hpp"
#include "support/part_of_system.hpp"
#include "support/reducers.hpp"
#include "support/toy_systems.hpp"

namespace sinew::integrators {
namespace {

using dynamics::State;
using test::bar_spec;
using test::CubicChain;
using test::deformed_state;
using test::Oscillator;

const test::CountingReducer counting;
const test::SplittingReducer splitting;
const test::TwinReducer twin;

/// What the methods below sum with; the suite runs once with each of the first two.
const la::Reducer* sums = &counting;

Services services() {
  Services result = default_services();
  result.reducer = sums;
  return result;
}

/// Advances to `end` in equal steps and fails the test when a step does.
State advance(Integrator& method, const dynamics::DynamicalSystem& system, State state, double end,
              int steps) {
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
std::unique_ptr<Integrator> make_tight(const IntegratorEntry& entry, long modes = 2) {
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

struct Case {
  IntegratorEntry entry;
  const la::Reducer* reducer;
};

std::vector<Case> every_integrator_with(const std::vector<const la::Reducer*>& reducers) {
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
    const auto reference_method = make_integrator("rk4");
    const State exact = advance(*reference_method, system, start, end, fine);
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

TEST_P(EveryIntegrator, HasItsDeclaredOrderOnAPendulum) {
  method = make_tight(entry, 0);  // its only mode would be all there is
  const test::Pendulum pendulum(gentle() ? 2.0 : 6.0);
  const int coarsest = traits.order >= 4 ? 160 : 640;

  const double order =
      measured_order(pendulum, Oscillator::displaced(2.0, 1.0), 1.0, coarsest, 20000);

  EXPECT_NEAR(order, traits.order, 0.1);
}

TEST_P(EveryIntegrator, TreatsMotionThatStepsCannotResolveAsItSays) {
  if (!takes_large_steps()) GTEST_SKIP() << "needs steps below the fastest vibration";
  // h omega between 82 and 310; the load changes slowly
  const double stiffness = 4e7, load = 20.0, end = 1.0;
  const CubicChain chain({.stiffness = stiffness, .cubic = 30.0, .load = load});
  const CubicChain unloaded({.stiffness = stiffness, .cubic = 30.0});
  const auto workspace = unloaded.make_workspace();
  const auto energy = [&](const State& s) {
    Vec Mv(CubicChain::n);
    unloaded.mass().apply(s.v, Mv);
    return 0.5 * s.v.dot(Mv) + unloaded.potential(s, *workspace);
  };
  State start = CubicChain::start();
  start.q *= 1e-3;

  const State state = advance(*method, chain, start, end, 40);

  // 22 J at the start; the load can do 20 N times the path of 1 mm a few times over
  const double ratio = energy(state) / energy(start);
  EXPECT_LT(ratio, 1.02);
  if (traits.keeps_energy) {
    EXPECT_GT(ratio, 0.98);
  }
  if (traits.l_stable) {
    // the vibration is gone and what is left is the displacement under the load at rest: K has 2 k
    // on its diagonal and -k beside it, so that the first of five masses takes 5/6 of load/k
    for (int k = 0; k < CubicChain::n; ++k) {
      const double at_rest = load * std::cos(3.0 * end) / stiffness * (CubicChain::n - k) / 6.0;
      // slow accelerations are of the relative size (3/omega)^2, second-order methods that look at
      // several instants of a step see the load (3 h)^2 = 0.6 % off
      EXPECT_NEAR(state.q[k], at_rest, 0.01 * std::abs(at_rest)) << "mass " << k;
    }
  }
}

TEST_P(EveryIntegrator, HasItsDeclaredOrderOnANonlinearChain) {
  const CubicChain chain =
      gentle() ? CubicChain({.stiffness = 10.0, .cubic = 1.0, .load = 5.0}) : CubicChain();
  const int coarsest = gentle() ? 80 : traits.order >= 4 ? 320 : 640;

  const double order = measured_order(chain, CubicChain::start(), 1.0, coarsest, 20000);

  EXPECT_NEAR(order, traits.order, 0.1);
}

TEST_P(EveryIntegrator, HasItsDeclaredOrderWithDampingAndLoadsThatChange) {
  const CubicChain chain = damped_and_loaded();
  const int coarsest = gentle() ? 80 : traits.order >= 4 ? 320 : 640;

  const double order = measured_order(chain, CubicChain::start(), 1.0, coarsest, 20000);

  EXPECT_NEAR(order, traits.order, 0.1);
}

TEST_P(EveryIntegrator, HasItsDeclaredOrderOnAnElasticBody) {
  const physics::TermSystem body(physics::to_terms(
      bar_spec({.cells = {3, 1, 1}, .young = 2e4, .damping_stiffness = 1e-3, .clamped = true})));
  const int coarsest = gentle() ? 200 : traits.order >= 4 ? 100 : 800;

  const double order = measured_order(body, deformed_state(body, 0.03, 0.3), 0.1, coarsest, 4000);

  EXPECT_NEAR(order, traits.order, 0.1);
}

TEST_P(EveryIntegrator, TakesADefiniteTangentWhenAsked) {
  // squeezed to two thirds of its length the bar has elements with negative curvature
  const physics::TermSystem body(physics::to_terms(bar_spec({.young = 1e6, .clamped = true})));
  const auto workspace = body.make_workspace();
  State start = body.rest_state();
  for (Index i = 0; i < start.q.size(); i += 3) start.q[i] *= 0.65;
  for (const char* policy : {"psd-clamp", "psd-abs"}) {
    Options options(entry.options);
    options.set("tangent", std::string(policy));
    const auto projected = make_integrator(entry, options, services());
    State state = start;

    const StepReport report = projected->step(body, *workspace, 1e-5, state);

    EXPECT_EQ(report.status, StepStatus::accepted) << policy;
    EXPECT_EQ(report.projected > 0, takes_large_steps() && !traits.uses_rest_tangent) << policy;
  }
}

/// What a step along the tangent of the motion adds to the energy, exactly so for linear forces:
/// h^2/2 (f M^-1 f + v K v).
double tangential_gain(const dynamics::DynamicalSystem& system, dynamics::Workspace& workspace,
                       const State& state, double dt) {
  Vec f(state.q.size()), a(state.q.size()), Kv(state.q.size());
  const auto linearization = system.make_linearization();
  system.linearize(state, {}, workspace, *linearization, &f);
  system.mass_inverse().apply(f, a);
  linearization->stiffness().apply(state.v, Kv);
  return 0.5 * dt * dt * (f.dot(a) + state.v.dot(Kv));
}

TEST_P(EveryIntegrator, HandlesStiffnessThatJumpsByFourOrdersOfMagnitude) {
  physics::BodiesSpec spec = bar_spec({.cells = {6, 2, 2}, .young = 1e6, .clamped = true});
  for (std::size_t t = 0; t < spec.bodies[0].tets.size(); t += 2)
    spec.bodies[0].tets[t].moduli = physics::moduli(1e10, 0.4);
  spec.gravity = {0, 0, -9.81};
  const physics::TermSystem body(physics::to_terms(spec));
  const auto workspace = body.make_workspace();
  const auto plain = make_integrator(entry, Options(entry.options), services());
  State state = body.rest_state();
  const double before = body.potential(state, *workspace);

  // explicit methods need a step below the fastest wave through an element, 5 cm / 3 km/s, and so
  // many that what they gain rises above rounding, about 1e-17 of 5e8 J at strains of order one
  const double dt = takes_large_steps() ? 1e-3 : 1e-7;
  const int steps = takes_large_steps() ? 20 : 10000;
  double gain = 0.0;
  for (int k = 0; k < steps; ++k) {
    if (traits.gains_energy) gain += tangential_gain(body, *workspace, state, dt);
    ASSERT_EQ(plain->step(body, *workspace, dt, state).status, StepStatus::accepted);
  }

  Vec Mv(state.v.size());
  body.mass().apply(state.v, Mv);
  const double energy = 0.5 * state.v.dot(Mv) + body.potential(state, *workspace);
  const double weight = 1000.0 * 1.0 * 0.3 * 0.2 * 9.81;
  const double fall = weight * 0.5 * 9.81 * std::pow(steps * dt, 2);  // of a free body [J]
  if (traits.gains_energy) {
    EXPECT_NEAR(energy - before, gain, 0.03 * gain);
  } else {
    // it cannot gain energy; of explicit methods it is off by the order of h over the whole time
    EXPECT_LT(energy - before, (takes_large_steps() ? 1e-3 : 1e-2) * fall);
  }
}

TEST_P(EveryIntegrator, LetsVibrationsGrowOnlyIfItSaysSo) {
  method = make_tight(entry, 0);
  const Oscillator oscillator(1.0);
  const State end = advance(*method, oscillator, Oscillator::displaced(1.0, 0.4), 100.0, 1000);
  const double ratio = (end.q[0] * end.q[0] + end.v[0] * end.v[0]) / 1.16;
  // symplectic Euler keeps q^2 + v^2 - h q v, which differs by 5 % from the energy at each end;
  // growth by (1 + h^2) per step is 2e4
  EXPECT_EQ(ratio > 1.11, traits.gains_energy) << ratio;
}

TEST_P(EveryIntegrator, LeavesTheStateUntouchedWhenAStepFails) {
  const physics::TermSystem body(physics::to_terms(bar_spec({.clamped = true})));
  const auto workspace = body.make_workspace();
  State state = deformed_state(body);
  state.v[5] = std::numeric_limits<double>::quiet_NaN();
  const State before = state;
  const Memory memory = method->memory();

  const StepReport report = method->step(body, *workspace, 0.01, state);

  EXPECT_NE(report.status, StepStatus::accepted);
  EXPECT_EQ(std::memcmp(state.q.data(), before.q.data(), sizeof(double) * before.q.size()), 0);
  EXPECT_EQ(std::memcmp(state.v.data(), before.v.data(), sizeof(double) * before.v.size()), 0);
  EXPECT_EQ(state.t, before.t);
  EXPECT_EQ(method->memory(), memory);

  // and it works again afterwards
  State good = deformed_state(body);
  EXPECT_EQ(method->step(body, *workspace, 1e-4, good).status, StepStatus::accepted);
}

TEST_P(EveryIntegrator, KeepsTheMomentumItClaimsToKeep) {
  const physics::TermSystem body(physics::to_terms(bar_spec({.young = 1e4})));
  State state = deformed_state(body, 0.03, 0.5);
  const dynamics::Momentum before = *body.accounts().momentum(state);

  state = advance(*method, body, state, 0.1, 200);

  const dynamics::Momentum after = *body.accounts().momentum(state);
  const double linear = (after.linear - before.linear).norm() / before.linear.norm();
  const double angular = (after.angular - before.angular).norm() / before.angular.norm();
  if (traits.keeps_linear_momentum) {
    EXPECT_LT(linear, 1e-10);
  }
  if (traits.keeps_angular_momentum) {
    EXPECT_LT(angular, 1e-10);
  } else {
    // a method that denies keeping it should be seen not to, or its row is too modest
    EXPECT_GT(angular, 1e-13);
  }
}

TEST_P(EveryIntegrator, GivesTheSameBitsOnAnyNumberOfThreads) {
  const physics::BodiesSpec spec =
      bar_spec({.size = {4, 1, 1}, .cells = {96, 6, 6}, .young = 1e6, .clamped = true});
  std::vector<State> results;
  for (const int threads : {1, 2, 8}) {
    const core::Executor executor(threads);
    const physics::TermSystem body(physics::to_terms(spec), executor);
    // several pieces of each parity in assembly (512 vertices each) and product (1,024 rows each)
    ASSERT_GT(body.num_dofs() / 3, 4 * 1024);
    const auto fresh = entry.make(Options(entry.options), services());
    results.push_back(advance(*fresh, body, deformed_state(body, 0.02), 1e-4, 2));
  }
  EXPECT_TRUE(results[0] == results[1]);
  EXPECT_TRUE(results[0] == results[2]);
}

TEST_P(EveryIntegrator, NeedsNoWorkspaceFromThePast) {
  const physics::TermSystem body(physics::to_terms(bar_spec({.clamped = true})));
  const auto kept = body.make_workspace();
  State with_kept = deformed_state(body);
  State with_fresh = with_kept;
  const auto other = make_tight(entry);
  for (int k = 0; k < 10; ++k) {
    const auto fresh = body.make_workspace();
    ASSERT_EQ(method->step(body, *kept, 1e-4, with_kept).status, StepStatus::accepted);
    ASSERT_EQ(other->step(body, *fresh, 1e-4, with_fresh).status, StepStatus::accepted);
  }
  EXPECT_TRUE(with_kept == with_fresh);
}

TEST_P(EveryIntegrator, SharesASystemWithOthersOnOtherThreads) {
  const physics::TermSystem body(
      physics::to_terms(bar_spec({.consistent_mass = true, .clamped = true})));
  const State start = deformed_state(body);
  const State alone = advance(*method, body, start, 1e-3, 10);
  std::vector<State> results(3);
  std::vector<std::thread> threads;
  for (State& result : results)
    threads.emplace_back([&] { result = advance(*make_tight(entry), body, start, 1e-3, 10); });
  for (std::thread& thread : threads) thread.join();

  for (const State& result : results) EXPECT_TRUE(result == alone);
}

TEST_P(EveryIntegrator, ContinuesFromItsMemoryBitForBit) {
  const CubicChain chain;
  const State halfway = advance(*method, chain, CubicChain::start(), 0.5, 50);
  const Memory memory = method->memory();
  const State straight = advance(*method, chain, halfway, 0.5, 50);
  const auto resumed = make_tight(entry);
  resumed->restore(memory);

  EXPECT_TRUE(advance(*resumed, chain, halfway, 0.5, 50) == straight);
}

TEST_P(EveryIntegrator, IsExactForLinearForcesIfItSaysSo) {
  method = make_tight(entry, 0);  // hybrid methods would give the only mode to their exact half
  const Oscillator oscillator(50.0);
  const State state = advance(*method, oscillator, Oscillator::displaced(), 1.0, 3);
  const double error = std::abs(state.q[0] - std::cos(50.0));
  if (traits.exact_for_linear)
    EXPECT_LT(error, 1e-10);
  else
    EXPECT_GT(error, 1e-3);  // steps of 2.7 periods
}

TEST_P(EveryIntegrator, KeepsAreasInPhaseSpaceIfItSaysSo) {
  const CubicChain chain;
  // a step with the history, or the reference, that the method has after another one
  const State start = advance(*method, chain, CubicChain::start(), 0.05, 1);
  const Memory memory = method->memory();
  const int n = CubicChain::n;
  Vec u(2 * n);
  u << start.q, start.v;
  const auto map = [&](const Vec& x) {
    State state = start;
    state.q = x.head(n);
    state.v = x.tail(n);
    method->restore(memory);
    state = advance(*method, chain, state, 0.05, 1);
    Vec result(2 * n);
    result << state.q, state.v;
    return result;
  };
  const Mat J = test::numerical_jacobian(map, u, 1e-5);
  // in positions and momenta: J^T S J = S with S = [[0, M], [-M, 0]]
  Mat S = Mat::Zero(2 * n, 2 * n);
  const Vec m = dynamic_cast<const la::DiagonalOperator&>(chain.mass()).diagonal();
  S.topRightCorner(n, n) = m.asDiagonal();
  S.bottomLeftCorner(n, n) = -Mat(m.asDiagonal());

  const double defect = (J.transpose() * S * J - S).norm();
  if (traits.symplectic) {
    EXPECT_LT(defect, 1e-8);
  } else if (!traits.uses_rest_tangent) {
    // such a linear part cannot turn here, since the chain is on a line
    EXPECT_GT(defect, 1e-5) << "measured: 6e-4 of exprb42 is the smallest";
  }
}

TEST_P(EveryIntegrator, KeepsTheEnergyOfLinearProblemsIfItSaysSo) {
  if (!takes_large_steps()) GTEST_SKIP() << "needs h omega < 2; growth is tested above";
  method = make_tight(entry, 0);
  const Oscillator oscillator(1.0);
  for (const double theta : {0.1, 3.0}) {
    method->reset();
    const State start = Oscillator::displaced(1.0, 0.4);
    const State end = advance(*method, oscillator, start, 10000 * theta, 10000);
    const double ratio = (end.q[0] * end.q[0] + end.v[0] * end.v[0]) / 1.16;
    RecordProperty("energy after 10000 steps of " + std::to_string(theta), std::to_string(ratio));
    if (traits.keeps_energy)
      EXPECT_NEAR(ratio, 1.0, 1e-6) << "h omega = " << theta;
    else
      EXPECT_LT(ratio, 1.0 - 1e-4) << "h omega = " << theta;
  }
}

TEST_P(EveryIntegrator, KeepsItsOrderWhenTheStepChanges) {
  // steps alternate between h and h/2, as after a failure
  const CubicChain chain = damped_and_loaded();
  const auto workspace = chain.make_workspace();
  const auto uneven = [&](int pairs) {
    const auto fresh = make_tight(entry);
    State state = CubicChain::start();
    for (int k = 0; k < 2 * pairs; ++k) {
      const double dt = (k % 2 == 0 ? 2.0 : 1.0) / (3.0 * pairs);
      EXPECT_EQ(fresh->step(chain, *workspace, dt, state).status, StepStatus::accepted);
    }
    return state;
  };
  const State exact = advance(*make_integrator("rk4"), chain, CubicChain::start(), 1.0, 20000);
  double error[2];
  for (int level = 0; level < 2; ++level) {
    const State state = uneven((gentle() ? 80 : traits.order >= 4 ? 160 : 320) << level);
    error[level] = (state.q - exact.q).norm() + (state.v - exact.v).norm();
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), traits.order, 0.1);
}

TEST_P(EveryIntegrator, GoesOnAsIfARefusedStepHadNotBeenTried) {
  const CubicChain chain;
  const auto workspace = chain.make_workspace();
  const State halfway = advance(*method, chain, CubicChain::start(), 0.5, 50);
  const auto other = make_tight(entry);
  EXPECT_TRUE(advance(*other, chain, CubicChain::start(), 0.5, 50) == halfway);
  // proposed and never accepted
  const StepReport report = method->propose(chain, *workspace, 0.02, halfway);
  EXPECT_EQ(report.status, StepStatus::accepted) << to_string(report.status);
  EXPECT_FALSE(method->proposed() == halfway);

  EXPECT_TRUE(advance(*method, chain, halfway, 0.5, 50) ==
              advance(*other, chain, halfway, 0.5, 50));
}

/// Error at the end of a second in which two of the steps, shorter ones, are made by a method
/// without errors worth mentioning.
double error_with_others(Integrator& method, const CubicChain& chain, int thirds) {
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

TEST_P(EveryIntegrator, KeepsItsOrderWhenOthersMakeSomeOfItsSteps) {
  const CubicChain chain = damped_and_loaded();
  const int coarse = gentle() ? 40 : traits.order >= 4 ? 80 : 160;
  const double coarse_error = error_with_others(*method, chain, coarse);
  const double fine_error = error_with_others(*make_tight(entry), chain, 2 * coarse);
  EXPECT_NEAR(std::log2(coarse_error / fine_error), traits.order, 0.15);
}

/// A method as a scene makes it, once per way to evaluate its matrix functions. `auto` may
/// decompose the matrices of small systems, which several processes cannot.
std::vector<Options> ways(const IntegratorEntry& entry) {
  Options options(entry.options);
  if (!options.values().contains("kernel")) return {options};
  std::vector<Options> result;
  for (const char* kernel : {"lanczos", "chebyshev", "arnoldi", "faber", "shift-invert"}) {
    options.set("kernel", std::string(kernel));
    result.push_back(options);
  }
  return result;
}

struct Outcome {
  State state;
  StepStatus status = StepStatus::accepted;  // some kernels do not get there, with anybody's sums
  std::vector<double> errors;                // as the method estimates them
};

/// A few steps with solvers as scenes have them: a lagged factor.
Outcome few_steps(const IntegratorEntry& entry, const Options& options,
                  const dynamics::DynamicalSystem& system, State state, double dt,
                  const la::Reducer& reducer) {
  Services lagging = default_services();
  lagging.reducer = &reducer;
  lagging.make_linear_solver = [](const la::Reducer& used) {
    return la::make_lagged_solver(la::solvers().front().make(used), used);
  };
  const auto method = make_integrator(entry, options, lagging);
  method->set_error_estimate(true);
  const auto workspace = system.make_workspace();
  Outcome outcome;
  for (int k = 0; k < 6; ++k) {
    const StepReport report = method->step(system, *workspace, dt, state);
    outcome.errors.push_back(report.error_estimate);
    outcome.status = report.status;
    if (report.status != StepStatus::accepted) break;
  }
  outcome.state = state;
  return outcome;
}

/// Of the displacements and velocities themselves, not of positions.
double difference(const Outcome& a, const Outcome& b, const Vec& rest) {
  double largest = std::max((a.state.q - b.state.q).norm() / (b.state.q - rest).norm(),
                            (a.state.v - b.state.v).norm() / b.state.v.norm());
  for (std::size_t k = 0; k < a.errors.size(); ++k)
    if (b.errors[k] != 0.0) largest = std::max(largest, std::abs(a.errors[k] / b.errors[k] - 1.0));
  return largest;
}

TEST_P(EveryIntegrator, LeavesNoSumToAnybodyButItsReducer) {
  // the other double is the one that all tests run with
  const bool has_twin = GetParam().reducer == &counting;
  const physics::TermSystem bodies[] = {
      physics::TermSystem(physics::to_terms(bar_spec({.young = 1e5, .clamped = true}))),
      physics::TermSystem(physics::to_terms(bar_spec({.young = 1e5, .damping_stiffness = 2e-3}))),
      physics::TermSystem(physics::to_terms(
          bar_spec({.young = 1e5, .damping_mass = 0.5, .consistent_mass = true})))};
  for (const physics::TermSystem& body : bodies) {
    const test::PartOfSystem both(body, twin);
    const Vec rest = body.rest_state().q;
    const State start = deformed_state(body, 0.02, 0.5);
    const double dt = takes_large_steps() ? 5e-3 : 1e-4;
    for (const Options& options : ways(entry)) {
      const Outcome alone = few_steps(entry, options, body, start, dt, la::serial_reducer());
      const Outcome other = has_twin ? few_steps(entry, options, both, start, dt, twin)
                                     : few_steps(entry, options, body, start, dt, splitting);
      const std::string way = options.values().contains("kernel") ? options.text("kernel") : "";
      ASSERT_EQ(other.status, alone.status) << way;
      // measured: 1e-13 at most, estimated errors (differences of nearly equal numbers) 2e-11
      EXPECT_LT(difference(other, alone, rest), 1e-9) << way;
    }
  }
}

/// A direct solver whose matrix has a block on every process and nothing between them.
class BlockSolver final : public la::LinearSolver {
 public:
  explicit BlockSolver(const la::Reducer& reducer)
      : own_(la::solvers().front().make(reducer)), reducer_(reducer) {}

  la::FactorReport factorize(const la::LinearOperator& A) override {
    la::FactorReport report = own_->factorize(A);
    report.status = worst(report.status);
    return report;
  }
  double factor_cost() const override { return reducer_.largest(own_->factor_cost()); }

 private:
  la::SolveReport do_solve(const MatIn& B, MatOut X, double enough) override {
    la::SolveReport report = own_->solve(B, X, enough);
    report.status = worst(report.status);
    return report;
  }
  la::SolveStatus worst(la::SolveStatus status) const {
    return static_cast<la::SolveStatus>(reducer_.largest(static_cast<double>(status)));
  }

  std::unique_ptr<la::LinearSolver> own_;
  const la::Reducer& reducer_;
};

/// Two bars that know nothing of each other, a soft one and a stiffer one, as one system and as one
/// for each of two processes.
class TwoBars {
 public:
  explicit TwoBars(double damping)
      : TwoBars(bar_spec({.young = 1e5, .damping_stiffness = damping, .clamped = true}),
                bar_spec({.size = {0.8, 0.3, 0.3},
                          .cells = {3, 2, 3},
                          .young = 4e5,
                          .damping_stiffness = 0.3 * damping,
                          .clamped = true})) {}

  physics::TermSystem whole;
  physics::TermSystem parts[2];

  /// The entries of a vector of the whole that belong to one part.
  Vec part_of(const Vec& x, int part) const {
    Vec result(parts[part].num_dofs());
    for (int v = 0; v < num_vertices_[part]; ++v) {
      const Index own = parts[part].dof_of_vertex(v);
      const Index all = whole.dof_of_vertex(v + (part == 0 ? 0 : num_vertices_[0]));
      if (own >= 0) result.segment<3>(own) = x.segment<3>(all);
    }
    return result;
  }
  /// Likewise of a memory; numbers are the same everywhere.
  Memory part_of(Memory memory, int part) const {
    for (auto& [name, vector] : memory) {
      const Index n = whole.num_dofs();
      if (vector.size() % n != 0) continue;
      const Mat columns = vector.reshaped(n, vector.size() / n);
      Mat own(parts[part].num_dofs(), columns.cols());
      for (Index c = 0; c < columns.cols(); ++c) own.col(c) = part_of(Vec(columns.col(c)), part);
      vector = own.reshaped();
    }
    return memory;
  }

 private:
  TwoBars(const physics::BodiesSpec& a, const physics::BodiesSpec& b)
      : whole(physics::to_terms(together(a, b))),
        parts{physics::TermSystem(physics::to_terms(a)), physics::TermSystem(physics::to_terms(b))},
        num_vertices_{a.bodies[0].mesh.num_vertices(), b.bodies[0].mesh.num_vertices()} {}

  static physics::BodiesSpec together(physics::BodiesSpec a, const physics::BodiesSpec& b) {
    const int offset = a.bodies[0].mesh.num_vertices();
    for (const int vertex : b.fixed) a.fixed.push_back(vertex + offset);
    a.bodies.push_back(b.bodies[0]);
    a.bodies[1].name = "other bar";
    return a;
  }

  int num_vertices_[2];
};

/// Tests that bring their own reducers.
class EveryIntegratorOnProcesses : public EveryIntegrator {};

TEST_P(EveryIntegratorOnProcesses, MovesTwoBodiesOnTwoProcessesAsOnOne) {
  const double dt = takes_large_steps() ? 5e-3 : 1e-4;
  const bool has_modes = Options(entry.options).values().contains("modes");
  const auto make = [&](const Options& options, const la::Reducer& reducer) {
    Services services = default_services();
    services.reducer = &reducer;
    services.make_linear_solver = services.make_direct_solver = [](const la::Reducer& used) {
      return std::make_unique<BlockSolver>(used);
    };
    // when a lagged factor is made anew depends on what it costs, so that must not matter; modes
    // are followed by whatever factor there is
    if (!has_modes)
      services.make_linear_solver = [](const la::Reducer& used) {
        return la::make_lagged_solver(std::make_unique<BlockSolver>(used), used,
                                      {.tolerance = 1e-13});
      };
    return make_integrator(entry, options, services);
  };
  int accepted = 0;
  const auto steps = [&](Integrator& integrator, const dynamics::DynamicalSystem& system,
                         State state) {
    const auto workspace = system.make_workspace();
    for (int k = 0; k < 4; ++k)
      if (integrator.step(system, *workspace, dt, state).status != StepStatus::accepted) break;
    return state;
  };
  for (const double damping : {0.0, 2e-3}) {
    const TwoBars bars(damping);
    const Vec rest = bars.whole.rest_state().q;
    for (Options options : ways(entry)) {
      const std::string way = options.values().contains("kernel") ? options.text("kernel") : "";
      // rough vectors depend on the numbering: neither spectra nor modes found with them may matter
      if (options.values().contains("kernel")) options.set("tolerance", 1e-12);
      if (options.values().contains("cutoff")) options.set("cutoff", 4.0);
      State start = deformed_state(bars.whole, 0.02, 0.5);
      const auto one = make(options, la::serial_reducer());
      if (has_modes) {
        const auto workspace = bars.whole.make_workspace();
        ASSERT_EQ(one->step(bars.whole, *workspace, dt, start).status, StepStatus::accepted);
      }
      const Memory memory = one->memory();
      const State alone = steps(*one, bars.whole, start);
      State ends[2];
      test::Lockstep::run([&](int rank, const la::Reducer& reducer) {
        State own = bars.parts[rank].rest_state();
        own.t = start.t;
        own.q = bars.part_of(start.q, rank);
        own.v = bars.part_of(start.v, rank);
        const test::PartOfSystem part(bars.parts[rank], reducer);
        const auto integrator = make(options, reducer);
        integrator->restore(bars.part_of(memory, rank));
        ends[rank] = steps(*integrator, part, own);
      });
      for (int part = 0; part < 2; ++part) {
        const Vec q = bars.part_of(alone.q, part), v = bars.part_of(alone.v, part);
        ASSERT_EQ(ends[part].t, alone.t) << way;
        const double found = std::max((ends[part].q - q).norm() / (alone.q - rest).norm(),
                                      (ends[part].v - v).norm() / alone.v.norm());
        // measured: 4e-14, blend 4e-10, which is what another order of the bodies changes as well
        EXPECT_LT(found, 1e-8) << way;
      }
      if (alone.t > start.t) ++accepted;
    }
  }
  // blend does not get there with damping: it needs a larger space than it lets itself have
  EXPECT_GE(accepted, 1) << "nothing to compare";
}

std::string test_name(const testing::TestParamInfo<Case>& row) {
  std::string name(row.param.entry.traits.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name + (row.param.reducer == &splitting ? "_split" : "");
}

INSTANTIATE_TEST_SUITE_P(Table, EveryIntegrator,
                         testing::ValuesIn(every_integrator_with({&counting, &splitting})),
                         test_name);
INSTANTIATE_TEST_SUITE_P(Table, EveryIntegratorOnProcesses,
                         testing::ValuesIn(every_integrator_with({&counting})), test_name);

TEST(Integrators, BackwardEulerAndItsLinearisationDampAnOscillatorExactlyAsTheyShould) {
  // energy ratio per step 1/(1 + theta^2), theta = h omega
  for (const char* name : {"si", "be"})
    for (const double theta : {0.1, 1.0, 10.0}) {
      const Oscillator oscillator(theta);
      const auto method = make_tight(*find_integrator(name));
      const State before = Oscillator::displaced(0.3, 0.7 * theta);
      const State after = advance(*method, oscillator, before, 1.0, 1);
      const auto energy = [&](const State& s) {
        return 0.5 * (s.v[0] * s.v[0] + theta * theta * s.q[0] * s.q[0]);
      };
      EXPECT_NEAR(energy(after) / energy(before), 1.0 / (1.0 + theta * theta), 1e-14) << name;
    }
}

TEST(Integrators, RungeKuttaAmplifiesAsItsStabilityPolynomialSays) {
  // |R(i theta)|^2 = 1 - theta^6/72 + theta^8/576
  for (const double theta : {0.5, 1.0, 2.0, 2.9}) {
    const Oscillator oscillator(theta);
    const auto method = make_integrator("rk4");
    const State after = advance(*method, oscillator, Oscillator::displaced(), 1.0, 1);
    const double ratio = after.q[0] * after.q[0] + std::pow(after.v[0] / theta, 2);
    EXPECT_NEAR(ratio, 1.0 - std::pow(theta, 6) / 72 + std::pow(theta, 8) / 576, 1e-13);
  }
}

TEST(Integrators, SymplecticEulerKeepsItsDiscreteInvariant) {
  // v^2 + omega^2 q^2 - h omega^2 q v
  const double omega = 3.0, h = 0.2;
  const Oscillator oscillator(omega);
  const auto method = make_integrator("symplectic-euler");
  const auto invariant = [&](const State& s) {
    return s.v[0] * s.v[0] + omega * omega * (s.q[0] * s.q[0] - h * s.q[0] * s.v[0]);
  };
  const State start = Oscillator::displaced(1.0, 0.5);

  const State end = advance(*method, oscillator, start, 1000 * h, 1000);

  EXPECT_NEAR(invariant(end) / invariant(start), 1.0, 1e-12);
}

TEST(Integrators, RungeKuttaKeepsTheEnergyOfAFreeBodyAtSmallSteps) {
  const physics::TermSystem body(physics::to_terms(bar_spec({.young = 1e5})));
  const auto workspace = body.make_workspace();
  State state = deformed_state(body, 0.02, 0.5);
  const auto energy = [&](const State& s) {
    Vec Mv(s.v.size());
    body.mass().apply(s.v, Mv);
    return 0.5 * s.v.dot(Mv) + body.potential(s, *workspace);
  };
  const double before = energy(state);
  const auto method = make_integrator("rk4");
  double drift = 0.0;
  for (int k = 0; k < 1000; ++k) {
    // about a thirtieth of the stability limit of this mesh
    ASSERT_EQ(method->step(body, *workspace, 1e-4, state).status, StepStatus::accepted);
    drift = std::max(drift, std::abs(energy(state) / before - 1.0));
  }
  EXPECT_LT(drift, 1e-8);
}

TEST(Integrators, ImplicitStepsUseExactlyTheOperationsTheyClaim) {
  const physics::TermSystem body(physics::to_terms(bar_spec({.clamped = true})));
  const auto workspace = body.make_workspace();
  State state = deformed_state(body);
  const auto si = make_integrator("si", services());
  const long sums_before = counting.sums(), maxima_before = counting.maxima();
  core::Counts counts;
  for (int k = 0; k < 5; ++k) counts += si->step(body, *workspace, 0.01, state).profile.counts;

  EXPECT_EQ(counts.force, 5);
  EXPECT_EQ(counts.tangent, 5);
  EXPECT_EQ(counts.factorizations, 5);
  EXPECT_EQ(counts.solves, 5);
  EXPECT_EQ(counts.analyses, 1);
  // whether the state is finite, before and after the system finishes the step, and nothing else
  EXPECT_EQ(counting.sums() - sums_before, 0);
  EXPECT_EQ(counting.maxima() - maxima_before, 2 * 5);
}

TEST(Integrators, BackwardEulerSolvesItsEquation) {
  const physics::TermSystem body(
      physics::to_terms(bar_spec({.young = 1e6, .damping_stiffness = 1e-3, .clamped = true})));
  const auto workspace = body.make_workspace();
  const State before = deformed_state(body, 0.05, 2.0);
  State after = before;
  const auto method = make_tight(*find_integrator("be"));

  ASSERT_EQ(method->step(body, *workspace, 0.02, after).status, StepStatus::accepted);

  Vec f(after.q.size()), inertia(after.q.size());
  body.force(after, *workspace, f);
  body.mass().apply((after.v - before.v) / 0.02, inertia);
  EXPECT_LT((inertia - f).norm() / inertia.norm(), 1e-9);
  EXPECT_LT((after.q - before.q - 0.02 * after.v).norm(), 1e-14);
}

TEST(Integrators, BackwardEulerFindsItsWayOutOfStrongCompression) {
  // the exact tangent is indefinite here, so plain Newton matrices cannot be factorised
  const physics::TermSystem body(physics::to_terms(bar_spec({.young = 1e5, .clamped = true})));
  const auto workspace = body.make_workspace();
  State state = body.rest_state();
  for (Index i = 0; i < state.q.size(); i += 3) state.q[i] *= 0.3;
  const auto method = make_integrator("be");
  int regularised = 0;
  double energy = body.potential(state, *workspace);
  for (int k = 0; k < 20; ++k) {
    const StepReport report = method->step(body, *workspace, 0.02, state);
    ASSERT_EQ(report.status, StepStatus::accepted);
    regularised += report.regularised;
  }
  EXPECT_GT(regularised, 0);
  EXPECT_LT(body.potential(state, *workspace), energy);
}

TEST(Integrators, SemiImplicitReportsAMatrixThatIsNotPositiveDefinite) {
  const physics::TermSystem body(physics::to_terms(bar_spec({.young = 1e5, .clamped = true})));
  const auto workspace = body.make_workspace();
  State state = body.rest_state();
  for (Index i = 0; i < state.q.size(); i += 3) state.q[i] *= 0.3;

  const StepReport report = make_integrator("si")->step(body, *workspace, 0.1, state);

  EXPECT_EQ(report.status, StepStatus::linear_solve_failed) << to_string(report.status);
}

TEST(Integrators, SemiImplicitPredictedIsOneNewtonStepOfBackwardEuler) {
  const CubicChain chain;
  Options options(find_integrator("si")->options);
  options.set("variant", std::string("predicted"));
  const auto si = make_integrator(*find_integrator("si"), options, services());
  const double h = 0.05;
  const State start = CubicChain::start();
  const State end = advance(*si, chain, start, h, 1);

  // g(v) = M (v - v0) - h f(q0 + h v), one step from v0
  const auto workspace = chain.make_workspace();
  State trial = start;
  trial.q += h * start.v;
  Vec f(CubicChain::n), inertia(CubicChain::n), Kd(CubicChain::n);
  chain.force(trial, *workspace, f);
  const auto linearization = chain.make_linearization();
  chain.linearize(trial, {}, *workspace, *linearization);
  const Vec d = end.v - start.v;
  chain.mass().apply(d, inertia);
  linearization->stiffness().apply(d, Kd);
  EXPECT_LT((inertia + h * h * Kd - h * f).norm(), 1e-12);
  EXPECT_LT((end.q - start.q - h * end.v).norm(), 1e-15);
}

TEST(Integrators, NewtonConvergesQuadraticallyOnTheIncrementalPotential) {
  const physics::TermSystem body(physics::to_terms(bar_spec({.young = 1e5, .clamped = true})));
  const auto workspace = body.make_workspace();
  const State start = deformed_state(body, 0.1, 3.0);
  const double h = 0.01;
  // residual of backward Euler after ever tighter tolerances: one more iteration each
  std::vector<double> residuals;
  Vec f(start.q.size()), inertia(start.q.size());
  long iterations = 0;
  for (double tolerance = 1.0; tolerance > 1e-14; tolerance *= 0.3) {
    Options options(find_integrator("be")->options);
    options.set("tolerance", tolerance);
    State state = start;
    const StepReport report = make_integrator(*find_integrator("be"), options, services())
                                  ->step(body, *workspace, h, state);
    ASSERT_EQ(report.status, StepStatus::accepted);
    if (report.profile.counts.newton == iterations) continue;
    iterations = report.profile.counts.newton;
    body.force(state, *workspace, f);
    body.mass().apply(state.v - start.v, inertia);
    residuals.push_back((inertia - h * f).norm());
    std::printf("after %ld iterations: residual %.3e\n", iterations, residuals.back());
  }
  ASSERT_GE(residuals.size(), 3u);
  // near the solution the constant of |g_k+1| <= C |g_k|^2 stays the same, until rounding
  int checked = 0;
  for (std::size_t k = 0; k + 1 < residuals.size(); ++k) {
    if (residuals[k] > 0.05 * residuals.front() || residuals[k] < 1e-9) continue;
    EXPECT_LT(residuals[k + 1], std::max(1e-2 * residuals[k], 1e-10)) << k;
    ++checked;
  }
  EXPECT_GE(checked, 1);
}

TEST(Integrators, SdirkFactorisesOncePerStepForBothStages) {
  const physics::TermSystem body(
      physics::to_terms(bar_spec({.material = "linear", .young = 1e5, .clamped = true})));
  const physics::TermSystem bent(physics::to_terms(bar_spec({.young = 1e5, .clamped = true})));
  for (const auto* system : {&body, &bent}) {
    const auto workspace = system->make_workspace();
    State state = deformed_state(*system, 0.01, 0.2);
    const auto method = make_integrator("sdirk2");
    core::Counts counts;
    for (int k = 0; k < 10; ++k)
      counts += method->step(*system, *workspace, 1e-3, state).profile.counts;
    EXPECT_EQ(counts.factorizations, 10);
    EXPECT_EQ(counts.tangent, 10);
  }
}

TEST(Integrators, AnAbsoluteResidualEndsNewtonEarly) {
  const physics::TermSystem body(physics::to_terms(bar_spec({.young = 1e5, .clamped = true})));
  const auto workspace = body.make_workspace();
  const auto newton_with = [&](double residual) {
    Options options(find_integrator("be")->options);
    options.set("tolerance", 1e-13);
    options.set("residual_tolerance", residual);
    State state = deformed_state(body, 0.05, 1.0);
    return make_integrator(*find_integrator("be"), options, services())
        ->step(body, *workspace, 0.01, state)
        .profile.counts.newton;
  };
  EXPECT_LT(newton_with(1e-6), newton_with(0.0));
  EXPECT_LT(newton_with(1e-2), newton_with(1e-6));
}

TEST(Integrators, TwoStepFormsGoOnFromTheVelocityOfAnothersStep) {
  const IntegratorEntry& eti = *find_integrator("eti");
  Options options(eti.options);
  options.set("form", std::string("two-step"));
  const CubicChain chain;
  double error[2];
  for (int level = 0; level < 2; ++level)
    error[level] =
        error_with_others(*make_integrator(eti, options, services()), chain, 160 << level);
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2.0, 0.15);
}

TEST(Integrators, UnknownNamesAreAnsweredWithTheNearest) {
  try {
    static_cast<void>(make_integrator("simplectic-euler"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'symplectic-euler'"), std::string::npos);
  }
}

}  // namespace
}  // namespace sinew::integrators
