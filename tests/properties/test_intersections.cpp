// SPDX-License-Identifier: Apache-2.0
// Nothing passes through anything: an exact test of all triangles against each other, after every
// step, that shares no code with what it judges.
#include <gtest/gtest.h>

#include <support/contact_scenes.hpp>
#include <support/skin.hpp>

namespace sinew::test {
namespace {

const std::string crossing_bars = R"(
  "bodies": [{"name": "a", "mesh": {"generator": "bar", "size": [0.4, 0.04, 0.04], "cells": [10, 1, 1]},
              "transform": {"translate": [-0.2, -0.02, 0.002]}, "material": {"young": 3e4}},
             {"name": "b", "mesh": {"generator": "bar", "size": [0.4, 0.04, 0.04], "cells": [10, 1, 1]},
              "transform": {"rotate": {"degrees": 70}, "translate": [0.05, -0.2, 0.08]},
              "material": {"young": 3e4}, "velocity": [0, 0, -3]}],
  "loads": [{"type": "gravity"}],
  "obstacles": [{"type": "box", "size": [0.1, 0.1, 0.1], "transform": {"translate": [0, 0, -0.05]}},
                {"type": "plane", "point": [0, 0, -0.12]}],
  "contact": {"distance": 1e-3, "friction": {"coefficient": 0.3}}, "time": {"dt": 0.005, "end": 0.15})";

const std::string folding_cloth = R"(
  "bodies": [{"name": "cloth", "type": "springs", "mesh": {"generator": "cloth", "size": [0.6, 0.6], "cells": [12, 12]},
              "transform": {"translate": [-0.3, -0.25, 0.13]}, "mass": 1e-3, "stiffness": 100, "bending": 1e-5}],
  "loads": [{"type": "gravity"}],
  "obstacles": [{"type": "mesh", "mesh": {"generator": "sphere-surface", "radius": 0.1, "subdivisions": 3}},
                {"type": "plane", "point": [0, 0, -0.11]}],
  "contact": {"distance": 2e-3, "friction": {"coefficient": 0.2}}, "time": {"dt": 0.01, "end": 0.4})";

class Barrier : public testing::TestWithParam<std::string> {};

void expect_no_intersections(const std::string& parts, const std::string& method) {
  scene::CompiledScene scene = compile_text(parts, {{"integrator.name", method}});
  const Skin skin(scene);
  const auto workspace = scene.system().make_workspace();
  Index contacts = 0;
  bool is_free = true;
  const sim::RunSummary summary = run(scene, [&](const sim::FrameView& view) {
    is_free = is_free && is_free_of_intersections(skin, scene, view.state);
    contacts += scene.system().health().admissibility(view.state, *workspace).contacts;
  });
  EXPECT_TRUE(is_free);
  EXPECT_EQ(summary.reason, sim::StopReason::reached_end);
  EXPECT_GT(contacts, 100);
}

TEST_P(Barrier, LetsNoBodyThrough) {
  expect_no_intersections(crossing_bars, GetParam());
}

TEST_P(Barrier, LetsNoClothThrough) {
  expect_no_intersections(folding_cloth, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Methods, Barrier, testing::Values("be", "si", "siere"));

/// Whether every accepted state was free of intersections, and how the run ended.
std::pair<bool, sim::StopReason> watch(const std::string& parts, const std::string& method) {
  scene::CompiledScene scene = compile_text(parts, {{"integrator.name", method}});
  const Skin skin(scene);
  bool is_free = true;
  const sim::RunSummary summary = run(scene, [&](const sim::FrameView& view) {
    is_free = is_free && is_free_of_intersections(skin, scene, view.state);
  });
  return {is_free, summary.reason};
}

TEST(MovingBarrier, HoldsWhereModesArePrescribed) {
  const std::string ball = R"("bodies": [{"name": "a",
      "mesh": {"generator": "ball", "radius": 0.1, "cells": 1, "core_layers": 1, "shell_layers": 1},
      "material": {"young": 1e5, "poisson": 0.37}, "velocity": [0, 0, -2]}],
    "obstacles": [{"type": "box", "size": [0.6, 0.6, 0.05], "transform": {"translate": [0, 0, -0.17]}}],
    "contact": {"model": "barrier"}, "loads": [{}], "time": {"dt": 0.01, "end": 0.2})";
  for (const char* method : {"beere", "bdf2ere", "tr-bdf2ere", "siere", "sbdf2ere", "blend"})
    EXPECT_TRUE(watch(ball, method).first) << method;
}

