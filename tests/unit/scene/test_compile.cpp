// SPDX-License-Identifier: Apache-2.0
// What a scene says is what the system does: materials, places, selections, start.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sinew/core/error.hpp>
#include <sinew/scene/compile/body_mesh.hpp>

#include "toy_scenes.hpp"

namespace sinew::scene {
namespace {

using namespace toy;

TEST(Compile, CountsUnknownsOfDenseKernelsAfterEverythingIsLetGo) {
  // 525 vertices, 25 of them moved: 1,500 unknowns are allowed, 1,575 are not
  const auto scene = [](const std::string& until) {
    return parse_scene(R"({ "sinew": 1, "bodies": [ { "mesh": { "cells": [20, 4, 4] } } ],
        "motion": [ { "select": { "plane": { "normal": [1, 0, 0] } })" +
                           until + R"( } ], "integrator": { "name": "ere", "kernel": "dense" } })",
                       "test");
  };

  EXPECT_EQ(refusal_of(scene("")), "compiled");
  expect_part(refusal_of(scene(R"(, "until": 0.5)")),
              "test: /integrator/kernel: dense is for small systems, and this one has 1575");
}

TEST(Compile, ChecksWhatProgramsPutIntoAScene) {
  SceneSpec scene = bar_scene("");
  scene.integrator.name = "bee";
  expect_part(refusal_of(scene), "test: /integrator/name: 'bee' is not known here");
  scene = bar_scene("");
  scene.integrator.solver = "cholesky";
  expect_part(refusal_of(scene), "test: /integrator/solver/name: 'cholesky' is not known here");
  for (const int threads : {-1, 100000}) {
    scene = bar_scene("");
    scene.threads = threads;
    expect_part(refusal_of(scene), fmt::format("test: /threads: {} is not a usable", threads));
  }
  scene = bar_scene("");
  scene.settle = SettleSpec{.dt = 1e-300, .end = 1.0};
  expect_part(refusal_of(scene), "test: /settle/dt: 1e+300 steps are too many");
  scene = bar_scene("");
  scene.output.probes.push_back({.name = "a\nb", .vertex = 0});
  expect_part(refusal_of(scene), "test: /output/probes/0/name: there is a control character");
  scene = bar_scene("");
  scene.bodies[0].mesh.file = std::string("a\0b.msh", 7);
  expect_part(refusal_of(scene), "test: /bodies/0/mesh: there is a control character");
}

TEST(Compile, RegionsChangeTheirTetsAndNoOthers) {
  const std::string right = R"("select": { "box": [[1, 0, 0], [2, 1, 1]] })";
  const CompiledScene plain = compile(bar_scene(""));
  const CompiledScene stiff =
      compile(bar_scene(R"("regions": [ { )" + right + R"(, "material": { "young": 4e6 } } ])"));
  const CompiledScene heavy =
      compile(bar_scene(R"("regions": [ { )" + right + R"(, "material": { "density": 3000 } } ])"));

  const double left_ratio =
      stretch_energy(stiff.system(), false) / stretch_energy(plain.system(), false);
  const double right_ratio =
      stretch_energy(stiff.system(), true) / stretch_energy(plain.system(), true);

  EXPECT_NEAR(left_ratio, 1.0, rounding) << "the left half stays as it was";
  EXPECT_NEAR(right_ratio, 4.0, 4.0 * rounding) << "energy is proportional to Young's modulus";
  EXPECT_NEAR(free_mass(plain.system()), 2000.0, 2000.0 * rounding);
  EXPECT_NEAR(free_mass(heavy.system()), 1000.0 + 3000.0, 4000.0 * rounding);
}

TEST(Compile, WorkOnAShortWayIsTheSuppliedPowerTimesItsTime) {
  const CompiledScene compiled = compile(parse_scene(R"~({ "sinew": 1, "threads": 1,
    "bodies": [ { "mesh": { "size": [1, 0.5, 0.5], "cells": [2, 1, 1] }, "mass": "consistent",
                  "damping": { "mass": 0.5, "stiffness": 1e-3 },
                  "initial": { "displacement": ["0.1*x", 0, 0] }, "velocity": ["x", "2*z", "-y"] } ],
    "motion": [ { "select": { "plane": { "normal": [1, 0, 0] } }, "position": ["x", "y", "z + sin(3*t)"] } ],
    "loads": [ { "type": "wind", "velocity": [5, 3, 0] }, { "type": "pressure", "pressure": 1e3 },
               { "type": "force", "value": [0, "7*cos(t)", 2] }, { "value": [0, 0, -9.81] } ] })~",
                                                     "test"));
  const physics::TermSystem& system = compiled.system();
  const auto workspace = system.make_workspace();
  const dynamics::State from = compiled.simulation->state();
  constexpr double dt = 1e-6;
  dynamics::State to = from;
  to.q += dt * from.v;
  to.t += dt;
  std::vector<double> values(system.accounts().ledger_entries().size());
  system.accounts().evaluate_ledger(from, *workspace, values);
  ASSERT_EQ(system.accounts().ledger_entries().back().kind, dynamics::LedgerKind::supply_rate);

