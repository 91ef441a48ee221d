// SPDX-License-Identifier: Apache-2.0
// Contact and friction against what is known: a block on an incline, impulses, losses in a bounce.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <support/contact_scenes.hpp>

namespace sinew::test {
namespace {

using sim::StopReason;

/// Mean velocity of all free vertices, weighted by mass.
Vec3 mean_velocity(const scene::CompiledScene& scene) {
  Vec Mv(scene.system().num_dofs());
  const dynamics::State& state = scene.simulation->state();
  scene.system().mass().apply(state.v, Mv);
  Vec3 momentum = Vec3::Zero();
  for (Index k = 0; k < Mv.size(); k += 3) momentum += Mv.segment<3>(k);
  return momentum / (scene.system().mass().diagonal_only()->sum() / 3.0);
}

/// A block on a plane; gravity is tilted instead of the plane.
scene::CompiledScene block_on_incline(double degrees, const std::string& integrator, double end) {
  const double angle = degrees * std::numbers::pi / 180.0;
  return compile_text(fmt::format(
      R"("bodies": [{{"name": "block", "mesh": {{"generator": "bar", "size": [0.2, 0.2, 0.1],
                     "cells": [4, 4, 2]}}, "transform": {{"translate": [0, 0, 4e-4]}},
                     "material": {{"young": 1e6}}, "damping": {{"stiffness": 0.002}}}}],
           "loads": [{{"type": "gravity", "value": [{}, 0, {}]}}],
           "obstacles": [{{"type": "plane"}}],
           "contact": {{"model": "barrier", "distance": 5e-4, "friction": {{"coefficient": 0.5}}}},
           "integrator": {{"name": "{}"}}, "time": {{"dt": 0.01, "end": {}}})",
      9.81 * std::sin(angle), -9.81 * std::cos(angle), integrator, end));
}

class OnAnIncline : public testing::TestWithParam<std::string> {};

TEST_P(OnAnIncline, ABlockSticksBelowTheAngleOfFriction) {
  // arctan 0.5 is 26.57 degrees
  scene::CompiledScene scene = block_on_incline(24.0, GetParam(), 1.0);
  ASSERT_EQ(run(scene).reason, StopReason::reached_end);
  // what sticks creeps at a part of the slip speed of 1 mm/s
  EXPECT_LT(mean_velocity(scene)[0], 1e-3);
  EXPECT_GT(mean_velocity(scene)[0], 0.0);
}

TEST_P(OnAnIncline, ABlockSlidesAboveItAsItShould) {
  std::vector<double> speed;
  for (const double end : {0.3, 0.8}) {
    scene::CompiledScene scene = block_on_incline(32.0, GetParam(), end);
    ASSERT_EQ(run(scene).reason, StopReason::reached_end);
    speed.push_back(mean_velocity(scene)[0]);
  }
  const double angle = 32.0 * std::numbers::pi / 180.0;
  const double expected = 9.81 * (std::sin(angle) - 0.5 * std::cos(angle));
  EXPECT_NEAR((speed[1] - speed[0]) / 0.5, expected, 0.02 * expected);
}

INSTANTIATE_TEST_SUITE_P(Methods, OnAnIncline, testing::Values("be", "si", "siere"));

const std::string falling_cube = R"(
  "bodies": [{"name": "cube", "mesh": {"generator": "bar", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]},
    "transform": {"rotate": {"axis": [1, 1, 0.3], "degrees": 25}, "translate": [0, 0, 0.11]},
    "material": {"young": 1e5}, "velocity": [0.3, 0, -1]}],
  "loads": [{"type": "gravity"}], "obstacles": [{"type": "plane"}])";

