// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <sinew/dynamics/natural_modes.hpp>
#include <sinew/dynamics/rayleigh.hpp>

#include "support/bodies.hpp"
#include "support/part_of_system.hpp"
#include "support/reducers.hpp"
#include "support/toy_systems.hpp"

namespace sinew::dynamics {
namespace {

std::optional<Rayleigh> rayleigh_at(const DynamicalSystem& system, const State& state) {
  const auto workspace = system.make_workspace();
  const auto linearization = system.make_linearization();
  system.linearize(state, {}, *workspace, *linearization);
  return find_rayleigh(system.mass(), *linearization, la::serial_reducer());
}

TEST(FindRayleigh, FindsBothCoefficientsAtTheRestShape) {
  for (const bool consistent : {false, true}) {
    const physics::TermSystem body(physics::to_terms(test::bar_spec({.damping_mass = 0.7,
                                                                     .damping_stiffness = 3e-3,
                                                                     .consistent_mass = consistent,
                                                                     .clamped = true})));
    const auto found = rayleigh_at(body, body.rest_state());
    ASSERT_TRUE(found.has_value());
    EXPECT_NEAR(found->mass, 0.7, 1e-9);
    EXPECT_NEAR(found->stiffness, 3e-3, 1e-12);
  }
}

TEST(FindRayleigh, FindsMassProportionalDampingAtAnyShape) {
  const physics::TermSystem body(
      physics::to_terms(test::bar_spec({.damping_mass = 0.7, .clamped = true})));
  const auto found = rayleigh_at(body, test::deformed_state(body));
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->mass, 0.7, 1e-9);
  EXPECT_NEAR(found->stiffness, 0.0, 1e-12);
}

TEST(FindRayleigh, FindsNoneWhereTheStiffnessIsAnotherOne) {
  const physics::TermSystem body(
      physics::to_terms(test::bar_spec({.damping_stiffness = 3e-3, .clamped = true})));
  EXPECT_FALSE(rayleigh_at(body, test::deformed_state(body)).has_value());
}

TEST(FindRayleigh, IsZeroWithoutDamping) {
  const test::CubicChain chain;
  const auto found = rayleigh_at(chain, test::CubicChain::start());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->mass, 0.0);
  EXPECT_EQ(found->stiffness, 0.0);
}

TEST(Secant, ReachesFromRestToThePresentForce) {
  // exact for the chain, whose tangent is quadratic in the displacement
  const test::CubicChain chain;
  const auto workspace = chain.make_workspace();
  const auto linearization = chain.make_linearization();
  const State state = test::CubicChain::start();
  chain.linearize(state, {.stiffness = Stiffness::secant}, *workspace, *linearization);
  EXPECT_EQ(linearization->report.stiffness, Stiffness::secant);
  Vec Kq(state.q.size()), f(state.q.size());
  linearization->stiffness().apply(state.q, Kq);
  State still = state;
  still.v.setZero();
  chain.force(still, *workspace, f);
  EXPECT_LT((Kq + f).norm(), 1e-12 * f.norm());
}

TEST(Secant, OfAnElasticBodyIsCloseForModerateStrains) {
  const physics::TermSystem body(physics::to_terms(test::bar_spec({.clamped = true})));
  const auto workspace = body.make_workspace();
  const auto linearization = body.make_linearization();
  State state = test::deformed_state(body, 0.02, 0.0);
  body.linearize(state, {.stiffness = Stiffness::secant}, *workspace, *linearization);
  const Vec u = state.q - body.rest_state().q;
  Vec Ku(u.size()), f(u.size());
  linearization->stiffness().apply(u, Ku);
  body.force(state, *workspace, f);
  EXPECT_LT((Ku + f).norm(), 1e-6 * f.norm());
}

TEST(NaturalModes, AreThoseOfOneBodyWithATwin) {
  const physics::TermSystem body(physics::to_terms(
      test::bar_spec({.damping_mass = 0.7, .damping_stiffness = 3e-3, .clamped = true})));
  const test::TwinReducer twin;
  const auto find = [&](const DynamicalSystem& system, const la::Reducer& reducer) {
    return find_natural_modes(system, body.rest_state(), {.count = 6},
                              *la::solvers().front().make(reducer), reducer);
  };
  const NaturalModes alone = find(body, la::serial_reducer());
  const NaturalModes both = find(test::PartOfSystem(body, twin), twin);

  ASSERT_EQ(both.status, la::SolveStatus::ok);
  ASSERT_EQ(both.modes.size(), alone.modes.size());
  for (Index k = 0; k < alone.modes.size(); ++k) {
    const double lambda = alone.modes.lambda[k];
    EXPECT_NEAR(both.modes.lambda[k], lambda, 1e-9 * lambda);
    // u^T M u = 1 over both
    EXPECT_NEAR(both.modes.U.col(k).norm(), std::sqrt(0.5) * alone.modes.U.col(k).norm(),
                1e-6 * alone.modes.U.col(k).norm());
    EXPECT_NEAR(both.damping[k], 0.7 + 3e-3 * lambda, 1e-6 * both.damping[k]);
  }
}

TEST(FindRayleigh, AsksTheReducer) {
  const physics::TermSystem body(physics::to_terms(
      test::bar_spec({.damping_mass = 0.7, .damping_stiffness = 3e-3, .clamped = true})));
  const auto workspace = body.make_workspace();
  const auto linearization = body.make_linearization();
  body.linearize(body.rest_state(), {}, *workspace, *linearization);
  const test::CountingReducer counting;
  static_cast<void>(find_rayleigh(body.mass(), *linearization, counting));
  EXPECT_EQ(counting.sums(), 6);
  EXPECT_EQ(counting.maxima(), 3);
}

TEST(Secant, IsTheTangentWhereNoRestIsKnown) {
  const test::Pendulum pendulum(3.0);
  const auto workspace = pendulum.make_workspace();
  const auto linearization = pendulum.make_linearization();
  pendulum.linearize(test::Oscillator::displaced(0.5), {.stiffness = Stiffness::secant}, *workspace,
                     *linearization);
  EXPECT_EQ(linearization->report.stiffness, Stiffness::tangent);
}

}  // namespace
}  // namespace sinew::dynamics