  const double work = system.accounts().external_work(from, from, to, *workspace);

  // differences of positions are rounded to 1e-16/1e-6 of themselves
  EXPECT_NEAR(work, dt * values.back(), 1e-8 * std::abs(work));
  EXPECT_GT(std::abs(values.back()), 1.0);
}

TEST(Compile, MaterialsMayBeFormulasOfThePlace) {
  // tets of a cell lie around its centre, and their volumes balance
  const CompiledScene compiled = compile(bar_scene(
      R"("material": { "density": "x < 1 ? 1000 : 3000", "young": "x < 1 ? 1e6 : 4e6" })"));
  const CompiledScene plain = compile(bar_scene(""));

  EXPECT_NEAR(free_mass(compiled.system()), 4000.0, 4000.0 * rounding);
  EXPECT_NEAR(stretch_energy(compiled.system(), true) / stretch_energy(plain.system(), true), 4.0,
              4.0 * rounding);
}

TEST(Compile, AModalRatioBecomesTheRayleighCoefficientsThatGiveIt) {
  const CompiledScene modal =
      compile(bar_scene(R"("damping": { "modal": { "ratio": 0.05, "frequencies": [2, 8] } })"));
  // a/(2 w) + b w/2 = 0.05 at w = 4 pi and 16 pi
  const double low = 2.0 * std::acos(-1.0) * 2.0, high = 4.0 * low;
  const double a = 0.05 * 2.0 * low * high / (low + high), b = 0.05 * 2.0 / (low + high);
  ASSERT_NEAR(a / (2 * low) + b * low / 2, 0.05, 1e-15);
  ASSERT_NEAR(a / (2 * high) + b * high / 2, 0.05, 1e-15);
  const CompiledScene rayleigh =
      compile(bar_scene(fmt::format(R"("damping": {{ "mass": {}, "stiffness": {} }})", a, b)));

  const auto loss = [](const CompiledScene& scene) {
    dynamics::State state = scene.system().rest_state();
    for (Index i = 0; i < state.v.size(); ++i) state.v[i] = std::sin(1.7 * static_cast<double>(i));
    return scene.system().dissipation(state, *scene.system().make_workspace());
  };
  EXPECT_NEAR(loss(modal), loss(rayleigh), 1e-12 * loss(rayleigh));
}

TEST(Compile, LoadsActWithTheirTotalInTheirWindow) {
  const auto force_at = [](const std::string& load, double t) {
    return total_force(compile(bar_scene("", R"("loads": [ )" + load + " ]")).system(), t);
  };
  const std::string end = R"("select": { "plane": { "point": [2, 0, 0], "normal": [1, 0, 0] } })";

  EXPECT_LT((force_at(R"({ "value": [0, 0, -10] })", 0.0) - Vec3(0, 0, -20000)).norm(), 1e-7);
  EXPECT_LT((force_at(R"({ "value": ["0", "0", "-10*t"] })", 2.0) - Vec3(0, 0, -40000)).norm(),
            1e-7);
  EXPECT_LT(
      (force_at(R"({ "type": "force", "value": [3, "t < 1 ? 5 : 0", 0], )" + end + " }", 0.5) -
       Vec3(3, 5, 0))
          .norm(),
      1e-9);
  const std::string window = R"({ "type": "force", "value": [7, 0, 0], "from": 1, "until": 2 })";
  EXPECT_NEAR(force_at(window, 0.9)[0], 0.0, 1e-9);
  EXPECT_NEAR(force_at(window, 1.0)[0], 7.0, 1e-9);
  EXPECT_NEAR(force_at(window, 2.0)[0], 0.0, 1e-9);
  const std::string pulse = R"({ "type": "pulse", "value": [7, 0, 0], "from": 1, "until": 2 })";
  EXPECT_NEAR(force_at(pulse, 1.5)[0], 7.0, 1e-9);
  EXPECT_LT((force_at(R"({ "type": "pressure", "pressure": "100 + 100*t", )" + end + " }", 1.0) -
             Vec3(-200, 0, 0))
                .norm(),
            1e-9);
  EXPECT_LT(
      (force_at(R"({ "type": "wind", "velocity": [-10, 0, 0], "density": 2, "drag": 0.5 })", 0.0) -
       Vec3(-50, 0, 0))
          .norm(),
      1e-9);
}

TEST(Compile, WarnsAboutConstantsThatNobodyIsLikelyToMean) {
  const auto warnings = [](const std::string& material) {
    std::vector<std::string> places;
    for (const Problem& warning :
         compile(bar_scene(R"("material": { )" + material + " }")).warnings)
      places.push_back(warning.where);
    return places;
  };
  using Places = std::vector<std::string>;
  const std::string material = "/bodies/0/material/";

  EXPECT_EQ(warnings(R"("young": 1e6)"), Places{});
  EXPECT_EQ(warnings(R"("young": 0.5)"), Places{material + "young"});
  EXPECT_EQ(warnings(R"("young": 2e14)"), Places{material + "young"});
  EXPECT_EQ(warnings(R"("poisson": 0.499)"), Places{material + "poisson"});
  EXPECT_EQ(warnings(R"("poisson": -0.2)"), Places{material + "poisson"});
  EXPECT_EQ(warnings(R"("density": 1e-3)"), Places{material + "density"});
  EXPECT_EQ(warnings(R"("poisson": 0, "model": "isochoric-neo-hookean")"),
            Places{material + "model"});
}

TEST(Compile, LaterRegionsWin) {
  const CompiledScene compiled = compile(bar_scene(
      R"("regions": [ { "select": {}, "material": { "density": 10 } },
                      { "select": { "box": [[1, 0, 0], [2, 1, 1]] }, "material": { "density": 20 } } ])"));

  EXPECT_NEAR(free_mass(compiled.system()), 30.0, 30.0 * rounding);
}

TEST(Compile, RegionsOfTheMeshAreFoundByNameAndNumber) {
  const auto mass = [](const std::string& region) {
    const CompiledScene compiled = compile(parse_scene(
        R"({ "sinew": 1, "bodies": [ { "mesh": { "generator": "ball", "radius": 1, "shell_thickness": 0.2 },
             "material": { "density": 1 },
             "regions": [ { "select": { "region": )" +
            region + R"( }, "material": { "density": 2 } } ] } ] })",
        "test"));
    return free_mass(compiled.system());
  };

  EXPECT_EQ(mass("\"shell\""), mass("1"));
  EXPECT_EQ(mass("\"core\""), mass("0"));
  EXPECT_GT(mass("\"core\""), mass("\"shell\"")) << "a shell of 0.2 has less volume than its core";
}

TEST(Compile, TransformsScaleThenRotateThenTranslate) {
  const SceneSpec scene = bar_scene(
      R"("transform": { "scale": 2, "rotate": { "axis": [0, 0, 3], "degrees": 90 }, "translate": [10, 0, 0] })");
  const SceneSpec plain = bar_scene("");

  const mesh::TetMesh moved = body_mesh(scene, scene.bodies[0]);
  const mesh::TetMesh original = body_mesh(plain, plain.bodies[0]);

  for (int v = 0; v < original.num_vertices(); ++v) {
    const Vec3& x = original.vertices[static_cast<std::size_t>(v)];
    // a quarter turn about z takes (x, y) to (-y, x)
    const Vec3 expected(10.0 - 2.0 * x[1], 2.0 * x[0], 2.0 * x[2]);
    EXPECT_LT((moved.vertices[static_cast<std::size_t>(v)] - expected).norm(), 1e-14) << v;
  }
}

TEST(Compile, SelectedVerticesAreHeldAndTheOthersFree) {
  const CompiledScene compiled = compile(bar_scene(
      "", R"("fixed": [ { "select": { "plane": { "point": [0, 0, 0], "normal": [5, 0, 0] } } },
                                  { "body": "bar", "select": { "plane": { "normal": [1, 0, 0] } } } ])"));
  const physics::TermSystem& system = compiled.system();

  int num_held = 0;
  for (int v = 0; v < system.num_vertices(); ++v) {
    const bool at_wall = system.vertex_position(v, system.rest_state())[0] == 0.0;
    EXPECT_EQ(system.dof_of_vertex(v) < 0, at_wall) << v;
    num_held += at_wall;
  }

  EXPECT_EQ(num_held, 4);
  EXPECT_EQ(system.num_dofs(), 3 * 8) << "fixed twice is fixed";
}

TEST(Compile, BodiesKeepTheirOwnVertices) {
  const CompiledScene compiled = compile(parse_scene(R"({ "sinew": 1,
    "bodies": [ { "name": "a", "mesh": { "size": [1, 1, 1], "cells": [1, 1, 1] } },
                { "name": "b", "mesh": { "size": [1, 1, 1], "cells": [1, 1, 1] }, "transform": { "translate": [5, 0, 0] } } ],
    "fixed": [ { "body": "b", "select": { "vertices": [0] } } ],
    "output": { "probes": [ { "name": "all_of_b", "body": "b" }, { "name": "one_of_b", "body": "b", "vertex": 2 } ] } })",
                                                     "test"));

  EXPECT_EQ(compiled.system().num_vertices(), 16);
  EXPECT_LT(compiled.system().dof_of_vertex(8), 0) << "vertex 0 of the second body";
  EXPECT_GE(compiled.system().dof_of_vertex(0), 0);
  ASSERT_EQ(compiled.probes.size(), 2u);
  EXPECT_EQ(compiled.probes[0].points, (std::vector<int>{8, 9, 10, 11, 12, 13, 14, 15}));
  EXPECT_EQ(compiled.probes[1].points, std::vector<int>{10});
}

TEST(Compile, MovedVerticesFollowTheirFormulas) {
  const CompiledScene compiled = compile(bar_scene(
      "",
      R"("motion": [ { "select": { "plane": { "normal": [1, 0, 0] } }, "position": ["x + t", "2*y", "z - t^2"] } ])"));
  const physics::TermSystem& system = compiled.system();
  dynamics::State state = system.rest_state();
  state.t = 0.5;

  for (int v = 0; v < system.num_vertices(); ++v) {
    if (system.dof_of_vertex(v) >= 0) continue;
    const Vec3 x = system.vertex_position(v, system.rest_state());  // at t = 0: (0, 2y, z)
    EXPECT_LT((system.vertex_position(v, state) - Vec3(0.5, x[1], x[2] - 0.25)).norm(), 1e-14);
    // central differences over 1e-5 s, rounded positions of order one: 1e-16/1e-5
    EXPECT_LT((system.vertex_velocity(v, state) - Vec3(1.0, 0.0, -1.0)).norm(), 1e-10);
  }
  EXPECT_EQ(system.num_dofs(), 3 * 8);
}

TEST(Compile, StartVelocityAndDisplacementAreFormulasOfTheRestShape) {
  const CompiledScene compiled = compile(bar_scene(
      R"("velocity": ["y", "-x", 3], "initial": { "displacement": ["0.1*x", 0, "x*y"] })"));
  const physics::TermSystem& system = compiled.system();
  const dynamics::State& initial = compiled.simulation->state();

  for (int v = 0; v < system.num_vertices(); ++v) {
    const Vec3 x = system.vertex_position(v, system.rest_state());
    EXPECT_EQ(system.vertex_velocity(v, initial), Vec3(x[1], -x[0], 3.0)) << v;
    EXPECT_LT((system.vertex_position(v, initial) - x - Vec3(0.1 * x[0], 0, x[0] * x[1])).norm(),
              1e-15);
  }
  EXPECT_EQ(initial.t, 0.0);
}

TEST(Compile, LoadsAddUp) {
  const CompiledScene compiled =
      compile(bar_scene("", R"("loads": [ { "value": [0, 0, -9] }, { "value": [1, 0, -1] } ])"));
  const physics::TermSystem& system = compiled.system();
  const auto workspace = system.make_workspace();
  Vec f(system.num_dofs());

  system.force(system.rest_state(), *workspace, f);

  Vec3 total = Vec3::Zero();
  for (Index k = 0; k < f.size(); k += 3) total += f.segment<3>(k);
  EXPECT_LT((total - 2000.0 * Vec3(1, 0, -10)).norm(), 20000.0 * rounding) << total.transpose();
}

TEST(Compile, AnEmptySelectionNamesTheExtentOfTheBody) {
  try {
    compile(bar_scene("", R"("fixed": [ { "select": { "box": [[3, 0, 0], [4, 1, 1]] } } ])"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().at(0).where, "/fixed/0/select");
    EXPECT_NE(error.problems().at(0).hint.find("[2, 1, 1]"), std::string::npos) << error.what();
  }
}

TEST(Compile, ValuesThatAreNotFiniteAreRefused) {
  const SceneSpec velocity = bar_scene(R"("velocity": ["1/x", 0, 0])");
  const SceneSpec displacement =
      bar_scene(R"("initial": { "displacement": [0, "(-1 - y)^0.5", 0] })");

  EXPECT_THROW(compile(velocity), InputError);
  EXPECT_THROW(compile(displacement), InputError);
}

TEST(Compile, NumbersOrWordsAreTakenWhereTheTableAllowsBoth) {
  const auto modes = [](const std::string& value) {
    const CompiledScene compiled = compile(parse_scene(
        settling_scene(R"("integrator": { "name": "siere", "modes": )" + value + " }"), "test"));
    return compiled.integrator_options.values().at("modes");
  };
  EXPECT_EQ(modes("7"), integrators::OptionValue(7L));
  EXPECT_EQ(modes(R"("auto")"), integrators::OptionValue(std::string("auto")));
  EXPECT_THROW(modes(R"("many")"), InputError);
  EXPECT_THROW(modes("-1"), InputError);
}

}  // namespace
}  // namespace sinew::scene
