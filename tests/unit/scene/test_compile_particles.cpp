// SPDX-License-Identifier: Apache-2.0
// What scenes say about particles: kinds of springs, bending, attachments, interactions, units.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sinew/physics/laws/law_entry.hpp>

#include "support/temp_dir.hpp"
#include "toy_scenes.hpp"

namespace sinew::scene {
namespace {

using namespace toy;

CompiledScene compiled(const std::string& text, const std::string& directory = "") {
  SceneSpec scene = parse_scene(text, "test");
  scene.directory = directory;
  return compile(scene);
}

std::string problem_of(const std::string& text, const std::string& directory = "") {
  try {
    static_cast<void>(compiled(text, directory));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// Energy of a body of springs whose particles 0 and 1 are a unit apart, stretched to `length`.
double energy_at(const CompiledScene& scene, double length) {
  const physics::TermSystem& system = scene.system();
  dynamics::State state = system.rest_state();
  state.q.segment<3>(system.dof_of_vertex(1)) =
      system.vertex_position(0, state) + Vec3(length, 0, 0);
  return system.potential(state, *system.make_workspace());
}

std::string pair_with(const std::string& keys) {
  return R"({ "sinew": 1, "bodies": [ { "type": "springs", "particles": [[0, 0, 0], [1, 0, 0]], "springs": [[0, 1]], )" +
         keys + "} ] }";
}

TEST(CompileParticles, LawsAndTheirConstantsReachTheSprings) {
  EXPECT_NEAR(energy_at(compiled(pair_with(R"("stiffness": 8)")), 1.5), 1.0, 1e-14);
  EXPECT_NEAR(
      energy_at(compiled(pair_with(R"("stiffness": 8, "law": "cubic", "linear": 0, "cubic": 2)")),
                1.5),
      8.0 * 2.0 * 0.25 * 0.0625, 1e-14);
  EXPECT_EQ(energy_at(compiled(pair_with(R"("stiffness": 8, "law": "repulsive")")), 1.5), 0.0);
  EXPECT_NEAR(energy_at(compiled(pair_with(R"("stiffness": 8, "law": "repulsive")")), 0.5), 1.0,
              1e-14);
  EXPECT_NEAR(energy_at(compiled(pair_with(R"("young": 100, "section": 0.08)")), 1.5), 1.0, 1e-14);
  EXPECT_NEAR(energy_at(compiled(pair_with(R"("stiffness": 8, "rest_scale": 0.5)")), 1.0), 1.0,
              1e-14);
  EXPECT_NEAR(energy_at(compiled(pair_with(R"("stiffnesses": [8], "rest_lengths": [0.5])")), 1.0),
              1.0, 1e-14);
  EXPECT_NE(problem_of(pair_with(R"("young": 100)")).find("needs a section"), std::string::npos);
  EXPECT_NE(problem_of(pair_with(R"("stiffnesses": [8, 9])")).find("2 stiffnesses for 1 springs"),
            std::string::npos);
  EXPECT_NE(problem_of(pair_with(R"("law": "cubik")")).find("did you mean 'cubic'"),
            std::string::npos);
  EXPECT_NE(problem_of(pair_with(R"("density": 1, "mass": 1)")).find("given twice"),
            std::string::npos);
}

TEST(CompileParticles, RegionsChangeTheSpringsOfTheirBars) {
  const std::string cloth = R"({ "sinew": 1, "bodies": [ { "type": "springs",
      "mesh": { "generator": "cloth", "size": [1, 1], "cells": [1, 1] }, "stiffness": 2, "density": 3,
      "regions": [ { "select": { "region": "shear" }, "springs": { "stiffness": 7 } } ] } ] })";
  const CompiledScene scene = compiled(cloth);
  EXPECT_EQ(scene.num_springs, 6);
  EXPECT_NEAR(free_mass(scene.system()), 3.0, 1e-12) << "per area";
  // twice as large: four sides stretched by 1, two diagonals by sqrt 2
  dynamics::State state = scene.system().rest_state();
  state.q *= 2.0;
  EXPECT_NEAR(scene.system().potential(state, *scene.system().make_workspace()),
              4 * 0.5 * 2 * 1.0 + 2 * 0.5 * 7 * 2.0, 1e-12);
  EXPECT_EQ(scene.system().observables().geometry().types, (std::vector<std::uint8_t>{5, 5}));
}