TEST(Impact, ImpulsesAreTheChangeOfMomentum) {
  scene::CompiledScene scene = compile_text(
      falling_cube + R"(, "contact": {"distance": 2e-3, "friction": {"coefficient": 0.3}},
        "integrator": {"name": "be", "tolerance": 1e-13, "contact_tolerance": 1e-13},
        "time": {"dt": 0.002, "end": 0.2})");
  const double mass = scene.system().mass().diagonal_only()->sum() / 3.0;
  Vec3 impulse = Vec3::Zero(), first = Vec3::Zero(), last = Vec3::Zero();
  double before = 0.0, most = 0.0;
  long contacts = 0;
  const sim::RunSummary summary = run(scene, [&](const sim::FrameView& view) {
    last = view.ledger.record().momentum.linear;
    if (view.state.t == 0.0) {
      first = last;
      return;
    }
    // of backward Euler: forces at the end of each step; friction is not among them, since it has
    // the loads of the beginning
    const Mat f = field_of(scene, "contact_force", view.state);
    Vec3 sum = Vec3::Zero();
    for (int v = 0; v < scene.system().num_vertices(); ++v)
      if (scene.system().dof_of_vertex(v) >= 0) sum += f.col(v);
    contacts += sum.norm() > 0.0 ? 1 : 0;
    impulse += (view.state.t - before) * (sum + mass * Vec3(0, 0, -9.81));
    most = std::max(most, impulse.norm());
    before = view.state.t;
  });
  ASSERT_EQ(summary.reason, StopReason::reached_end);
  EXPECT_GT(contacts, 5);
  EXPECT_NEAR((last - first)[2], impulse[2], 1e-9 * most);
}

TEST(Impact, OfTwoBodiesKeepsTheMomentumOfBoth) {
  scene::CompiledScene scene = compile_text(R"(
    "bodies": [{"name": "a", "mesh": {"generator": "bar", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]},
                "material": {"young": 1e5}, "velocity": [2, 0, 0]},
               {"name": "b", "mesh": {"generator": "bar", "size": [0.1, 0.1, 0.1], "cells": [3, 2, 2]},
                "transform": {"rotate": {"axis": [1, 2, 3], "degrees": 40}, "translate": [0.17, 0.03, 0.01]},
                "material": {"young": 3e5}, "velocity": [-1, 0.2, 0]}],
    "contact": {"distance": 2e-3, "friction": {"coefficient": 0.4}},
    "integrator": {"name": "be", "tolerance": 1e-13, "contact_tolerance": 1e-13},
    "time": {"dt": 0.002, "end": 0.1})");
  Vec3 first = Vec3::Zero(), last = Vec3::Zero();
  Index contacts = 0;
  bool is_first = true;
  const auto workspace = scene.system().make_workspace();
  const sim::RunSummary summary = run(scene, [&](const sim::FrameView& view) {
    last = view.ledger.record().momentum.linear;
    if (std::exchange(is_first, false)) first = last;
    contacts += scene.system().health().admissibility(view.state, *workspace).contacts;
  });
  ASSERT_EQ(summary.reason, StopReason::reached_end);
  EXPECT_GT(contacts, 20);
  EXPECT_LE((last - first).norm(), 1e-9 * first.norm());
}

TEST(Impact, AConveyorBeltDoesTheWorkThatItDoes) {
  // it slides until it has the speed of the belt: the belt pays for the motion and for the friction
  scene::CompiledScene scene = compile_text(R"(
    "bodies": [{"name": "b", "mesh": {"generator": "bar", "size": [0.2, 0.2, 0.1], "cells": [2, 2, 1]},
                "transform": {"translate": [0, 0, 0.001]}}],
    "obstacles": [{"type": "plane", "position": ["x + t", "y", "z"]}],
    "contact": {"distance": 0.001, "friction": {"coefficient": 0.5}}, "loads": [{}],
    "integrator": {"name": "be"}, "time": {"dt": 0.001, "end": 0.4})");
  ASSERT_EQ(run(scene).reason, StopReason::reached_end);
  const sim::EnergyRecord& record = scene.simulation->ledger().record();
  const double mass = 4.0;
  EXPECT_NEAR(mean_velocity(scene)[0], 1.0, 0.01);
  EXPECT_NEAR(record.external_work, mass, 0.02 * mass);
  EXPECT_NEAR(record.numerical_loss, 0.0, 0.02 * mass);
}

