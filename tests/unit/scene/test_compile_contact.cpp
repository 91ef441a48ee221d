// SPDX-License-Identifier: Apache-2.0
// From "obstacles" and "contact" of a scene to what acts.
#include <gtest/gtest.h>

#include <sinew/mesh/io/mesh_format.hpp>
#include <sinew/mesh/surfaces.hpp>
#include <sinew/scene/format/scene_writer.hpp>

#include <support/contact_scenes.hpp>
#include <support/temp_dir.hpp>

namespace sinew::test {
namespace {

const std::string cube = R"(
  "bodies": [{"name": "cube", "mesh": {"generator": "bar", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]},
              "transform": {"translate": [-0.05, -0.05, 0.02]}, "material": {"young": 1e5}}],
  "loads": [{"type": "gravity"}], "integrator": {"name": "be"}, "time": {"dt": 0.005, "end": 0.3})";

std::string problems_of(const std::string& parts) {
  try {
    static_cast<void>(compile_text(parts));
  } catch (const InputError& error) {
    std::string text;
    for (const Problem& problem : error.problems())
      text += problem.where + ": " + problem.what + " (" + problem.hint + ")\n";
    return text;
  }
  return "";
}

double lowest(const scene::CompiledScene& scene) {
  double z = std::numeric_limits<double>::infinity();
  for (int v = 0; v < scene.system().num_vertices(); ++v)
    if (scene.system().dof_of_vertex(v) >= 0)
      z = std::min(z, scene.system().vertex_position(v, scene.simulation->state())[2]);
  return z;
}

/// Obstacles whose top is at z = 0.
const std::vector<std::string> floors{
    R"({"type": "plane"})",
    R"({"type": "sphere", "point": [0, 0, -2], "radius": 2})",
    R"({"type": "box", "size": [1, 1, 0.5], "transform": {"translate": [0, 0, -0.25]}})",
    R"({"type": "capsule", "radius": 0.2, "length": 2, "transform": {"rotate": {"axis": [0, 1, 0], "degrees": 90}, "translate": [0, 0, -0.2]}})",
    R"({"type": "cylinder", "radius": 0.5, "length": 0.4, "transform": {"translate": [0, 0, -0.2]}})",
    R"({"type": "mesh", "mesh": {"generator": "bar", "size": [1, 1, 0.2], "cells": [3, 3, 1]}, "transform": {"translate": [-0.5, -0.5, -0.2]}})",
    R"json({"type": "formula", "formula": "max(abs(x) - 0.4, max(abs(y) - 0.4, abs(z + 0.3) - 0.3))", "cells": 20})json"};

class EveryObstacle : public testing::TestWithParam<std::string> {};

TEST_P(EveryObstacle, HoldsWhatFallsOnIt) {
  for (const std::string& floor : floors) {
    scene::CompiledScene scene =
        compile_text(cube + R"(, "obstacles": [)" + floor + R"(], "contact": {"model": ")" +
                     GetParam() + R"(", "distance": 2e-3})");
    ASSERT_EQ(run(scene).reason, sim::StopReason::reached_end) << floor;
    // springs give way, steps go a little further than the surface, and a grid cuts corners
    const double depth = GetParam() == "barrier" ? 0.0 : 0.01;
    const double cut = floor.find("formula") != std::string::npos ? 0.02 : 0.0;
    EXPECT_GT(lowest(scene), -depth - cut) << floor;
    EXPECT_LT(lowest(scene), 0.015) << floor;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, EveryObstacle,
                         testing::Values("barrier", "penalty", "virtual-spring", "projection",
                                         "hold", "velocity"));

TEST(CompileContact, ObstaclesActWithoutAContactObject) {
  scene::CompiledScene scene = compile_text(cube + R"(, "obstacles": [{}])");
  ASSERT_EQ(run(scene).reason, sim::StopReason::reached_end);
  EXPECT_GT(lowest(scene), 0.0);
}

TEST(CompileContact, AMovingObstaclePushesAndItsWorkIsBooked) {
  scene::CompiledScene scene = compile_text(
      R"("bodies": [{"name": "cube", "mesh": {"generator": "bar", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]}, "material": {"young": 1e6}}],
         "obstacles": [{"type": "box", "size": [0.1, 1, 1], "transform": {"translate": [-0.06, 0, 0]}, "position": ["x + 0.5*t^2", "y", "z"]}],
         "integrator": {"name": "be", "contact_tolerance": 1e-8}, "time": {"dt": 0.002, "end": 0.4})");
  ASSERT_EQ(run(scene).reason, sim::StopReason::reached_end);
  const sim::EnergyRecord& record = scene.simulation->ledger().record();
  // a cube of 1 kg at about 0.4 m/s
  EXPECT_NEAR(record.momentum.linear[0], 0.4, 0.05);
  EXPECT_NEAR(record.external_work, record.kinetic, 0.3 * record.kinetic);
  EXPECT_GT(record.external_work, 0.05);
}