TEST(CompileParticles, BendingTakesTheRigidityOfChainsAndSurfaces) {
  // three particles at right angles: k = EI / mean length, W = k/2 (pi/2)^2 when bent from straight
  const CompiledScene chain = compiled(R"({ "sinew": 1, "bodies": [ { "type": "springs",
      "particles": [[0, 0, 0], [1, 0, 0], [2, 0, 0]], "springs": [[0, 1], [1, 2]], "stiffness": 1e-9, "bending": 5 } ] })");
  dynamics::State state = chain.system().rest_state();
  state.q.segment<3>(chain.system().dof_of_vertex(2)) = Vec3(1, 1, 0);
  const double quarter = std::acos(0.0);
  EXPECT_NEAR(chain.system().potential(state, *chain.system().make_workspace()),
              0.5 * 5.0 * quarter * quarter, 1e-8);
  EXPECT_NE(problem_of(pair_with(R"("bending": 1)")).find("nothing that could be bent"),
            std::string::npos);
}

TEST(CompileParticles, TablesOfSpringsStandBesideParticles) {
  const test::TempDir folder;
  folder.write("points.csv", "x,y,z,mass\n0,0,0,1\n1,0,0,2\n3,0,0,4\n");
  folder.write("springs.csv", "a,b,stiffness,rest_length\n0,1,5,1\n1,2,7,1.5\n");
  const std::string text = R"({ "sinew": 1, "bodies": [ { "type": "springs", "mesh": "points.csv",
      "springs_file": "springs.csv" } ] })";
  const CompiledScene scene = compiled(text, folder.path().string());
  EXPECT_NEAR(free_mass(scene.system()), 7.0, 1e-12);
  EXPECT_NEAR(
      scene.system().potential(scene.system().rest_state(), *scene.system().make_workspace()),
      0.5 * 7 * 0.25, 1e-14);
  folder.write("springs.csv", "a,b\n0,9\n");
  EXPECT_NE(problem_of(text, folder.path().string()).find("springs.csv: row 0"), std::string::npos);
  folder.write("springs.csv", "a,b,rest_length\n0,1,-1\n");
  EXPECT_NE(problem_of(text, folder.path().string()).find("'rest_length' is -1"),
            std::string::npos);
}

// ---- attachments ----------------------------------------------------------------------------

std::string two_bodies(const std::string& attachment) {
  return R"({ "sinew": 1, "bodies": [
      { "name": "box", "mesh": { "generator": "bar", "size": [1, 1, 1], "cells": [2, 2, 2] } },
      { "name": "rope", "type": "springs", "particles": [[0.5, 0.5, 1.5], [0.5, 0.5, 1], [0.3, 0.4, 0.6]], "springs": [[0, 1]] } ],
      "attachments": [ )" +
         attachment + "] }";
}

TEST(CompileParticles, AttachmentsMakeVerticesOneOrTieThemToPointsInside) {
  const CompiledScene joined =
      compiled(two_bodies(R"({ "body": "rope", "select": { "vertices": [1] }, "to": "box" })"));
  EXPECT_EQ(joined.system().num_vertices(), 27 + 3);
  EXPECT_EQ(joined.system().num_dofs(), 3 * (27 + 3 - 1));

  const CompiledScene tied = compiled(two_bodies(
      R"({ "body": "rope", "select": { "vertices": [2] }, "to": "box", "stiffness": 50 })"));
  const physics::TermSystem& system = tied.system();
  EXPECT_EQ(system.num_dofs(), 3 * 30);
  dynamics::State state = system.rest_state();
  EXPECT_NEAR(system.potential(state, *system.make_workspace()), 0.0, 1e-12);
  state.q.segment<3>(system.dof_of_vertex(29)) += Vec3(0, 0.2, 0);
  EXPECT_NEAR(system.potential(state, *system.make_workspace()), 0.5 * 50 * 0.04, 1e-10);
}

