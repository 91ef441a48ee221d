// SPDX-License-Identifier: Apache-2.0
// What programs put into scenes beside text: functions in place of formulas, meshes that they have
// already, forces that they set between steps.
#include <gtest/gtest.h>

#include <sinew/core/error.hpp>
#include <sinew/physics/terms/applied_forces.hpp>
#include <sinew/scene/compile/compile.hpp>
#include <sinew/scene/format/scene_reader.hpp>
#include <sinew/scene/format/scene_writer.hpp>

namespace sinew::scene {
namespace {

/// A bar that is held at one end, with `keys` beside its bodies.
std::string held_bar(const std::string& body_keys, const std::string& keys) {
  return R"({ "sinew": 1, "threads": 1, "bodies": [ {
    "mesh": { "size": [1, 0.25, 0.25], "cells": [4, 1, 1] }, "material": { "young": 1e5 })" +
         body_keys + R"( } ],
    "fixed": [ { "select": { "plane": { "normal": [1, 0, 0] } } } ],
    "integrator": { "name": "be" }, "time": { "dt": 0.01, "end": 0.1 }, "output": { "fps": 0 } )" +
         keys + " }";
}

/// (y, 0, 100 x t): how often it was asked, and for how many places.
core::PlaceFunction push(std::vector<std::size_t>* calls = nullptr) {
  return {.name = "push",
          .components = 3,
          .evaluate = [calls](std::span<const Vec3> x, double t, std::span<double> values) {
            if (calls) calls->push_back(x.size());
            for (std::size_t p = 0; p < x.size(); ++p) {
              values[3 * p] = x[p][1];
              values[3 * p + 1] = 0.0;
              values[3 * p + 2] = 100.0 * x[p][0] * t;
            }
          }};
}

dynamics::State state_after_run(const std::string& text, const Catalog& catalog) {
  CompiledScene compiled = compile(parse_scene(text, "test", {}, catalog), catalog);
  EXPECT_EQ(compiled.simulation->run().reason, sim::StopReason::reached_end);
  return compiled.simulation->state();
}

std::string error_of(const std::string& text, const Catalog& catalog) {
  try {
    compile(parse_scene(text, "test", {}, catalog), catalog);
  } catch (const InputError& error) {
    return error.what();
  }
  return "compiled";
}

// the numbers of a formula and of a function that computes the same are the same bits

TEST(Functions, OfLoadsAreWhatFormulasAre) {
  std::vector<std::size_t> calls;
  Catalog catalog;
  catalog.add(push(&calls));
  const auto load = [](const std::string& value) {
    return held_bar(
        "", R"(, "loads": [ { "type": "force", "body": "body", "value": )" + value + " } ]");
  };

  const auto given = state_after_run(load(R"(["push.x", "push.y", "push.z"])"), catalog);
  const auto written = state_after_run(load(R"(["y", "0", "100*x*t"])"), catalog);

  EXPECT_EQ(given, written);
  EXPECT_NE(given.q, Vec::Zero(given.q.size()));
  // all three components of all 20 vertices at once
  ASSERT_FALSE(calls.empty());
  EXPECT_EQ(std::count(calls.begin(), calls.end(), std::size_t{20}), std::ssize(calls));
  // at the start and at the end of every step, looked at again for its energy
  EXPECT_LE(calls.size(), 40u);
}

TEST(Functions, OfMotionsPressuresAndMaterialsAreWhatFormulasAre) {
  Catalog catalog;
  catalog.add(core::PlaceFunction{
      .name = "turn",
      .components = 3,
      .evaluate = [](std::span<const Vec3> x, double t, std::span<double> values) {
        for (std::size_t p = 0; p < x.size(); ++p) {
          values[3 * p] = x[p][0];
          values[3 * p + 1] = x[p][1] + x[p][2] * t;
          values[3 * p + 2] = x[p][2] - x[p][1] * t;
        }
      }});
  catalog.add(core::PlaceFunction{
      .name = "stiff",
      .depends_on_time = false,
      .evaluate = [](std::span<const Vec3> x, double, std::span<double> values) {
        for (std::size_t p = 0; p < x.size(); ++p) values[p] = 1e5 + 1e4 * x[p][0];
      }});
  catalog.add(
      {.name = "blow", .evaluate = [](std::span<const Vec3> x, double t, std::span<double> values) {
         for (std::size_t p = 0; p < x.size(); ++p) values[p] = 1e3 * x[p][0] * t;
       }});
  const auto text = [](const std::string& position, const std::string& young,
                       const std::string& pressure) {
    return held_bar(
        R"(, "regions": [ { "select": {}, "material": { "young": ")" + young + "\" } } ]",
        R"(, "motion": [ { "select": { "plane": { "point": [1, 0, 0], "normal": [1, 0, 0] } },
                    "position": )" +
            position + R"( } ], "loads": [ { "type": "pressure", "body": "body", "pressure": ")" +
            pressure + "\" } ]");
  };

  EXPECT_EQ(
      state_after_run(text(R"(["turn.x", "turn.y", "turn.z"])", "stiff", "blow"), catalog),
      state_after_run(text(R"(["x", "y + z*t", "z - y*t"])", "1e5 + 1e4*x", "1e3*x*t"), catalog));
}