/// A box below z = 0 whose top rises from one file to the next: lift_1.obj, lift_2.obj,
/// lift_10.obj.
void write_lift(const TempDir& directory) {
  mesh::TetMesh box = mesh::make_box_surface({.size = {1.0, 1.0, 0.2}});
  for (const auto& [label, height] : {std::pair{"1", 0.0}, {"2", 0.02}, {"10", 0.05}}) {
    mesh::TetMesh lifted = box;
    for (Vec3& x : lifted.vertices) x[2] += x[2] > 0.0 ? height - 0.1 : -0.1;
    mesh::write_mesh(directory.path() / fmt::format("lift_{}.obj", label), lifted);
  }
}

std::string lift_scene(const TempDir& directory, const std::string& more) {
  return cube +
         fmt::format(
             R"(, "obstacles": [{{"name": "lift", "type": "mesh", "sequence": {{"files": "{}/lift_*.obj"{}}}}}])",
             directory.path().string(), more);
}

TEST(CompileContact, ASequenceOfMeshesLiftsWhatStandsOnIt) {
  const TempDir directory;
  write_lift(directory);
  scene::CompiledScene scene =
      compile_text(lift_scene(directory, R"(, "fps": 10, "start": 0.1)"), {{"time.end", "0.5"}});
  const auto top = [&](double t) {
    dynamics::State state = scene.simulation->state();
    state.t = t;
    double z = 0.0;
    for (int v = 27; v < scene.system().num_vertices(); ++v)
      z = std::max(z, scene.system().vertex_position(v, state)[2]);
    return z;
  };
  // it rests, goes straight from file to file in the order of their numbers, and rests again
  EXPECT_NEAR(top(0.05), 0.0, 1e-12);
  EXPECT_NEAR(top(0.15), 0.01, 1e-12);
  EXPECT_NEAR(top(0.2), 0.02, 1e-12);
  EXPECT_NEAR(top(0.28), 0.044, 1e-12);
  EXPECT_NEAR(top(0.4), 0.05, 1e-12);
  ASSERT_EQ(run(scene).reason, sim::StopReason::reached_end);
  EXPECT_GT(lowest(scene), 0.05);
  EXPECT_GT(scene.simulation->ledger().record().external_work, 0.0);
}

TEST(CompileContact, SequencesThatMakeNoSenseAreRefused) {
  const TempDir directory;
  EXPECT_NE(problems_of(lift_scene(directory, "")).find("there is no file"), std::string::npos);
  write_lift(directory);
  EXPECT_NE(
      problems_of(cube + R"(, "obstacles": [{"type": "mesh", "sequence": {"files": "a.obj"}}])")
          .find("one * is needed"),
      std::string::npos);
  mesh::write_mesh(directory.path() / "lift_3.obj", mesh::make_sphere_surface({}));
  EXPECT_NE(problems_of(lift_scene(directory, "")).find("the first of the sequence 8"),
            std::string::npos);
}

TEST(CompileContact, WhatOverlapsAtTheStartIsNamed) {
  const std::string parts =
      cube + R"(, "obstacles": [{"name": "wall", "type": "box", "size": [0.1, 1, 1]}])";
  const std::string text = problems_of(parts + R"(, "contact": {})");
  EXPECT_NE(text.find("/contact: 'cube' and 'wall' overlap at the start"), std::string::npos)
      << text;
  EXPECT_NE(text.find("of body 'cube'"), std::string::npos) << text;
  // surfaces that do not meet: a stone in a cube is an overlap, a cube in a box is in a box
  EXPECT_NE(
      problems_of(
          cube +
          R"(, "obstacles": [{"name": "stone", "type": "sphere", "radius": 0.01, "point": [0, 0, 0.07]}])")
          .find("'stone' and 'cube' overlap at the start"),
      std::string::npos);
  EXPECT_EQ(problems_of(cube + R"(, "obstacles": [{"type": "box"}])"), "");
  EXPECT_EQ(problems_of(parts + R"(, "contact": {"except": [{"bodies": ["cube", "wall"]}]})"), "");
  EXPECT_EQ(problems_of(parts + R"(, "contact": {"model": "penalty"})"), "");
}