TEST(CompileParticles, APointInATetWithTenNodesMovesWithAllOfThem) {
  // u = (z^2, 0, 0) of the box moves the point at z = 0.6 by 0.36 m, and the rope stays
  const auto stored = [](double stiffness) {
    std::string text = two_bodies(fmt::format(
        R"({{ "body": "rope", "select": {{ "vertices": [2] }}, "to": "box", "stiffness": {} }})",
        stiffness));
    text.insert(text.find(R"("generator")"), R"("order": 2, )");
    const CompiledScene tied = compiled(text);
    const physics::TermSystem& system = tied.system();
    dynamics::State state = system.rest_state();
    for (int v = 0; v + 3 < system.num_vertices(); ++v) {
      const Index dof = system.dof_of_vertex(v);
      state.q[dof] += state.q[dof + 2] * state.q[dof + 2];
    }
    return system.potential(state, *system.make_workspace());
  };
  const double difference = stored(1.5e6) - stored(0.5e6);
  EXPECT_NEAR(difference, 0.5 * 1e6 * 0.36 * 0.36, 1e-6);
}

TEST(CompileParticles, WhatIsJoinedKeepsItsMomentumAndItsExclusions) {
  const std::string two = R"({ "sinew": 1, "bodies": [
      { "name": "a", "type": "springs", "particles": [[0, 0, 0], [1, 0, 0]], "springs": [[0, 1]], "mass": 1, "velocity": [1, 0, 0] },
      { "name": "b", "type": "springs", "particles": [[1, 0, 0], [2.2, 0, 0]], "springs": [[0, 1]], "mass": 3, "velocity": [0, 1, 0] } ],
      "attachments": [ { "body": "a", "select": { "vertices": [1] }, "to": "b" } ],
      "interactions": [ { "depth": 1, "size": 1.05, "cutoff": 5 } ])";
  const CompiledScene scene = compiled(two + "}");
  const physics::TermSystem& system = scene.system();
  const auto momentum = system.accounts().momentum(scene.simulation->state());
  EXPECT_LT((momentum->linear - Vec3(2, 6, 0)).norm(), 1e-13);
  EXPECT_EQ(system.potential(system.rest_state(), *system.make_workspace()), 0.0)
      << "all three are within two springs";
  EXPECT_NE(problem_of(two + R"(, "fixed": [ { "body": "a", "select": { "vertices": [1] } } ],
      "motion": [ { "body": "b", "select": { "vertices": [0] } } ] })")
                .find("become one"),
            std::string::npos);
}

/// A triangle with a bar beside it.
std::string triangle_and_bar(const test::TempDir& folder, const std::string& rest) {
  folder.write("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 0 0\nf 1 2 3\nl 2 4\n");
  return R"({ "sinew": 1, "bodies": [ { "name": "m", "type": "springs", "mesh": "m.obj" },
      { "name": "p", "type": "springs", "particles": [[1.8, 0.2, 0]] } ], )" +
         rest + "}";
}

TEST(CompileParticles, BarsBesideTrianglesAreHeldOnToAndMeetTheWind) {
  const test::TempDir folder;
  const CompiledScene tied = compiled(
      triangle_and_bar(
          folder,
          R"("attachments": [ { "body": "p", "to": "m", "stiffness": 100, "within": 0.3 } ])"),
      folder.path().string());
  EXPECT_NEAR(tied.system().potential(tied.system().rest_state(), *tied.system().make_workspace()),
              0.5 * 100 * 0.04, 1e-12);

  // across the bar of length 1: 1.2/2 * 0.1 * 10^2 = 6 N, half of it on either end
  const CompiledScene windy = compiled(
      triangle_and_bar(
          folder,
          R"("loads": [ { "type": "wind", "body": "m", "velocity": [0, 0, 10], "diameter": 0.1 } ])"),
      folder.path().string());
  Vec f(windy.system().num_dofs());
  windy.system().force(windy.system().rest_state(), *windy.system().make_workspace(), f);
  EXPECT_NEAR(f[windy.system().dof_of_vertex(3) + 2], 3.0, 1e-12);
  // and a third of 1.2/2 * 10^2 * 0.5 on each corner of the triangle
  EXPECT_NEAR(f[windy.system().dof_of_vertex(2) + 2], 10.0, 1e-12);
  EXPECT_NEAR(f[windy.system().dof_of_vertex(1) + 2], 13.0, 1e-12);
}