TEST(Functions, KeepTheirNamesInTheSceneAndAreUnknownElsewhere) {
  Catalog catalog;
  catalog.add(push());
  const std::string text = held_bar(R"(, "velocity": ["push.x", "0", "push.z"])", "");
  const SceneSpec scene = parse_scene(text, "test", {}, catalog);
  EXPECT_EQ(parse_scene(to_json(scene, catalog), "again", {}, catalog).bodies[0].velocity,
            scene.bodies[0].velocity);
  EXPECT_NE(error_of(text, builtin_catalog()).find("'push.x' is not a formula"), std::string::npos);
  const std::string bare = error_of(held_bar(R"(, "velocity": ["push", "0", "0"])", ""), catalog);
  EXPECT_NE(bare.find("/bodies/0/velocity/0"), std::string::npos) << bare;
  EXPECT_NE(bare.find("push.x, push.y or push.z"), std::string::npos) << bare;
}

TEST(Functions, AreNamedWhereTheyHaveNoFiniteValue) {
  Catalog catalog;
  catalog.add(
      core::PlaceFunction{.name = "pole", .evaluate = [](auto x, double, std::span<double> values) {
                            for (std::size_t p = 0; p < x.size(); ++p)
                              values[p] = 1.0 / (x[p][0] - 1.0);
                          }});
  const std::string error = error_of(held_bar(R"(, "velocity": ["pole", "0", "0"])", ""), catalog);
  EXPECT_NE(error.find("/bodies/0/velocity/0: the formula 'pole' is inf at [1, "),
            std::string::npos)
      << error;
}

TEST(Functions, NeedNamesThatAreNoFormulas) {
  const auto evaluate = [](auto...) {};
  const auto refuses = [&](const std::string& name, int components) {
    Catalog catalog;
    EXPECT_THROW(catalog.add(core::PlaceFunction{
                     .name = name, .components = components, .evaluate = evaluate}),
                 InputError)
        << name;
  };
  for (const char* name : {"", "x", "t", "pi", "12", "1e5", "a.b", "a b", "a+b"}) refuses(name, 1);
  refuses("fine", 2);
  Catalog catalog;
  catalog.add(push());
  EXPECT_THROW(catalog.add(push()), InputError);
  EXPECT_THROW(catalog.add(core::PlaceFunction{.name = "nothing"}), InputError);
}

TEST(GivenMesh, IsAGeneratorWithoutParameters) {
  mesh::BarSettings settings{.size = {1, 0.25, 0.25}, .cells = {4, 1, 1}};
  Catalog catalog;
  catalog.add(mesh::given_mesh("mine", mesh::make_bar(settings)));
  std::string text = held_bar("", R"(, "loads": [ { "type": "gravity" } ])");
  const auto generated = state_after_run(text, catalog);
  const std::string mesh = R"("size": [1, 0.25, 0.25], "cells": [4, 1, 1])";
  text.replace(text.find(mesh), mesh.size(), R"("generator": "mine")");

  EXPECT_EQ(state_after_run(text, catalog), generated);
  EXPECT_NE(error_of(text, builtin_catalog()).find("'mine' is not known here"), std::string::npos);
}

TEST(GivenMesh, IsValidated) {
  mesh::TetMesh flat = mesh::make_bar({.size = {1, 1, 1}, .cells = {1, 1, 1}});
  for (Vec3& x : flat.vertices) x[2] = 0.0;
  EXPECT_THROW(mesh::given_mesh("flat", flat), InputError);
}

TEST(AppliedForces, ActFromWhenTheyAreSetAndAreInTheBalance) {
  physics::AppliedForces forces;
  CompiledScene compiled =
      compile(parse_scene(held_bar("", ""), "test"), builtin_catalog(), {}, {forces.term()});
  sim::Simulation& simulation = *compiled.simulation;
  const physics::TermSystem& system = compiled.system();
  EXPECT_FALSE(system.traits().keeps_force);
  ASSERT_TRUE(simulation.step());
  EXPECT_EQ(simulation.state().q, system.rest_state().q);  // nothing acts

  std::vector<Vec3> push(static_cast<std::size_t>(system.num_vertices()), Vec3::Zero());
  int pushed = 0;
  while (system.dof_of_vertex(pushed) < 0) ++pushed;
  push[static_cast<std::size_t>(pushed)] = {1.0, 2.0, -3.0};
  const Vec rest_force = [&] {
    Vec f(system.num_dofs());
    system.force(simulation.state(), simulation.workspace(), f);
    return f;
  }();
  forces.set(push);
  simulation.refresh_books();
  Vec f(system.num_dofs());
  system.force(simulation.state(), simulation.workspace(), f);
  Vec expected = rest_force;
  expected.segment<3>(system.dof_of_vertex(pushed)) += push[static_cast<std::size_t>(pushed)];
  EXPECT_EQ(f, expected);

  // when the force turns around while the body moves, both of its powers count, each on its side
  double work = 0.0;
  for (int k = 0; k < 10; ++k) {
    for (Vec3& force : push) force = -force;
    forces.set(push);
    simulation.refresh_books();
    const Vec before = simulation.state().v;
    ASSERT_TRUE(simulation.step());
    const Vec mean = 0.5 * (before + simulation.state().v);
    work +=
        0.01 *
        mean.segment<3>(system.dof_of_vertex(pushed)).dot(push[static_cast<std::size_t>(pushed)]);
  }
  EXPECT_NEAR(simulation.ledger().record().external_work, work, 1e-12 * std::abs(work));
  EXPECT_NE(work, 0.0);
}

}  // namespace
}  // namespace sinew::scene