TEST(CompileContact, SmoothSurfacesAreForWhatIsRound) {
  const std::string smooth = R"("contact": {"model": "penalty", "surface": "smooth"})";
  const auto problems = [&](const std::string& obstacle) {
    return problems_of(cube + R"(, "obstacles": [)" + obstacle + "], " + smooth);
  };
  const std::string below = R"("name": "below", "transform": {"translate": [0, 0, -2]})";
  EXPECT_NE(problems(R"({"type": "box", )" + below + "}")
                .find("/contact/surface: 'cube' has edges of 90 degrees"),
            std::string::npos);
  // with a plane there is nothing to do
  EXPECT_EQ(compile_text(cube + R"(, "obstacles": [{}], )" + smooth).warnings.size(), 1U);
  const std::string ball = R"("bodies": [{"mesh": {"generator": "ball"}}], )";
  EXPECT_EQ(
      compile_text(ball + R"("obstacles": [{"type": "mesh", "mesh": {"generator": "ball"}, )" +
                   below + "}], " + smooth)
          .warnings.size(),
      0U);
}

TEST(CompileContact, MistakesHaveAPlaceAndAHint) {
  const std::string floor = cube + R"(, "obstacles": [{"name": "floor"}], )";
  EXPECT_NE(
      problems_of(floor + R"("contact": {"friction": {"pairs": [{"bodies": ["cube", "flor"]}]}})")
          .find("/contact/friction/pairs/0/bodies/1: there is no body or obstacle 'flor'"),
      std::string::npos);
  EXPECT_NE(problems_of(floor + R"("contact": {"friction": {"coefficient": 0.5, "static": 0.3}})")
                .find("/contact/friction/static"),
            std::string::npos);
  EXPECT_NE(problems_of(floor + R"("contact": {"model": "hold", "friction": {}})")
                .find("hold has no normal forces"),
            std::string::npos);
  EXPECT_NE(problems_of(floor + R"("contact": {"model": "projection", "between": "all"})")
                .find("projection is for obstacles only"),
            std::string::npos);
  EXPECT_NE(problems_of(floor + R"("contact": {"surface": "smooth"})")
                .find("/contact/surface: barrier is for triangles"),
            std::string::npos);
  EXPECT_NE(
      problems_of(
          floor +
          R"("contact": {"model": "penalty", "surface": "smooth", "friction": {"loads": "coupled"}})")
          .find("/contact/surface: coupled friction is for triangles"),
      std::string::npos);
  EXPECT_NE(
      problems_of(cube + R"(, "obstacles": [{"normal": [0, 0, 0]}])").find("/obstacles/0/normal"),
      std::string::npos);
  EXPECT_NE(problems_of(cube + R"(, "obstacles": [{"type": "formula", "formula": "x + t"}])")
                .find("must not change with time"),
            std::string::npos);
  EXPECT_NE(problems_of(cube + R"(, "obstacles": [{"type": "formula", "formula": "z"}])")
                .find("/obstacles/0/within"),
            std::string::npos);
  EXPECT_NE(problems_of(cube + R"(, "obstacles": [{"name": "cube"}])")
                .find("/obstacles/0/name: there is a body or obstacle called 'cube' already"),
            std::string::npos);
  EXPECT_NE(
      problems_of(
          cube +
          R"(, "obstacles": [{"position": ["x", "y", "z + 0.1*t"]}], "contact": {"model": "hold"})")
          .find("the model hold is for obstacles at rest"),
      std::string::npos);
  EXPECT_NE(
      problems_of(
          cube +
          R"(, "obstacles": [{"type": "sphere", "point": [0, 0, -0.6], "position": ["2*x", "2*y", "2*z"]}])")
          .find("/obstacles/0/position: spheres and capsules keep their shape"),
      std::string::npos);
  const std::string coupled = R"("contact": {"friction": {"loads": "coupled"}})";
  EXPECT_EQ(problems_of(floor + coupled), "");
  std::string with_si = floor;
  with_si.replace(with_si.find("\"be\""), 4, "\"si\"");
  EXPECT_NE(problems_of(with_si + coupled).find("si solves once per step"), std::string::npos);
}

TEST(CompileContact, AWrittenSceneReadsAsItself) {
  const scene::SceneSpec spec = scene::parse_scene(
      "{\"sinew\": 1, " + cube + R"(, "obstacles": [{"type": "capsule"}, {"type": "formula"}],
        "contact": {"model": "penalty", "tangent": false, "friction": {"static": 0.5, "pairs": [{"bodies": ["cube", "capsule-0"]}]},
                    "except": [{"bodies": ["cube", "cube"]}]}})",
      "test");
  const std::string text = scene::to_json(spec);
  EXPECT_EQ(scene::to_json(scene::parse_scene(text, "again")), text);
}

}  // namespace
}  // namespace sinew::test