TEST(CompileParticles, WhatSettlingLostIsNotLostByTheRun) {
  CompiledScene scene = compiled(R"({ "sinew": 1, "bodies": [ { "type": "springs",
      "particles": [[0, 0, 0], [0, 0, -1]], "springs": [[0, 1]], "stiffness": 100, "yield": 0.05, "hardening": 0.5 } ],
      "fixed": [ { "select": { "vertices": [0] } } ], "loads": [ { "value": [0, 0, -9.81] } ],
      "settle": { "end": 20, "dt": 0.1 }, "integrator": { "name": "be" }, "time": { "dt": 0.01, "end": 0.05 } })");
  ASSERT_GT(scene.simulation->state().internal.cwiseAbs().maxCoeff(), 0.01) << "it has yielded";
  ASSERT_EQ(scene.simulation->run().reason, sim::StopReason::reached_end);
  const sim::EnergyRecord& record = scene.simulation->ledger().record();
  for (const double lost : record.lost) EXPECT_NEAR(lost, 0.0, 1e-9);
  EXPECT_NEAR(record.numerical_loss, 0.0, 1e-6);
}

TEST(CompileParticles, RegionsWinOverLists) {
  const CompiledScene scene = compiled(pair_with(
      R"("stiffnesses": [300], "rest_lengths": [0.5], "regions": [ { "select": {}, "springs": { "stiffness": 8, "rest_scale": 1 } } ])"));
  EXPECT_NEAR(energy_at(scene, 1.5), 1.0, 1e-14);
}

TEST(CompileParticles, AttachmentsThatCannotBeSayWhy) {
  EXPECT_NE(
      problem_of(two_bodies(R"({ "body": "rope", "select": { "vertices": [0] }, "to": "box" })"))
          .find("the nearest is 0.5 m away"),
      std::string::npos);
  EXPECT_NE(
      problem_of(
          two_bodies(
              R"({ "body": "rope", "select": { "vertices": [0] }, "to": "box", "stiffness": 1 })"))
          .find("0.5 m away from 'box'"),
      std::string::npos);
  EXPECT_NE(problem_of(two_bodies(R"({ "body": "rope", "to": "bax" })")).find("did you mean 'box'"),
            std::string::npos);
  EXPECT_NE(problem_of(two_bodies(R"({ "body": "rope", "to": "rope" })")).find("itself"),
            std::string::npos);
}

// ---- interactions and units -----------------------------------------------------------------

TEST(CompileParticles, InteractionsTakeTheirConstantsFromTheSceneOrTheSpecies) {
  const std::string three = R"({ "sinew": 1, "bodies": [ { "type": "springs",
      "particles": [[0, 0, 0], [1.1, 0, 0], [3, 0, 0]], "springs": [[1, 2]], "stiffness": 1 } ], "interactions": [ )";
  const auto energy = [&](const std::string& interaction) {
    const CompiledScene scene = compiled(three + interaction + "] }");
    return scene.system().potential(scene.system().rest_state(), *scene.system().make_workspace());
  };
  const auto lj = [](double r) { return 4.0 * (std::pow(r, -12) - std::pow(r, -6)); };
  // 1 and 2 are joined by a spring; 0 and 2 are two springs apart only through nobody
  EXPECT_NEAR(energy(R"({ "depth": 1, "size": 1, "cutoff": 10 })"), lj(1.1) + lj(3.0), 1e-14);
  EXPECT_NEAR(energy(R"({ "depth": 1, "size": 1, "cutoff": 10, "exclude": 0 })"),
              lj(1.1) + lj(3.0) + lj(1.9), 1e-14);
  EXPECT_NEAR(energy(R"({ "depth": 1, "size": 1, "cutoff": 2.5, "search": "direct" })"), lj(1.1),
              1e-14);
  EXPECT_NE(problem_of(three + "{} ] }").find("need constants"), std::string::npos);
  EXPECT_NE(problem_of(three + R"({ "depth": 1, "size": 1, "from": 9, "cutoff": 3 } ] })")
                .find("/interactions/0/from"),
            std::string::npos);
  EXPECT_NE(problem_of(three + R"({ "depth": 1, "size": 1, "bodies": ["boddy"] } ] })")
                .find("did you mean 'body'"),
            std::string::npos);
}

