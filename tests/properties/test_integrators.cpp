// SPDX-License-Identifier: Apache-2.0
// Every method of the table is held to what it claims about itself, with sums in one piece and in
// several.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include "support/every_integrator.hpp"

namespace sinew::integrators {
namespace {

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
  const int coarsest = gentle() ? 200 : traits.order >= 4 ? 100 : 400;

  const double order = measured_order(body, deformed_state(body, 0.03, 0.3), 0.1, coarsest, 4000);

  EXPECT_NEAR(order, traits.order, 0.1);
}

TEST_P(EveryIntegrator, HasItsDeclaredOrderOnCurvedTetsWithTenNodes) {
  const physics::TermSystem body(physics::to_terms(bar_spec({.cells = {1, 1, 1},
                                                             .material = "stvk",
                                                             .young = 5e3,
                                                             .damping_stiffness = 1e-3,
                                                             .clamped = true,
                                                             .order = 2})));
  const int coarsest = gentle() ? 200 : traits.order >= 4 ? 100 : 400;

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
    const bool needs_tangent =
        takes_large_steps() && !traits.uses_rest_tangent && !traits.takes_apart;
    EXPECT_EQ(report.projected > 0, needs_tangent) << policy;
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
  // of the method: solvers that iterate may have learnt something
  const auto history = [&] {
    Memory memory = method->memory();
    std::erase_if(memory, [](const auto& part) { return part.first.starts_with("solver"); });
    return memory;
  };
  const Memory memory = history();

  const StepReport report = method->step(body, *workspace, 0.01, state);

  EXPECT_NE(report.status, StepStatus::accepted);
  EXPECT_EQ(std::memcmp(state.q.data(), before.q.data(), sizeof(double) * before.q.size()), 0);
  EXPECT_EQ(std::memcmp(state.v.data(), before.v.data(), sizeof(double) * before.v.size()), 0);
  EXPECT_EQ(state.t, before.t);
  EXPECT_EQ(history(), memory);

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
  } else if (!traits.takes_apart) {
    // a method that denies keeping it should be seen not to, or its row is too modest
    EXPECT_GT(angular, 1e-13);
  }
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

TEST_P(EveryIntegrator, KeepsItsOrderWhenOthersMakeSomeOfItsSteps) {
  const CubicChain chain = damped_and_loaded();
  const int coarse = gentle() ? 40 : traits.order >= 4 ? 80 : 160;
  const double coarse_error = error_with_others(*method, chain, coarse);
  const double fine_error = error_with_others(*make_tight(entry), chain, 2 * coarse);
  EXPECT_NEAR(std::log2(coarse_error / fine_error), traits.order, 0.15);
}

INSTANTIATE_TEST_SUITE_P(Table, EveryIntegrator,
                         testing::ValuesIn(every_integrator_with({&counting, &splitting})),
                         test_name);

}  // namespace
}  // namespace sinew::integrators
