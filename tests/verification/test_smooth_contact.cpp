// SPDX-License-Identifier: Apache-2.0
// Contact of bodies by smooth surfaces: what it must keep, and friction of it.
#include <cmath>

#include <gtest/gtest.h>

#include <support/contact_scenes.hpp>

namespace sinew::test {
namespace {

using sim::StopReason;

/// Two soft balls that meet off their centres; contact takes some hundredths of a second.
scene::CompiledScene colliding_balls(const std::string& integrator, double dt,
                                     const std::string& friction,
                                     const std::vector<scene::Override>& more = {}) {
  return compile_text(
      fmt::format(
          R"("bodies": [
             {{"name": "a", "mesh": {{"generator": "ball", "radius": 0.1, "cells": 3, "core_layers": 1, "shell_thickness": 0}},
               "material": {{"young": 1e5}}, "velocity": [1, 0, 0]}},
             {{"name": "b", "mesh": {{"generator": "ball", "radius": 0.08, "cells": 2, "core_layers": 1, "shell_thickness": 0}},
               "transform": {{"rotate": {{"axis": [1, 2, 3], "degrees": 40}}, "translate": [0.2, 0.03, 0.02]}},
               "material": {{"young": 1e5}}, "velocity": [-0.5, 0.1, 0]}}],
             "contact": {{"model": "penalty", "surface": "smooth", "distance": 0.01, "stiffness": 2e3{}}},
             "integrator": {{"name": "{}"{}}},
             "time": {{"dt": {}, "end": 0.1}})",
          friction, integrator,
          integrator == "si" ? "" : R"(, "tolerance": 1e-11, "contact_tolerance": 1e-11)", dt),
      more);
}

struct Collision {
  sim::EnergyRecord first, last;
  long contacts = 0;
  double deepest = 0.0;
};

Collision collide(scene::CompiledScene& scene) {
  Collision result;
  bool is_first = true;
  const auto workspace = scene.system().make_workspace();
  const sim::RunSummary summary = run(scene, [&](const sim::FrameView& view) {
    result.last = view.ledger.record();
    if (std::exchange(is_first, false)) result.first = result.last;
    const auto health = scene.system().health().admissibility(view.state, *workspace);
    result.contacts += health.contacts;
    result.deepest = std::min(result.deepest, health.min_distance);
  });
  EXPECT_EQ(summary.reason, StopReason::reached_end);
  return result;
}

TEST(SmoothContact, KeepsMomentum) {
  for (const char* friction : {"", R"(, "friction": {"coefficient": 0.4})"}) {
    scene::CompiledScene scene = colliding_balls("be", 2e-3, friction);
    const Collision result = collide(scene);
    EXPECT_GT(result.contacts, 100);
    const auto &before = result.first.momentum, &after = result.last.momentum;
    EXPECT_LE((after.linear - before.linear).norm(), 1e-9 * before.linear.norm());
    // they were really thrown back
    EXPECT_LT(result.last.kinetic, 0.9 * result.first.kinetic);
  }
  // without friction, under a method that keeps it, the angular momentum too
  scene::CompiledScene scene = colliding_balls("implicit-midpoint", 2e-3, "");
  const Collision result = collide(scene);
  const auto &before = result.first.momentum, &after = result.last.momentum;
  EXPECT_LE((after.angular - before.angular).norm(), 1e-8 * before.angular.norm());
}

TEST(SmoothContact, LosesEnergyAtTheOrderOfTheMethod) {
  for (const auto& [method, order] : {std::pair("be", 1), std::pair("implicit-midpoint", 2)}) {
    std::vector<double> loss;
    for (const double dt : {1e-3, 5e-4}) {
      scene::CompiledScene scene = colliding_balls(method, dt, "");
      loss.push_back(std::abs(collide(scene).last.numerical_loss));
    }
    EXPECT_GT(loss[0] / loss[1], 0.7 * std::pow(2.0, order)) << method;
  }
}

TEST(SmoothContact, IsTheSameOnAnyNumberOfThreads) {
  std::vector<Vec> ends;
  for (const char* threads : {"1", "3"}) {
    scene::CompiledScene scene = colliding_balls(
        "si", 2e-3, R"(, "friction": {"coefficient": 0.4})", {{"threads", threads}});
    EXPECT_GT(collide(scene).contacts, 100);
    ends.push_back(scene.simulation->state().q);
  }
  EXPECT_EQ(ends[0], ends[1]);
}

TEST(SmoothContact, WhatSlidesIsHeldByCoulombsPart) {
  // a ball that flies past another one and touches it: at a hundred slip speeds and more
  const double coefficient = 0.3, height = 0.178;
  scene::CompiledScene scene =
      colliding_balls("be", 1e-3, R"(, "friction": {"coefficient": 0.3, "slip": 1e-3})",
                      {{"bodies.1.transform.translate", "[0.0, 0.0, 0.178]"}});
  int looked_at = 0;
  const Mat places = field_of(scene, "position", scene.simulation->state());
  const auto force_on_b = [&](const char* name, const dynamics::State& state) {
    const Mat f = field_of(scene, name, state);
    Vec3 sum = Vec3::Zero();
    for (Index k = 0; k < f.cols(); ++k)
      if ((places.col(k) - Vec3(0.0, 0.0, height)).norm() < 0.0801) sum += f.col(k);
    return sum;
  };
  static_cast<void>(run(scene, [&](const sim::FrameView& view) {
    if (view.state.t > 0.004) return;
    const Vec3 push = force_on_b("contact_force", view.state),
               pull = force_on_b("friction_force", view.state);
    if (!(push.norm() > 0.0)) return;
    ++looked_at;
    EXPECT_NEAR(pull.norm(), coefficient * push.norm(), 0.05 * coefficient * push.norm());
    // b flies to the left of a
    EXPECT_GT(pull[0], 0.9 * pull.norm());
  }));
  EXPECT_GT(looked_at, 2);
}

}  // namespace
}  // namespace sinew::test