std::string pushed_cloth(const std::string& height) {
  return R"json("bodies": [{"name": "c", "type": "springs", "mesh": {"generator": "cloth", "size": [0.4, 0.4], "cells": [8, 8]},
      "density": 0.5, "stiffness": 1e3, "transform": {"translate": [-0.2, -0.2, 0]}}],
    "obstacles": [{"type": "box", "size": [0.1, 0.1, 0.1], "transform": {"translate": [0.013, 0.007, -0.102]},
      "position": ["x", "y", "z + )json" +
         height +
         R"json("]}], "contact": {"model": "barrier"}, "time": {"dt": 0.01, "end": 0.1})json";
}

TEST(MovingBarrier, HoldsBeforeObstaclesThatChangeTheirSpeedWithinAStep) {
  for (const char* method : {"be", "si", "bdf2"}) {
    const auto [is_free, reason] = watch(pushed_cloth("min(t, 0.0555)"), method);
    EXPECT_TRUE(is_free) << method;
    EXPECT_EQ(reason, sim::StopReason::reached_end) << method;
    // what jumps through it cannot be followed, and is not
    const auto [stays_free, end] = watch(pushed_cloth("(t > 0.045 ? 0.2 : 0)"), method);
    EXPECT_TRUE(stays_free) << method;
    EXPECT_EQ(end, sim::StopReason::failed) << method;
  }
}

TEST(MovingBarrier, HoldsBeforeObstaclesThatTurn) {
  const std::string paddle = R"json("bodies": [{"name": "a",
      "mesh": {"generator": "ball", "radius": 0.08, "cells": 1, "core_layers": 1, "shell_layers": 1, "shell_thickness": 0.01},
      "material": {"young": 8e6, "poisson": 0.3}, "transform": {"translate": [-0.0148, 0.199, 0]}}],
    "obstacles": [{"type": "box", "size": [0.6, 0.02, 0.05], "transform": {"translate": [0, 0, -0.2]},
      "position": ["x*cos(24.32*t)-y*sin(24.32*t)", "x*sin(24.32*t)+y*cos(24.32*t)", "z+2.831*t"]}],
    "contact": {"model": "barrier"}, "time": {"dt": 0.00768, "end": 0.11})json";
  for (const char* method : {"be", "si", "bdf2"})
    EXPECT_TRUE(watch(paddle, method).first) << method;
}

TEST(Contact, GivesTheSameBitsOnAnyNumberOfThreads) {
  std::vector<dynamics::State> results;
  for (const char* threads : {"1", "3"}) {
    scene::CompiledScene scene = compile_text(
        crossing_bars, {{"threads", threads}, {"time.end", "0.08"}, {"integrator.name", "be"}});
    ASSERT_EQ(run(scene).reason, sim::StopReason::reached_end);
    results.push_back(scene.simulation->state());
  }
  EXPECT_TRUE(results[0] == results[1]);
}

TEST(Contact, ResumesWithTheSameBits) {
  for (const char* method : {"be", "si"}) {
    scene::CompiledScene whole = compile_text(crossing_bars, {{"integrator.name", method}});
    ASSERT_EQ(run(whole).reason, sim::StopReason::reached_end);
    scene::CompiledScene first =
        compile_text(crossing_bars, {{"integrator.name", method}, {"time.end", "0.06"}});
    ASSERT_EQ(run(first).reason, sim::StopReason::reached_end);
    scene::CompiledScene second = compile_text(crossing_bars, {{"integrator.name", method}});
    second.simulation->resume(first.simulation->checkpoint());
    ASSERT_EQ(run(second).reason, sim::StopReason::reached_end);
    EXPECT_TRUE(second.simulation->state() == whole.simulation->state()) << method;
  }
}

}  // namespace
}  // namespace sinew::test
