// SPDX-License-Identifier: Apache-2.0
// Pairs that come and go beside elements that stay.
#include <gtest/gtest.h>

#include <sinew/integrators/registry.hpp>
#include <sinew/la/solvers/lagged_solver.hpp>
#include <sinew/la/solvers/linear_solver.hpp>
#include <sinew/sim/simulation.hpp>

#include <support/bodies.hpp>
#include <support/terms/lennard_jones.hpp>

namespace sinew::test {
namespace {

using physics::TermSystem;

/// Two bars with pairs between all vertices that are near each other.
physics::BodiesSpec two_bars(double gap) {
  physics::BodiesSpec spec = bar_spec({.cells = {3, 1, 1}});
  spec.bodies.push_back(spec.bodies[0]);
  for (Vec3& x : spec.bodies[1].mesh.vertices) x[2] += 0.2 + gap;
  spec.further_terms.push_back([](const physics::TermSite&) {
    std::vector<std::unique_ptr<physics::Term>> terms;
    terms.push_back(std::make_unique<LennardJones>(0.5, 0.12, 0.18));
    return terms;
  });
  return spec;
}

/// The second bar moved by this much.
dynamics::State shifted(const TermSystem& system, double down) {
  dynamics::State state = system.rest_state();
  for (int v = system.num_vertices() / 2; v < system.num_vertices(); ++v)
    state.q[system.dof_of_vertex(v) + 2] -= down;
  return state;
}

const la::SymmetricMatrix& stiffness(const dynamics::Linearization& linearization) {
  return *linearization.stiffness().assembled();
}

TEST(Overlay, TheMergedMatrixIsTheSumOfElementsAndPairs) {
  const TermSystem system(physics::to_terms(two_bars(0.2)));
  const auto workspace = system.make_workspace();
  const auto linearization = system.make_linearization();
  const dynamics::State near = shifted(system, 0.1);
  system.linearize(near, {}, *workspace, *linearization);
  const Mat K = -numerical_jacobian(
      [&](const Vec& q) {
        dynamics::State at = near;
        at.q = q;
        Vec f(q.size());
        system.force(at, *workspace, f);
        return f;
      },
      near.q);
  EXPECT_LE((stiffness(*linearization).to_dense() - K).norm(), 1e-6 * K.norm());
  EXPECT_GT(stiffness(*linearization).pattern().num_entries(),
            system.sum().base_pattern()->num_entries());
}

TEST(Overlay, SolversAnalyseAgainOnlyWhenPairsChange) {
  const TermSystem system(physics::to_terms(two_bars(0.2)));
  const auto workspace = system.make_workspace();
  const auto linearization = system.make_linearization();
  const auto solver = la::solvers().front().make(la::serial_reducer());
  const auto analysed = [&](double down) {
    system.linearize(shifted(system, down), {}, *workspace, *linearization);
    const la::FactorReport report = solver->factorize(linearization->combine(1e6, 0.0, 1.0));
    EXPECT_EQ(report.status, la::SolveStatus::ok);
    return report.analysed;
  };
  EXPECT_TRUE(analysed(0.0));      // the base
  EXPECT_FALSE(analysed(1e-4));    // no pair yet
  EXPECT_TRUE(analysed(0.1));      // pairs appear
  EXPECT_FALSE(analysed(0.1001));  // the same ones
  EXPECT_TRUE(analysed(0.0));      // gone
  EXPECT_EQ(&stiffness(*linearization).pattern(), system.sum().base_pattern().get());
}

TEST(Overlay, ANewWorkspaceLeadsToTheSameBits) {
  const TermSystem system(physics::to_terms(two_bars(0.15)));
  dynamics::State one = system.rest_state();
  for (int v = system.num_vertices() / 2; v < system.num_vertices(); ++v)
    one.v[system.dof_of_vertex(v) + 2] = -1.0;
  dynamics::State other = one;
  const auto kept = system.make_workspace();
  const auto method = integrators::make_integrator("si"),
             again = integrators::make_integrator("si");
  int analyses_worth = 0;
  for (int k = 0; k < 30; ++k) {
    const auto fresh = system.make_workspace();
    ASSERT_EQ(method->step(system, *kept, 0.005, one).status, integrators::StepStatus::accepted);
    ASSERT_EQ(again->step(system, *fresh, 0.005, other).status, integrators::StepStatus::accepted);
    ASSERT_EQ(one, other) << k;
    const auto linearization = system.make_linearization();
    system.linearize(one, {}, *kept, *linearization);
    if (&stiffness(*linearization).pattern() != system.sum().base_pattern().get()) ++analyses_worth;
  }
  EXPECT_GT(analyses_worth, 3);  // the bars did meet
}

TEST(Overlay, WhatFallsIntoAWellHasNotGoneMad) {
  // almost no energy at the start, and half a joule per pair below
  auto system = std::make_unique<TermSystem>(physics::to_terms(two_bars(0.17)));
  const dynamics::State start = system->rest_state();
  sim::Simulation simulation(std::move(system), start, integrators::make_integrator("verlet"),
                             {.dt = 5e-4, .end = 4.0, .fps = 0.0});
  struct Watch final : sim::Observer {
    double fastest = 0.0;
    void on_step(const sim::FrameView& view, const sim::StepRecord&) override {
      fastest = std::max(fastest, view.state.v.lpNorm<Eigen::Infinity>());
    }
  } watch;
  simulation.add_observer(watch);
  const sim::RunSummary summary = simulation.run();
  EXPECT_EQ(summary.reason, sim::StopReason::reached_end);
  EXPECT_GT(watch.fastest, 0.05);  // they did meet
}

TEST(Overlay, LaggedFactorsSurviveAChangeOfPairs) {
  const TermSystem system(physics::to_terms(two_bars(0.15)));
  const auto workspace = system.make_workspace();
  const auto linearization = system.make_linearization();
  integrators::Services services = integrators::default_services();
  const auto run = [&](const integrators::Services& by) {
    dynamics::State state = system.rest_state();
    for (int v = system.num_vertices() / 2; v < system.num_vertices(); ++v)
      state.v[system.dof_of_vertex(v) + 2] = -1.0;
    const auto method = integrators::make_integrator("si", by);
    for (int k = 0; k < 30; ++k)
      EXPECT_EQ(method->step(system, *workspace, 0.005, state).status,
                integrators::StepStatus::accepted);
    return state;
  };
  const dynamics::State exact = run(services);
  services.make_linear_solver = [](const la::Reducer& reducer) {
    return la::make_lagged_solver(la::solvers().front(), reducer, {});
  };
  const dynamics::State lagged = run(services);
  EXPECT_LE((lagged.q - exact.q).norm(), 1e-4 * (exact.q - system.rest_state().q).norm());
}

}  // namespace
}  // namespace sinew::test
