// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include <sinew/core/error.hpp>
#include <sinew/scene/format/builtin_scenes.hpp>
#include <sinew/scene/format/scene_reader.hpp>
#include <sinew/scene/format/scene_writer.hpp>

#include "support/temp_dir.hpp"

namespace sinew::scene {
namespace {

constexpr auto minimal = R"({ "sinew": 1, "bodies": [ {} ] })";

SceneSpec parse(std::string_view json, const std::vector<Override>& overrides = {}) {
  return parse_scene(json, "test", overrides);
}

/// The problems of a scene that must be refused.
std::vector<Problem> problems_of(std::string_view json,
                                 const std::vector<Override>& overrides = {}) {
  try {
    parse(json, overrides);
  } catch (const InputError& error) {
    return error.problems();
  }
  ADD_FAILURE() << "this was accepted: " << json;
  return {};
}

bool has_problem_at(const std::vector<Problem>& problems, std::string_view where) {
  return std::any_of(problems.begin(), problems.end(),
                     [&](const Problem& problem) { return problem.where == where; });
}

TEST(SceneReader, WhatIsNotGivenHasItsDefault) {
  const SceneSpec scene = parse(minimal);

  EXPECT_EQ(scene.name, "scene");
  ASSERT_EQ(scene.bodies.size(), 1u);
  EXPECT_EQ(scene.bodies[0].name, "body");
  EXPECT_EQ(scene.bodies[0].mesh.generator, "bar");
  EXPECT_EQ(scene.bodies[0].material.model, "stable-neo-hookean");
  EXPECT_EQ(scene.bodies[0].material.young, Formula(1e6));
  EXPECT_EQ(scene.bodies[0].mass, "lumped");
  EXPECT_EQ(scene.integrator.name, "si");
  EXPECT_EQ(scene.time.dt, 0.01);
  EXPECT_EQ(scene.output.fps, 60.0);
  EXPECT_EQ(scene.output.format, std::vector<std::string>{"vtu"});
  EXPECT_TRUE(scene.fixed.empty());
  EXPECT_FALSE(scene.integrator.solver.empty());
}

TEST(SceneReader, UpIsAnAxisOrADirection) {
  const auto up = [](const char* value) { return parse(minimal, {{"up", value}}).up; };
  EXPECT_FALSE(parse(minimal).up);
  EXPECT_EQ(up(R"("y")"), Vec3(0, 1, 0));
  EXPECT_EQ(up(R"("-z")"), Vec3(0, 0, -1));
  EXPECT_EQ(up("[0, 2, 0]"), Vec3(0, 2, 0));
  for (const char* wrong : {R"("upwards")", "[0, 0, 0]", "[0, 1]", "3", R"(["y", 0, 0])"})
    EXPECT_TRUE(has_problem_at(problems_of(minimal, {{"up", wrong}}), "/up")) << wrong;
}

TEST(SceneReader, WhatIsGivenIsTaken) {
  const SceneSpec scene = parse(R"({
    "sinew": 1, "name": "n", "description": "d", "threads": 3,
    "bodies": [ { "name": "b", "mesh": { "generator": "ball", "radius": 2, "cells": 7 },
                  "transform": { "scale": 3, "rotate": { "axis": [0, 2, 0], "degrees": 90 }, "translate": [1, 2, 3] },
                  "material": { "model": "stvk", "young": 5, "poisson": 0.1, "density": 6 },
                  "regions": [ { "select": { "region": 1 }, "material": { "young": 7 }, "damping": { "mass": 8 } } ],
                  "mass": "consistent", "damping": { "mass": 0.5, "stiffness": 0.25 },
                  "velocity": [1, "x", "2*y"], "initial": { "displacement": ["0", 0.5, "z"] } } ],
    "motion": [ { "body": "b", "select": { "vertices": [4, 2] }, "position": ["x", "y", "t"], "until": 0.75 } ],
    "loads": [ { "type": "gravity", "value": [1, 2, 3] } ],
    "integrator": { "name": "be", "tolerance": 1e-4, "max_newton": 9 },
    "time": { "dt": 0.5, "end": 6, "max_halvings": 2 },
    "output": { "fps": 7, "format": [], "probes": [ { "name": "p", "body": "b", "vertex": 3 } ] } })");

