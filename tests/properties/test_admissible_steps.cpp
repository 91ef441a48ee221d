// SPDX-License-Identifier: Apache-2.0
// Hooks of terms around steps, under every method: walls that cannot be passed, corrections after a
// step, vertices held for a step.
#include <gtest/gtest.h>

#include <sinew/integrators/registry.hpp>
#include <sinew/sim/simulation.hpp>

#include <support/bodies.hpp>
#include <support/terms/grip.hpp>
#include <support/terms/shelf.hpp>
#include <support/terms/wall.hpp>

namespace sinew::test {
namespace {

using integrators::StepStatus;
using physics::TermSystem;

constexpr double floor_height = -0.1;
constexpr int up = 2;

template <class MakeTerm>
physics::TermSystemSpec falling_bar(double gravity, MakeTerm make) {
  physics::BodiesSpec spec = bar_spec({.cells = {3, 1, 1}, .young = 2e4});
  spec.gravity = {0.0, 0.0, -gravity};
  spec.further_terms.push_back([make](const physics::TermSite& site) {
    std::vector<std::unique_ptr<physics::Term>> terms;
    terms.push_back(make(site));
    return terms;
  });
  return physics::to_terms(spec);
}

double lowest(const TermSystem& system, const dynamics::State& state) {
  double height = std::numeric_limits<double>::infinity();
  for (int v = 0; v < system.num_vertices(); ++v)
    height = std::min(height, system.vertex_position(v, state)[up]);
  return height;
}

dynamics::State thrown_down(const TermSystem& system, double speed) {
  dynamics::State state = system.rest_state();
  for (Index i = up; i < state.v.size(); i += 3) state.v[i] = -speed;
  return state;
}

class EveryMethod : public testing::TestWithParam<std::string> {};

TEST_P(EveryMethod, RefusesAStepThroughAWall) {
  const TermSystem system(falling_bar(0.0, [](const physics::TermSite&) {
    return std::make_unique<Wall>(up, floor_height, 0.0, 0.0);
  }));
  const auto workspace = system.make_workspace();
  const auto method = integrators::make_integrator(GetParam());
  dynamics::State state = thrown_down(system, 10.0);
  constexpr double dt = 1e-3;
  // fifty steps would be 0.5 m; the wall is 0.1 m away
  StepStatus status = StepStatus::accepted;
  dynamics::State last = state;
  for (int k = 0; k < 50 && status == StepStatus::accepted; ++k) {
    last = state;
    status = method->step(system, *workspace, dt, state).status;
    ASSERT_GT(lowest(system, state), floor_height);
  }
  ASSERT_NE(status, StepStatus::accepted);
  EXPECT_EQ(state, last);  // untouched, bit for bit
  EXPECT_LT(lowest(system, state), floor_height + 3.0 * 10.0 * dt);
}

TEST_P(EveryMethod, BouncesOffABarrierWithoutPassingIt) {
  const TermSystem probe(falling_bar(9.81, [](const physics::TermSite&) {
    return std::make_unique<Wall>(up, floor_height, 2e3, 0.05);
  }));
  auto system = std::make_unique<TermSystem>(falling_bar(9.81, [](const physics::TermSite&) {
    return std::make_unique<Wall>(up, floor_height, 2e3, 0.05);
  }));
  const dynamics::State start = thrown_down(*system, 1.0);
  sim::Simulation simulation(std::move(system), start, integrators::make_integrator(GetParam()),
                             {.dt = 1e-3, .end = 0.15, .max_halvings = 12, .fps = 0.0});
  struct Watch final : sim::Observer {
    double lowest_seen = 1.0;
    void on_step(const sim::FrameView& view, const sim::StepRecord&) override {
      lowest_seen =
          std::min(lowest_seen, lowest(dynamic_cast<const TermSystem&>(view.system), view.state));
    }
  } watch;
  simulation.add_observer(watch);
  const sim::RunSummary summary = simulation.run();
  EXPECT_GT(watch.lowest_seen, floor_height);
  EXPECT_LT(watch.lowest_seen, floor_height + 0.05);  // it was there
  EXPECT_EQ(summary.reason, sim::StopReason::reached_end)
      << integrators::to_string(summary.last_failure);
}

TEST_P(EveryMethod, PutsVerticesOnAShelfAndHoldsThemThere) {
  const TermSystem system(falling_bar(9.81, [](const physics::TermSite& site) {
    return std::make_unique<Shelf>(up, floor_height, site.numbering.num_vertices());
  }));
  const auto workspace = system.make_workspace();
  const auto method = integrators::make_integrator(GetParam());
  dynamics::State state = system.rest_state();
  dynamics::State landed;
  for (int k = 0; k < 250; ++k) {
    ASSERT_EQ(method->step(system, *workspace, 1e-3, state).status, StepStatus::accepted) << k;
    ASSERT_GE(lowest(system, state), floor_height);
    if (landed.q.size() == 0 && state.internal.maxCoeff() > 0.0) landed = state;
    if (landed.q.size() == 0) continue;
    for (int v = 0; v < system.num_vertices(); ++v) {
      const int internal = system.sum().numbering().internal(v);
      if (landed.internal[internal] == 0.0) continue;
      ASSERT_EQ(system.vertex_position(v, state), system.vertex_position(v, landed));
      ASSERT_EQ(system.vertex_velocity(v, state), Vec3::Zero());
    }
  }
  ASSERT_GT(landed.q.size(), 0);
  EXPECT_GT(landed.t, 0.1);  // sqrt(2 * 0.1 / 9.81) = 0.143 s of free fall
  EXPECT_LT(landed.t, 0.2);
}

TEST_P(EveryMethod, HoldsVerticesAsIfTheyWereFixed) {
  physics::BodiesSpec fixed = bar_spec({.cells = {3, 1, 1}, .young = 2e4, .damping_mass = 0.5});
  physics::BodiesSpec held = fixed;
  for (int v = 0; v < fixed.bodies[0].mesh.num_vertices(); ++v)
    if (fixed.bodies[0].mesh.vertices[v][0] == 0.0) fixed.fixed.push_back(v);
  held.further_terms.push_back([face = fixed.fixed](const physics::TermSite& site) {
    std::vector<int> internal;
    for (const int v : face) internal.push_back(site.numbering.internal(v));
    std::vector<std::unique_ptr<physics::Term>> terms;
    terms.push_back(std::make_unique<Grip>(internal));
    return terms;
  });
  const auto fly = [&](const physics::BodiesSpec& spec, const std::string& name) {
    const TermSystem system(physics::to_terms(spec));
    const auto workspace = system.make_workspace();
    const integrators::IntegratorEntry& entry = *integrators::find_integrator(name);
    integrators::Options options(entry.options);
    // what is held has no stiffness, and so it would be among the lowest modes
    if (options.values().contains("modes")) options.set("modes", 0L);
    const auto method =
        integrators::make_integrator(entry, options, integrators::default_services());
    dynamics::State state = thrown_down(system, 1.0);  // what is held as well
    for (int k = 0; k < 10; ++k)
      EXPECT_EQ(method->step(system, *workspace, 1e-3, state).status, StepStatus::accepted) << k;
    std::vector<Vec3> velocities;
    for (int v = 0; v < system.num_vertices(); ++v)
      velocities.push_back(system.vertex_velocity(v, state));
    return velocities;
  };
  const std::vector<Vec3> by_holding = fly(held, GetParam());
  // what is held cannot be taken apart: such a method is implicit as a whole then
  const bool is_whole = integrators::find_integrator(GetParam())->traits.takes_apart;
  const std::vector<Vec3> by_fixing = fly(fixed, is_whole ? "si" : GetParam());
  double difference = 0.0;
  for (std::size_t v = 0; v < by_fixing.size(); ++v)
    difference = std::max(difference, (by_fixing[v] - by_holding[v]).norm());
  EXPECT_LT(difference, 1e-5);  // of 1 m/s
}

std::string method_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Table, EveryMethod, testing::ValuesIn(integrators::integrator_names()),
                         method_name);

}  // namespace
}  // namespace sinew::test