TEST(CompileParticles, AtomsNeedTheUnitsOfMolecules) {
  const test::TempDir folder;
  // argon, at the distance where UFF has its minimum
  folder.write("argon.xyz", "2\ntwo atoms\nAr 0 0 0\nAr 0 0 3.868\n");
  const auto scene = [](const char* units) {
    return fmt::format(
        R"({{ "sinew": 1, "units": "{}", "bodies": [ {{ "type": "springs", "mesh": "argon.xyz" }} ],
        "interactions": [ {{}} ] }})",
        units);
  };
  EXPECT_NE(problem_of(scene("si"), folder.path().string()).find("\"units\": \"md\""),
            std::string::npos);
  const CompiledScene md = compiled(scene("md"), folder.path().string());
  EXPECT_NEAR(free_mass(md.system()), 2 * 39.95, 0.01);
  EXPECT_NEAR(md.system().potential(md.system().rest_state(), *md.system().make_workspace()),
              -0.185 * 4.184, 1e-9);
}

TEST(CompileParticles, TablesOfEnergiesActBetweenParticles) {
  const test::TempDir folder;
  {
    std::string table = "r,energy\n";
    for (int k = 0; k <= 40; ++k) table += fmt::format("{},{}\n", 0.5 + 0.05 * k, 3.0 - 0.05 * k);
    folder.write("phi.csv", table);
  }
  const std::string text =
      R"({ "sinew": 1, "bodies": [ { "type": "springs", "particles": [[0, 0, 0], [1, 0, 0]] } ],
      "interactions": [ { "type": "table", "file": "phi.csv", "from": 2 } ] })";
  const CompiledScene scene = compiled(text, folder.path().string());
  EXPECT_NEAR(
      scene.system().potential(scene.system().rest_state(), *scene.system().make_workspace()), 2.5,
      1e-12);
  folder.write("phi.csv", "r,energy\n1,2\n");
  EXPECT_NE(problem_of(text, folder.path().string()).find("at least 4 rows"), std::string::npos);
}

TEST(CompileParticles, FibresNeedABrush) {
  EXPECT_NE(problem_of(pair_with(R"("fibre": { "young": 1e9 })")).find("not made of fibres"),
            std::string::npos);
  const CompiledScene brush = compiled(R"({ "sinew": 1, "bodies": [ { "type": "springs",
      "mesh": { "generator": "brush", "bristles": [2, 1], "segments": 80 }, "mass": 1e-9,
      "fibre": { "young": 3.2e10, "torsion": 1e9 } } ] })");
  // one end of a fibre moved aside strains its diagonals; twice the moduli, twice the energy
  const auto energy = [](const CompiledScene& scene) {
    dynamics::State state = scene.system().rest_state();
    state.q[0] += 1e-6;
    return scene.system().potential(state, *scene.system().make_workspace());
  };
  const CompiledScene stiffer = compiled(R"({ "sinew": 1, "bodies": [ { "type": "springs",
      "mesh": { "generator": "brush", "bristles": [2, 1], "segments": 80 }, "mass": 1e-9,
      "fibre": { "young": 6.4e10, "torsion": 2e9 } } ] })");
  EXPECT_GT(energy(brush), 0.0);
  EXPECT_NEAR(energy(stiffer) / energy(brush), 2.0, 1e-6);
}

// ---- laws of a program's own ----------------------------------------------------------------

struct Exponential {
  static double energy(const physics::SpringElement& s, double l) {
    const double e = std::exp(s.constants[0] * (l - s.rest_length));
    return s.stiffness / (s.constants[0] * s.constants[0]) *
           (e - 1.0 - s.constants[0] * (l - s.rest_length));
  }
  static double tension(const physics::SpringElement& s, double l) {
    return s.stiffness / s.constants[0] * std::expm1(s.constants[0] * (l - s.rest_length));
  }
  static double stiffness(const physics::SpringElement& s, double l) {
    return s.stiffness * std::exp(s.constants[0] * (l - s.rest_length));
  }
};

TEST(CompileParticles, AProgramsOwnLawIsNamedByScenes) {
  Catalog catalog;
  catalog.add(physics::spring_law_entry<Exponential>(
      {.name = "exponential", .constants = {{"rate", 2.0, 0.1, 100.0, "of growth"}}}));
  EXPECT_THROW(catalog.add(physics::spring_law_entry<Exponential>({.name = "linear"})), InputError);
  const SceneSpec scene = parse_scene(
      pair_with(R"("stiffness": 8, "law": "exponential", "rate": 3)"), "test", {}, catalog);
  const CompiledScene made = compile(scene, catalog);
  EXPECT_NEAR(energy_at(made, 1.5), 8.0 / 9.0 * (std::exp(1.5) - 2.5), 1e-13);
}

}  // namespace
}  // namespace sinew::scene