/// A block under a growing weight on a barrier that is far too soft for it.
scene::CompiledScene pressed_block(const char* adaptive) {
  return compile_text(fmt::format(
      R"("bodies": [{{"name": "block", "mesh": {{"generator": "bar", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]}},
            "transform": {{"translate": [0, 0, 0.01]}}, "material": {{"young": 1e6}}}}],
         "loads": [{{"type": "gravity", "value": [0, 0, "-9.81 - 1000*t"]}}], "obstacles": [{{"type": "plane"}}],
         "contact": {{"distance": 1e-2, "stiffness": 0.1, "adaptive": {}, "friction": {{"coefficient": 0.2}}}},
         "integrator": {{"name": "be", "tolerance": 1e-8, "contact_tolerance": 1e-8}},
         "time": {{"dt": 0.002, "end": 0.3}})",
      adaptive));
}

TEST(AdaptiveBarrier, KeepsAGapAndAnAccountOfIt) {
  const auto smallest_gap = [](scene::CompiledScene& scene) {
    const auto workspace = scene.system().make_workspace();
    double gap = 1.0;
    EXPECT_EQ(run(scene,
                  [&](const sim::FrameView& view) {
                    const auto health =
                        scene.system().health().admissibility(view.state, *workspace);
                    if (view.state.t > 0.25) gap = std::min(gap, health.min_distance);
                  })
                  .reason,
              StopReason::reached_end);
    return gap;
  };
  scene::CompiledScene plain = pressed_block("false"), adaptive = pressed_block("true");
  EXPECT_LT(smallest_gap(plain), 1e-5);
  EXPECT_GT(smallest_gap(adaptive), 1e-5);
  // what stiffening brought is in the books: without it, energy would come from nowhere
  const sim::EnergyLedger& ledger = adaptive.simulation->ledger();
  const auto& names = ledger.loss_names();
  const auto found = std::find(names.begin(), names.end(), "stiffening");
  ASSERT_NE(found, names.end());
  const double brought = -ledger.record().lost[static_cast<std::size_t>(found - names.begin())];
  EXPECT_GT(brought, 0.0);
  EXPECT_GT(ledger.record().numerical_loss, -1e-3 * ledger.record().external_work);
}

class InABounce : public testing::TestWithParam<std::pair<std::string, int>> {};

TEST_P(InABounce, TheLossFallsWithTheStepAtTheOrderOfTheMethod) {
  const auto& [method, order] = GetParam();
  // a body without vibrations of its own to speak of, and a contact that takes 20 ms
  std::vector<double> loss;
  for (const double dt : {4e-4, 2e-4, 1e-4}) {
    scene::CompiledScene scene = compile_text(fmt::format(
        R"("bodies": [{{"name": "cube", "mesh": {{"generator": "bar", "size": [0.1, 0.1, 0.1], "cells": [1, 1, 1]}},
              "transform": {{"translate": [0, 0, 0.02]}}, "material": {{"young": 1e7}}, "velocity": [0, 0, -1]}}],
           "obstacles": [{{"type": "plane"}}],
           "contact": {{"model": "penalty", "distance": 0.015, "stiffness": 2e4}},
           "integrator": {{"name": "{}", "tolerance": 1e-10, "contact_tolerance": 1e-10}},
           "time": {{"dt": {}, "end": 0.08}})",
        method, dt));
    ASSERT_EQ(run(scene).reason, StopReason::reached_end);
    EXPECT_GT(mean_velocity(scene)[2], 0.9);
    loss.push_back(std::abs(scene.simulation->ledger().record().numerical_loss));
  }
  const double ratio = std::pow(2.0, order);
  EXPECT_GT(loss[0] / loss[1], 0.7 * ratio);
  EXPECT_GT(loss[1] / loss[2], 0.7 * ratio);
}

INSTANTIATE_TEST_SUITE_P(Methods, InABounce,
                         testing::Values(std::pair{"be", 1}, std::pair{"implicit-midpoint", 2},
                                         std::pair{"tr-bdf2", 2}));

}  // namespace
}  // namespace sinew::test
