// SPDX-License-Identifier: Apache-2.0
// Single methods against what is known of them alone.
#include <cmath>

#include <gtest/gtest.h>

#include <sinew/core/error.hpp>

#include "support/every_integrator.hpp"

namespace sinew::integrators {
namespace {

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
  core::Counts counts;
  double energy = body.potential(state, *workspace);
  for (int k = 0; k < 20; ++k) {
    const StepReport report = method->step(body, *workspace, 0.02, state);
    ASSERT_EQ(report.status, StepStatus::accepted);
    regularised += report.regularised;
    counts += report.profile.counts;
  }
  EXPECT_GT(regularised, 0);
  // the size of the shift is not searched for in every iteration anew
  std::printf("%ld factorisations for %ld iterations, %d with a shift\n", counts.factorizations,
              counts.newton, regularised);
  EXPECT_LE(counts.factorizations, counts.newton + regularised);
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