  const BodySpec& body = scene.bodies.at(0);
  EXPECT_EQ(body.mesh.parameters.at("radius"), std::vector<double>{2.0});
  EXPECT_EQ(body.mesh.parameters.at("cells"), std::vector<double>{7.0});
  EXPECT_EQ(body.transform.scale, 3.0);
  EXPECT_EQ(body.transform.axis, Vec3(0, 2, 0));
  EXPECT_EQ(body.transform.translate, Vec3(1, 2, 3));
  EXPECT_EQ(body.material.model, "stvk");
  EXPECT_EQ(body.regions.at(0).select.region, "1") << "a number may stand for a name";
  EXPECT_EQ(body.regions.at(0).young, Formula(7.0));
  EXPECT_FALSE(body.regions.at(0).density.has_value());
  EXPECT_EQ(body.regions.at(0).damping_mass, 8.0);
  EXPECT_EQ(body.velocity, (Formulas{"1", "x", "2*y"}));
  EXPECT_EQ(body.displacement, (Formulas{"0", "0.5", "z"}));
  EXPECT_EQ(scene.motion.at(0).until, 0.75);
  EXPECT_EQ(scene.motion.at(0).select.vertices, (std::vector<int>{4, 2}));
  EXPECT_EQ(scene.loads.at(0).value, (Formulas{"1", "2", "3"}));
  EXPECT_EQ(scene.integrator.options.number("tolerance"), 1e-4);
  EXPECT_EQ(scene.integrator.options.integer("max_newton"), 9);
  EXPECT_EQ(scene.time.max_halvings, 2);
  EXPECT_TRUE(scene.output.format.empty());
  EXPECT_EQ(scene.output.probes.at(0).vertex, 3);
  EXPECT_EQ(scene.threads, 3);
}

TEST(SceneReader, GravityIsThatOfTheEarthAndOtherLoadsAreNone) {
  const std::string loads =
      R"("loads": [ { "type": "gravity" }, { "type": "force" },
                    { "type": "force", "value": [0, 0, -9.81] } ])";
  const SceneSpec scene = parse(R"({ "sinew": 1, "bodies": [ {} ], )" + loads + " }");
  const SceneSpec again = parse(to_json(scene));

  for (const SceneSpec& read : {scene, again}) {
    EXPECT_EQ(read.loads.at(0).value, (Formulas{"0", "0", "-9.81"}));
    EXPECT_EQ(read.loads.at(1).value, (Formulas{"0", "0", "0"}));
    EXPECT_EQ(read.loads.at(2).value, (Formulas{"0", "0", "-9.81"}));
  }
}

TEST(SceneReader, CommentsAreAllowed) {
  const SceneSpec scene = parse("// a line\n{ \"sinew\": 1, /* a block */ \"bodies\": [ {} ] }");

  EXPECT_EQ(scene.bodies.size(), 1u);
}

TEST(SceneReader, AMeshMayBeAFileName) {
  const SceneSpec scene = parse(R"({ "sinew": 1, "bodies": [ { "mesh": "a.msh" },
                                         { "mesh": { "file": "b.msh", "repair": true } } ] })");

  EXPECT_EQ(scene.bodies[0].mesh.file, "a.msh");
  EXPECT_FALSE(scene.bodies[0].mesh.repair);
  EXPECT_EQ(scene.bodies[1].mesh.file, "b.msh");
  EXPECT_TRUE(scene.bodies[1].mesh.repair);
}

TEST(SceneReader, EveryProblemIsReportedWithItsPlace) {
  const std::vector<Problem> problems = problems_of(R"({
    "sinew": 1, "nme": "x", "bodies": [ {}, { "material": { "poisson": 0.7, "density": "heavy" } } ],
    "fixed": [ 5, { "select": { "plane": { "normal": [0, 0, 0] } } } ],
    "loads": [ { "value": [1, 2] } ], "output": { "fps": -1 } })");

  for (const char* place :
       {"/nme", "/bodies/1/material/poisson", "/bodies/1/material/density", "/fixed/0",
        "/fixed/1/select/plane/normal", "/loads/0/value", "/output/fps"})
    EXPECT_TRUE(has_problem_at(problems, place)) << place;
  EXPECT_EQ(problems.size(), 7u);
  for (const Problem& problem : problems) EXPECT_EQ(problem.file, "test");
}

