// SPDX-License-Identifier: Apache-2.0
// Friction that follows the normal forces of the configuration: its derivative against differences,
// and steps against the equation that they are to solve.
#include <random>

#include <gtest/gtest.h>

#include <support/contact_scenes.hpp>

namespace sinew::test {
namespace {

const std::string two_cubes = R"(
  "bodies": [{"name": "a", "mesh": {"generator": "bar", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]},
              "transform": {"translate": [0, 0, 0.002]}, "material": {"young": 1e5}, "velocity": [1, 0, -0.5]},
             {"name": "b", "mesh": {"generator": "bar", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]},
              "transform": {"rotate": {"axis": [1, 2, 3], "degrees": 35}, "translate": [0.03, 0.04, 0.165]},
              "material": {"young": 1e5}, "velocity": [-1, 0.3, -2]}],
  "loads": [{"type": "gravity"}], "obstacles": [{"type": "plane"}, {"type": "sphere", "radius": 0.1, "point": [0.21, 0.05, 0.07]}])";

std::string with_friction(const std::string& model, const std::string& loads) {
  return fmt::format(
      R"({}, "contact": {{"model": "{}", "distance": 4e-3, "friction": {{"coefficient": 0.5, "static": 0.7, "slip": 0.05, "loads": "{}"}}}},
         "integrator": {{"name": "be", "tolerance": 1e-12, "contact_tolerance": 1e-12}}, "time": {{"dt": 0.002, "end": 0.1}})",
      two_cubes, model, loads);
}

class CoupledFriction : public testing::TestWithParam<std::string> {};

TEST_P(CoupledFriction, HasTheDerivativeThatDifferencesHave) {
  scene::CompiledScene scene = compile_text(with_friction(GetParam(), "coupled"));
  const physics::TermSystem& system = scene.system();
  ASSERT_TRUE(system.traits().is_unsymmetric);
  const auto workspace = system.make_workspace();
  const auto linearization = system.make_linearization();
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  int compared = 0;
  Index contacts = 0;
  const sim::RunSummary summary = run(scene, [&](const sim::FrameView& view) {
    const Index now = system.health().admissibility(view.state, *workspace).contacts;
    if (now < 4 || view.step % 3 != 0) return;
    contacts += now;
    const Vec x = Vec::NullaryExpr(system.num_dofs(), [&] { return normal(random); });
    system.linearize(view.state, {}, *workspace, *linearization);
    Vec product(x.size());
    linearization->stiffness().apply(x, product);
    system.add_unsymmetric(view.state, x, *workspace, product);
    Vec damping(x.size());
    linearization->damping()->apply(x, damping);
    const auto force = [&](double step, double change_of_speed = 0.0) {
      dynamics::State at = view.state;
      at.q += step * x;
      at.v += change_of_speed * x;
      Vec f(x.size());
      system.force(at, *workspace, f);
      return f;
    };
    const Vec by_speed = (force(0.0, -1e-6) - force(0.0, 1e-6)) / 2e-6;
    EXPECT_LE((damping - by_speed).norm(), 1e-4 * by_speed.norm()) << view.state.t;
    // Richardson's, for gaps are small
    const auto slope = [&](double h) { return Vec((force(-h) - force(h)) / (2.0 * h)); };
    const double h = 2e-8;
    const Vec difference = (4.0 * slope(0.5 * h) - slope(h)) / 3.0;
    EXPECT_LE((product - difference).norm(), 1e-4 * difference.norm()) << view.state.t;
    ++compared;
  });
  EXPECT_EQ(summary.reason, sim::StopReason::reached_end);
  EXPECT_GT(compared, 5);
  EXPECT_GT(contacts, 40);
}

/// Largest |M (v1 - v0) - h f(q1, v1)| over steps in contact, relative to |h f|.
double largest_residual(const std::string& model, const std::string& loads) {
  scene::CompiledScene scene = compile_text(with_friction(model, loads));
  // forces are those of the end of a step, not those that a step had
  const scene::CompiledScene judge = compile_text(with_friction(model, "coupled"));
  const auto workspace = judge.system().make_workspace();
  dynamics::State before;
  double largest = 0.0;
  Index contacts = 0;
  const sim::RunSummary summary = run(scene, [&](const sim::FrameView& view) {
    if (before.q.size() > 0) {
      Vec f(view.state.v.size()), Mdv(f.size());
      judge.system().force(view.state, *workspace, f);
      judge.system().mass().apply(Vec(view.state.v - before.v), Mdv);
      const double h = view.state.t - before.t;
      largest = std::max(largest, (Mdv - h * f).norm() / (h * f).norm());
      contacts += judge.system().health().admissibility(view.state, *workspace).contacts;
    }
    before = view.state;
    before.internal = judge.simulation->state().internal;
  });
  EXPECT_EQ(summary.reason, sim::StopReason::reached_end);
  EXPECT_GT(contacts, 50);
  return largest;
}

TEST_P(CoupledFriction, StepsSolveTheirEquation) {
  EXPECT_LE(largest_residual(GetParam(), "coupled"), 1e-7);
  // which lagged ones do not
  EXPECT_GE(largest_residual(GetParam(), "lagged"), 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Models, CoupledFriction, testing::Values("barrier", "penalty"));

TEST(CoupledFriction, IsWhatLaggedFrictionTendsTo) {
  // a sliding block that is pressed down more and more: what lags is one step behind
  const auto speed = [](const std::string& loads, double dt) {
    scene::CompiledScene scene = compile_text(fmt::format(
        R"("bodies": [{{"name": "block", "mesh": {{"generator": "bar", "size": [0.2, 0.2, 0.1], "cells": [2, 2, 1]}},
              "transform": {{"translate": [0, 0, 4e-3]}}, "material": {{"young": 1e6}}, "damping": {{"stiffness": 0.01}}, "velocity": [3, 0, 0]}}],
           "loads": [{{"type": "gravity", "value": [0, 0, -9.81]}}, {{"type": "force", "select": {{}}, "value": [0, 0, "-2000*t"]}}],
           "obstacles": [{{"type": "plane"}}],
           "contact": {{"model": "penalty", "distance": 5e-3, "stiffness": 1e4, "friction": {{"coefficient": 0.3, "slip": 0.01, "loads": "{}"}}}},
           "integrator": {{"name": "be", "tolerance": 1e-10, "contact_tolerance": 1e-10}}, "time": {{"dt": {}, "end": 0.2}})",
        loads, dt));
    EXPECT_EQ(run(scene).reason, sim::StopReason::reached_end);
    return scene.simulation->state().v[0];
  };
  std::vector<double> difference;
  for (const double dt : {0.004, 0.002, 0.001})
    difference.push_back(std::abs(speed("lagged", dt) - speed("coupled", dt)));
  EXPECT_GT(difference[0], 1e-3);
  for (std::size_t k = 1; k < 3; ++k) EXPECT_NEAR(difference[k - 1] / difference[k], 2.0, 0.5) << k;
}

}  // namespace
}  // namespace sinew::test
