// SPDX-License-Identifier: Apache-2.0
// blend: its weights, its limits, its cost.
#include <cmath>
#include <cstdio>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "dense_hybrid.hpp"

namespace sinew::integrators {
namespace {

using namespace hybrids;

/// The map of one blended step on (q, v) of an oscillator.
Eigen::Matrix2d blend_map(double omega, double h, double cutoff, double sharpness) {
  const dynamics::Oscillator oscillator(omega);
  Eigen::Matrix2d map;
  for (int column = 0; column < 2; ++column) {
    const auto method = make("blend", {{"cutoff", cutoff}, {"sharpness", sharpness}});
    const State end =
        one_step(*method, oscillator, dynamics::Oscillator::displaced(column == 0, column == 1), h);
    map(0, column) = end.q[0];
    map(1, column) = end.v[0];
  }
  return map;
}

TEST(Blend, NeverRaisesTheEnergyOfAnOscillator) {
  double largest = 0.0;
  for (const auto& [cutoff, sharpness] :
       {std::pair{4.0, 2.0}, {0.06, 2.0}, {10.0, 4.0}, {41.0, 8.0}, {1e4, 12.0}})
    for (double x = 1e-6; x < 1e8; x *= 1.7) {
      const double omega = std::sqrt(x);
      const Eigen::Matrix2d map = blend_map(omega, 1.0, cutoff, sharpness);
      const Eigen::DiagonalMatrix<double, 2> to(omega, 1.0), from(1.0 / omega, 1.0);
      const double norm = la::thin_svd(to * map * from).values[0];
      largest = std::max(largest, norm - 1.0);
    }
  std::printf("largest excess of the energy norm: %.1e\n", largest);
  EXPECT_LT(largest, 1e-12);
}

TEST(Blend, DampsAsItsWeightSays) {
  const auto damping = [](double theta, double cutoff, double sharpness) {
    const double rho = std::sqrt(std::abs(blend_map(theta, 1.0, cutoff, sharpness).determinant()));
    return -2.0 * std::log(rho) / theta;
  };
  EXPECT_NEAR(damping(1.0, 4.0, 2.0), 3.66e-2, 5e-4);
  EXPECT_NEAR(damping(1.0, 10.0, 4.0), 6.18e-5, 5e-7);
  EXPECT_NEAR(damping(10.0, 4.0, 2.0), 0.46, 0.01);
}

TEST(Blend, ItsLimitsAreEreAndSi) {
  const physics::TermSystem body(physics::to_terms(
      bar_spec({.cells = {3, 1, 1}, .young = 1e5, .damping_stiffness = 1e-3, .clamped = true})));
  const State start = deformed_state(body, 0.03, 0.5);
  const double h = 0.02;
  const State si = one_step(*make("si"), body, start, h);
  EXPECT_LT(difference(one_step(*make("blend", {{"cutoff", 0.0}}), body, start, h), si, start),
            1e-12);
  const physics::TermSystem plain(
      physics::to_terms(bar_spec({.cells = {3, 1, 1}, .young = 1e5, .clamped = true})));
  const State ere = one_step(*make("ere", {{"tolerance", 1e-13}}), plain, start, h);
  const auto everything = make("blend", {{"cutoff", 1e30}, {"tolerance", 1e-13}});
  EXPECT_LT(difference(one_step(*everything, plain, start, h), ere, start), 1e-10);
}

TEST(Blend, SeesLoadsThatChangeWithTimeInASmallSpace) {
  physics::BodiesSpec spec =
      bar_spec({.size = {4, 0.5, 0.5}, .cells = {16, 2, 2}, .young = 1e6, .clamped = true});
  physics::VertexLoad load;
  for (int v = 0; v < spec.bodies[0].mesh.num_vertices(); ++v)
    if (spec.bodies[0].mesh.vertices[v][0] > 3.9) load.vertices.push_back(v);
  load.factors.assign(load.vertices.size(), 1.0);
  load.value = std::make_shared<physics::VectorFormula>(physics::VectorFormula{
      core::Expression("0"), core::Expression("0"), core::Expression("1e5*t")});
  spec.forces.push_back(load);
  const physics::TermSystem body(physics::to_terms(spec));
  // along with motion that has nothing to do with it
  const State start = deformed_state(body, 1e-4, 0.05);
  StepReport report;
  const auto blend = make("blend", {{"cutoff", 1e4}});
  const State blended = one_step(*blend, body, start, 1e-3, &report);
  const State ere = one_step(*make("ere", {{"tolerance", 1e-12}}), body, start, 1e-3);
  std::printf("load in time: off by %.1e of the step with %d dimensions\n",
              difference(blended, ere, start), report.phi->dimension);
  EXPECT_LT(difference(blended, ere, start), 5e-3);
  EXPECT_LT(report.phi->dimension, 20);
}

TEST(Blend, NeedsNoMoreSolvesForStifferBodies) {
  for (const double sharpness : {2.0, 8.0}) {
    long last = sharpness == 2.0 ? 12 : 38;  // sharper functions need larger spaces
    for (const double young : {1e6, 1e8, 1e10}) {
      const physics::TermSystem body(physics::to_terms(
          bar_spec({.size = {4, 0.5, 0.5}, .cells = {16, 3, 3}, .young = young, .clamped = true})));
      State state = body.rest_state();
      std::mt19937 random(11);
      std::normal_distribution<double> normal;
      for (double& v : state.v) v = normal(random);
      StepReport report;
      one_step(*make("blend", {{"cutoff", 4.0}, {"sharpness", sharpness}}), body, state, 0.01,
               &report);
      std::printf("p = %g, E = %.0e: %ld solves\n", sharpness, young, report.profile.counts.solves);
      EXPECT_LE(report.profile.counts.solves, last);
      last = report.profile.counts.solves;
    }
  }
}

TEST(Blend, TiedToAModeItIsOfFirstOrderAndAtAFixedCutOffOfSecond) {
  const physics::TermSystem body(
      physics::to_terms(bar_spec({.cells = {4, 1, 1}, .young = 2e4, .clamped = true})));
  const State start = deformed_state(body, 0.03, 0.3);
  const auto run = [&](double cutoff, int steps) {
    const auto method = make("blend", {{"cutoff", cutoff}, {"tolerance", 1e-12}});
    State state = start;
    const auto workspace = body.make_workspace();
    for (int k = 0; k < steps; ++k) {
      EXPECT_EQ(method->step(body, *workspace, 0.1 / steps, state).status, StepStatus::accepted);
    }
    return state;
  };
  State exact = start;
  const auto rk4 = make_integrator("rk4");
  const auto workspace = body.make_workspace();
  for (int k = 0; k < 4000; ++k)
    ASSERT_EQ(rk4->step(body, *workspace, 0.1 / 4000, exact).status, StepStatus::accepted);
  const auto order = [&](const auto& cutoff_at, int steps) {
    const auto error = [&](int n) { return (run(cutoff_at(0.1 / n), n).q - exact.q).norm(); };
    return std::log2(error(steps) / error(2 * steps));
  };
  EXPECT_NEAR(order([](double) { return 4.0; }, 400), 2.0, 0.1);
  // x_c = h^2 lambda_3: the share that si has in a mode does not depend on h
  const double lambda = Dense(body, body.rest_state()).lambda[2];
  EXPECT_NEAR(order([&](double h) { return h * h * lambda; }, 400), 1.0, 0.1);
}

}  // namespace
}  // namespace sinew::integrators