TEST(SceneReader, EveryProblemHasARemedy) {
  const std::vector<Problem> problems = problems_of(R"({
    "bodies": [ { "name": 5, "type": "gas", "mesh": 3, "mass": "none", "velocity": ["(", 0, 0],
                  "regions": {}, "transform": [] } ],
    "integrator": { "name": "euler" }, "time": { "dt": -1, "max_halvings": -1 },
    "output": { "format": ["png"], "probes": [ 1 ] }, "threads": 1.5, "extra": 1 })");

  EXPECT_GE(problems.size(), 14u);
  for (const Problem& problem : problems) EXPECT_FALSE(problem.hint.empty()) << problem.to_string();
}

TEST(SceneReader, RepeatedKeysAreFoundAtAnyDepth) {
  EXPECT_FALSE(problems_of(R"({ "sinew": 1, "sinew": 1, "bodies": [ {} ] })").empty());
  EXPECT_FALSE(
      problems_of(R"({ "sinew": 1, "bodies": [ { "material": { "young": 1, "young": 2 } } ] })")
          .empty());
  // the same key in different objects is not repeated
  EXPECT_NO_THROW(parse(R"({ "sinew": 1, "bodies": [ { "name": "a" }, { "name": "b" } ] })"));
}

TEST(SceneReader, OverridesTakeDottedPathsAndPointersInOrder) {
  const SceneSpec scene = parse(minimal, {{"time.dt", "0.5"},
                                          {"/time/dt", "0.25"},
                                          {"bodies.0.name", "ball"},
                                          {"name", "two words"},
                                          {"bodies.0.mesh.cells", "[1, 2, 3]"},
                                          {"integrator.name", "be"},
                                          {"loads", "[]"},
                                          {"loads.0", R"({"value": [0, 0, 1]})"},
                                          {"loads.-", "{}"}});

  EXPECT_EQ(scene.time.dt, 0.25) << "the last one wins";
  EXPECT_EQ(scene.bodies[0].name, "ball") << "a plain word needs no quotes";
  EXPECT_EQ(scene.name, "two words");
  EXPECT_EQ(scene.bodies[0].mesh.parameters.at("cells"), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(scene.integrator.name, "be");
  EXPECT_EQ(scene.loads.size(), 2u) << "the next item of a list may be added";
}

TEST(SceneReader, OverridesThatLeadNowhereAreRefused) {
  const std::vector<std::string> paths{"sinew.x",  "bodies.x.name",          "bodies.7.name",
                                       "bodies.2", "bodies.1.name",          "bodies.-.name",
                                       "/a~b",     "bodies.99999999999.name"};
  for (const std::string& path : paths) {
    const std::vector<Problem> problems = problems_of(minimal, {{path, "1"}});

    ASSERT_EQ(problems.size(), 1u) << path;
    EXPECT_NE(problems[0].what.find("leads nowhere"), std::string::npos) << problems[0].to_string();
  }
}

TEST(SceneReader, OverridesAreCheckedLikeTheFile) {
  EXPECT_TRUE(has_problem_at(problems_of(minimal, {{"time.dtt", "1"}}), "/time/dtt"));
  EXPECT_TRUE(has_problem_at(problems_of(minimal, {{"time.dt", "soon"}}), "/time/dt"));
  EXPECT_TRUE(has_problem_at(problems_of(minimal, {{"sinew", "9"}}), "/sinew"));
}

TEST(SceneReader, FilesKnowWhereTheyLie) {
  const test::TempDir dir;
  const std::filesystem::path file = dir.write("scene.json", minimal);

  const SceneSpec scene = read_scene(file);

  EXPECT_EQ(scene.directory, dir.path().string());
  EXPECT_THROW(read_scene(dir.path() / "other.json"), InputError);
  EXPECT_THROW(read_scene(dir.path()), InputError) << "a folder is not a scene";
}

TEST(SceneReader, NamesComeBeforeFiles) {
  EXPECT_EQ(find_scene(std::string(default_scene)).name, default_scene);
  EXPECT_THROW(find_scene("no-such-scene"), InputError);
  EXPECT_THROW(find_scene("folder/no-such-scene.json"), InputError);
}

TEST(SceneReader, BuiltInScenesAreNamedAfterTheirFiles) {
  for (const BuiltinScene& scene : builtin_scenes()) {
    const SceneSpec spec = parse_scene(scene.json, scene.name);

    EXPECT_EQ(spec.name, scene.name);
    EXPECT_FALSE(spec.description.empty()) << scene.name;
    EXPECT_FALSE(scene.group.empty()) << scene.name;
  }
}

}  // namespace
}  // namespace sinew::scene
