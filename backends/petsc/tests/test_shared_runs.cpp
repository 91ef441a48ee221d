// SPDX-License-Identifier: Apache-2.0
// Several processes against one: the same scenes, step by step the same motion, energies and
// decisions. Started by mpirun with 1, 2, 3 and 4 processes.
#include <gtest/gtest.h>

#include <sinew/petsc/scene_part.hpp>
#include <sinew/petsc/shared_modes.hpp>
#include <sinew/petsc/solvers.hpp>
#include <sinew/scene/compile/compile.hpp>
#include <sinew/scene/format/scene_reader.hpp>

#include "environment.hpp"

namespace sinew::petsc {
namespace {

using scene::SceneSpec;

/// A bar that is held at one end and falls into its weight.
const char* const bar = R"j({
  "sinew": 1, "name": "bar",
  "bodies": [ { "name": "bar", "mesh": { "generator": "bar", "size": [1, 0.25, 0.2], "cells": [10, 3, 2] },
                "material": { "young": 2e5, "poisson": 0.4 }, "velocity": ["0", "0.5*z", "0.2*x"] } ],
  "fixed": [ { "select": { "plane": { "point": [0, 0, 0], "normal": [1, 0, 0], "within": 1e-6 } } } ],
  "loads": [ { "type": "gravity", "value": [0, 0, -9.81] } ],
  "time": { "dt": 0.005, "end": 0.25 },
  "output": { "fps": 0, "probes": [ { "name": "tip", "vertex": 21 } ] }
})j";

std::vector<scene::Override> exactly(const std::string& method) {
  return {{"integrator.name", method}, {"integrator.solver.tolerance", "1e-12"}};
}

SceneSpec make_scene(const char* text, const std::vector<scene::Override>& changes) {
  return scene::parse_scene(text, "test", changes, catalog());
}

/// What a run came to, by vertices of the whole.
struct Outcome {
  sim::RunSummary summary;
  std::map<std::int64_t, Vec3> x, v;  ///< of free vertices that are here
  sim::EnergyRecord energy;
  core::Counts counts;
};

Outcome run_alone(const SceneSpec& scene) {
  scene::CompiledScene compiled = scene::compile(scene, catalog());
  Outcome outcome;
  outcome.summary = compiled.simulation->run();
  const dynamics::State& end = compiled.simulation->state();
  const physics::TermSystem& system = compiled.system();
  for (int vertex = 0; vertex < system.num_vertices(); ++vertex)
    if (const Index dof = system.dof_of_vertex(vertex); dof >= 0) {
      outcome.x[vertex] = end.q.segment<3>(dof);
      outcome.v[vertex] = end.v.segment<3>(dof);
    }
  outcome.energy = compiled.simulation->ledger().record();
  outcome.counts = outcome.summary.profile.counts;
  return outcome;
}

Outcome run_together(SceneSpec scene, const std::string& solver = "petsc-gamg") {
  scene.integrator.solver = solver;
  scene.threads = 1;
  const ProcessReducer reducer(processes());
  const ScenePart part(processes(), reducer, scene, catalog());
  scene::CompiledScene compiled = scene::compile(part.scene(), catalog(), {}, {}, &part);
  Outcome outcome;
  outcome.summary = compiled.simulation->run();
  const dynamics::State& end = compiled.simulation->state();
  const auto& system = dynamic_cast<const SharedSystem&>(compiled.simulation->system());
  const std::vector<std::int64_t> numbers = system.owned_numbers();
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    outcome.x[numbers[k]] = end.q.segment<3>(3 * static_cast<Index>(k));
    outcome.v[numbers[k]] = end.v.segment<3>(3 * static_cast<Index>(k));
  }
  outcome.energy = compiled.simulation->ledger().record();
  outcome.counts = outcome.summary.profile.counts;
  return outcome;
}

/// Largest difference over all processes, relative to what moved: of positions and of velocities.
double difference(const Outcome& shared, const Outcome& alone, const SceneSpec& scene) {
  const ProcessReducer reducer(processes());
  const scene::CompiledScene compiled = scene::compile(scene, catalog());
  const dynamics::State rest = compiled.system().rest_state();
  double moved = 0.0, speed = 0.0;
  for (const auto& [vertex, x] : alone.x) {
    const Index dof = compiled.system().dof_of_vertex(static_cast<int>(vertex));
    moved = std::max(moved, (x - rest.q.segment<3>(dof)).norm());
    speed = std::max(speed, alone.v.at(vertex).norm());
  }
  double off = 0.0;
  for (const auto& [vertex, x] : shared.x) {
    off = std::max(off, (x - alone.x.at(vertex)).norm() / moved);
    off = std::max(off, (shared.v.at(vertex) - alone.v.at(vertex)).norm() / speed);
  }
  EXPECT_EQ(reducer.count(static_cast<Index>(shared.x.size())), static_cast<Index>(alone.x.size()));
  return reducer.largest(off);
}

void expect_same(const Outcome& shared, const Outcome& alone, const SceneSpec& scene,
                 double tolerance) {
  ASSERT_EQ(alone.summary.reason, sim::StopReason::reached_end);
  ASSERT_EQ(shared.summary.reason, sim::StopReason::reached_end);
  EXPECT_EQ(shared.summary.accepted_steps, alone.summary.accepted_steps);
  EXPECT_LT(difference(shared, alone, scene), tolerance);
  const double scale = std::abs(alone.energy.kinetic) + 1e-30;
  EXPECT_NEAR(shared.energy.kinetic, alone.energy.kinetic, 10.0 * tolerance * scale);
  ASSERT_EQ(shared.energy.stored.size(), alone.energy.stored.size());
  for (std::size_t k = 0; k < alone.energy.stored.size(); ++k)
    EXPECT_NEAR(shared.energy.stored[k], alone.energy.stored[k],
                10.0 * tolerance * (scale + std::abs(alone.energy.stored[k])));
  for (std::size_t k = 0; k < alone.energy.lost.size(); ++k)
    EXPECT_NEAR(shared.energy.lost[k], alone.energy.lost[k],
                10.0 * tolerance * (scale + std::abs(alone.energy.lost[k])));
  EXPECT_NEAR(shared.energy.external_work, alone.energy.external_work,
              10.0 * tolerance * (scale + std::abs(alone.energy.external_work)));
  EXPECT_LT((shared.energy.momentum.linear - alone.energy.momentum.linear).norm(),
            10.0 * tolerance * (1e-12 + alone.energy.momentum.linear.norm()));
  EXPECT_LT((shared.energy.momentum.angular - alone.energy.momentum.angular).norm(),
            10.0 * tolerance * (1e-12 + alone.energy.momentum.angular.norm()));
}

struct Method {
  const char* name;
  std::vector<scene::Override> exact;  ///< so that nothing but rounding is left
  double tolerance = 1e-8;
  /// With its defaults; blend stops where it likes within 3e-4 of a step.
  double by_defaults = 1e-4;
};

std::ostream& operator<<(std::ostream& out, const Method& method) {
  return out << method.name;
}

class EveryMethod : public testing::TestWithParam<Method> {};

TEST_P(EveryMethod, MovesAsInOneProcess) {
  const Method& method = GetParam();
  const SceneSpec scene = make_scene(bar, [&] {
    auto changes = exactly(method.name);
    changes.insert(changes.end(), method.exact.begin(), method.exact.end());
    return changes;
  }());
  expect_same(run_together(scene), run_alone(scene), scene, method.tolerance);
}

TEST_P(EveryMethod, MovesAlmostAsInOneProcessByItsDefaults) {
  const Method& method = GetParam();
  std::vector<scene::Override> changes{{"integrator.name", method.name}};
  for (const scene::Override& change : method.exact)
    if (change.path.starts_with("time.")) changes.push_back(change);
  const SceneSpec scene = make_scene(bar, changes);
  expect_same(run_together(scene), run_alone(scene), scene, method.by_defaults);
}

const std::vector<scene::Override> fine{{"integrator.tolerance", "1e-12"}};
const std::vector<scene::Override> small{{"time.dt", "1e-4"}, {"time.end", "5e-3"}};
// ssdirk2ere looks at its modes in the middle of a step, where they are followed and not converged
const std::vector<scene::Override> modes{{"integrator.mode_tolerance", "1e-10"},
                                         {"integrator.mode_iterations", "9"}};
INSTANTIATE_TEST_SUITE_P(
    Table, EveryMethod,
    testing::Values(Method{"symplectic-euler", small}, Method{"verlet", small},
                    Method{"rk4", small}, Method{"si", {}}, Method{"be", fine},
                    Method{"bdf2", fine}, Method{"tr-bdf2", fine}, Method{"sdirk2", fine},
                    Method{"generalized-alpha", fine}, Method{"ssdirk2", {}}, Method{"ere", fine},
                    Method{"exprb42", fine}, Method{"pexprb43", fine}, Method{"eti", fine},
                    Method{"neti", fine}, Method{"siere", modes}, Method{"ssdirk2ere", modes, 1e-6},
                    Method{"blend", {{"integrator.tolerance", "1e-6"}}, 1e-4, 2e-3}),
    [](const auto& tested) {
      std::string name = tested.param.name;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

/// Scenes with everything that processes can share.
struct Variant {
  const char* name;
  std::vector<scene::Override> changes;
  const char* method = "si";
};

std::ostream& operator<<(std::ostream& out, const Variant& variant) {
  return out << variant.name;
}

class EveryScene : public testing::TestWithParam<Variant> {};

TEST_P(EveryScene, MovesAsInOneProcess) {
  const Variant& variant = GetParam();
  auto changes = exactly(variant.method);
  changes.insert(changes.end(), variant.changes.begin(), variant.changes.end());
  const SceneSpec scene = make_scene(bar, changes);
  expect_same(run_together(scene), run_alone(scene), scene, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(
    Table, EveryScene,
    testing::Values(
        Variant{"free", {{"fixed", "[]"}}},
        Variant{"free_hybrid",
                {{"fixed", "[]"},
                 {"integrator.mode_tolerance", "1e-10"},
                 {"integrator.mode_iterations", "9"}},
                "siere"},
        Variant{"damped", {{"bodies.0.damping", R"j({"mass": 0.5, "stiffness": 1e-3})j"}}},
        Variant{"damped_as_it_is_now",
                {{"bodies.0.damping", R"j({"stiffness": 1e-3, "shape": "current"})j"},
                 {"integrator.tolerance", "1e-12"}},
                "be"},
        Variant{"damped_and_exponential",
                {{"bodies.0.damping", R"j({"mass": 0.5, "stiffness": 1e-3})j"},
                 {"integrator.tolerance", "1e-12"}},
                "ere"},
        Variant{"ten_nodes", {{"bodies.0.mesh.order", "2"}, {"bodies.0.mesh.cells", "[5, 2, 1]"}}},
        Variant{"regions",
                {{"bodies.0.mesh", R"j({"generator": "ball", "cells": 3})j"},
                 {"bodies.0.regions",
                  R"j([{"select": {"region": "shell"}, "material": {"young": 2e6}},
                      {"select": {"box": [[-1, -1, -1], [0, 1, 1]]}, "material": {"density": 500}}])j"},
                 {"fixed", R"j([{"select": {"box": [[-1, -1, 0.08], [1, 1, 1]]}}])j"}}},
        Variant{"moved",
                {{"motion",
                  R"j([{"select": {"plane": {"point": [1, 0, 0], "normal": [1, 0, 0]}},
                       "position": ["x", "y + 0.1*sin(3*t)", "z"]}])j"}}},
        Variant{"loads",
                {{"loads",
                  R"j([{"type": "gravity", "value": ["0", "t", "-9.81*(1+x)"]},
                      {"type": "pressure", "pressure": "300*(1+t)",
                       "select": {"box": [[0.2, -1, -1], [0.8, 1, 1]]}},
                      {"type": "force", "value": ["0", "3", "2*t"],
                       "select": {"box": [[0.6, -1, -1], [2, 1, 1]]}},
                      {"type": "wind", "velocity": ["0", "20", "3"], "select": {}}])j"}}},
        Variant{"numbered",
                {{"fixed", R"j([{"select": {"vertices": [0, 1, 2, 11, 40, 60, 131]}}])j"}}},
        Variant{"two_bodies",
                {{"bodies.1",
                  R"j({"name": "small", "mesh": {"generator": "bar", "size": [0.1, 0.1, 0.1],
                   "cells": [2, 2, 2]}, "transform": {"translate": [2, 0, 0]}, "material": {"young": 1e5}})j"},
                 {"fixed.0.body", "bar"},
                 {"loads.1", R"j({"type": "wind", "body": "small", "velocity": ["5", "0", "0"]})j"},
                 {"loads.2", R"j({"type": "force", "body": "small", "value": ["0", "0.1", "0"]})j"},
                 {"output.probes", "[]"}}},
        Variant{
            "region_by_number",
            {{"bodies.0.mesh", R"j({"generator": "ball", "cells": 3})j"},
             {"bodies.0.regions", R"j([{"select": {"region": "1"}, "material": {"young": 2e6}}])j"},
             {"fixed", R"j([{"select": {"box": [[-1, -1, 0.08], [1, 1, 1]]}}])j"}}}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(SharedSolvers, AreAllTheSame) {
  const SceneSpec scene = make_scene(bar, [] {
    auto changes = exactly("be");
    changes.push_back({"integrator.tolerance", "1e-12"});
    return changes;
  }());
  const Outcome alone = run_alone(scene);
  for (const la::SolverEntry& solver : shared_solvers())
    expect_same(run_together(scene, std::string(solver.name)), alone, scene, 1e-8);
}

TEST(SharedModes, AreThoseOfSlepcAndOfOneProcess) {
  // of a bar that is held, and of a free one with its six rigid motions
  for (const char* fixed : {"", "[]"}) {
    std::vector<scene::Override> changes;
    if (*fixed) changes.push_back({"fixed", fixed});
    SceneSpec scene = make_scene(bar, changes);
    scene.integrator.solver = "petsc-gamg";
    const ProcessReducer reducer(processes());
    const ScenePart part(processes(), reducer, scene, catalog());
    const scene::CompiledScene compiled = scene::compile(part.scene(), catalog(), {}, {}, &part);
    const SceneSpec whole = make_scene(bar, changes);
    const scene::CompiledScene alone = scene::compile(whole, catalog());
    const auto modes_of = [](const sim::Simulation& simulation, const la::SolverEntry& entry,
                             const la::FindModes& find) {
      const dynamics::DynamicalSystem& system = simulation.system();
      const auto workspace = system.make_workspace();
      const auto tangent = system.make_linearization();
      system.linearize(simulation.state(), {}, *workspace, *tangent);
      constexpr double shift = 100.0;
      const auto solver = entry.make(simulation.reducer());
      if (Vec* positions = solver->positions()) *positions = simulation.state().q;
      EXPECT_EQ(solver->factorize(tangent->combine(shift, 0.0, 1.0)).status, la::SolveStatus::ok);
      const la::BlockSolve solve = [&](const MatIn& B, MatOut X) {
        return solver->solve(B, X).status;
      };
      la::Modes found;
      const la::ModesReport report =
          find({tangent->stiffness(), system.mass(), system.mass_inverse()}, solve,
               system.capabilities().frame->rigid_modes(simulation.state()),
               {.count = 6, .shift = shift, .tolerance = 1e-7}, simulation.reducer(), found);
      EXPECT_EQ(report.status, la::SolveStatus::ok);
      return found.lambda;
    };
    const Vec expected = modes_of(*alone.simulation, la::solvers().front(), la::find_modes);
    for (const la::FindModes& find :
         {la::FindModes(find_shared_modes), la::FindModes(find_modes_by_slepc)}) {
      const Vec found = modes_of(*compiled.simulation, shared_solvers().front(), find);
      const Index count = 6 + (*fixed ? 6 : 0);
      ASSERT_GE(found.size(), count);
      for (Index k = 0; k < count; ++k)
        EXPECT_NEAR(found[k], expected[k], 1e-7 * (100.0 + expected[k])) << k << fixed;
    }
  }
}

TEST(SharedRuns, RepeatToTheBit) {
  for (const char* method : {"ere", "be", "siere"}) {
    const SceneSpec scene = make_scene(bar, {{"integrator.name", method}});
    const Outcome one = run_together(scene), other = run_together(scene);
    for (const auto& [vertex, x] : one.x) {
      EXPECT_EQ(x, other.x.at(vertex)) << method;
      EXPECT_EQ(one.v.at(vertex), other.v.at(vertex)) << method;
    }
  }
}

TEST(SharedRuns, BuckleAsInOneProcess) {
  // a stiff tangent loses its definiteness: guards and shifts decide alike on all processes
  const SceneSpec scene = make_scene(
      bar, {{"integrator.name", "be"},
            {"integrator.tolerance", "1e-10"},
            {"integrator.solver.tolerance", "1e-12"},
            {"motion", R"j([{"select": {"plane": {"point": [1, 0, 0], "normal": [1, 0, 0]}},
                            "position": ["x - 0.8*t", "y", "z"]}])j"}});
  const Outcome shared = run_together(scene), alone = run_alone(scene);
  ASSERT_EQ(shared.summary.reason, alone.summary.reason);
  EXPECT_LT(difference(shared, alone, scene), 1e-5);
}

TEST(SharedRuns, RefuseByName) {
  const auto refusals = [](const std::vector<scene::Override>& changes) {
    return not_shared_yet(make_scene(bar, changes));
  };
  EXPECT_TRUE(refusals({}).empty());
  EXPECT_EQ(refusals({{"contact", R"j({"model": "barrier"})j"}}).at(0).where, "/contact");
  EXPECT_EQ(refusals({{"bodies.0.mass", "\"consistent\""}}).at(0).where, "/bodies/0/mass");
  EXPECT_EQ(refusals({{"integrator.name", "imex"}}).at(0).where, "/integrator/name");
  EXPECT_EQ(refusals({{"integrator", R"j({"name": "ere", "kernel": "dense"})j"}}).at(0).where,
            "/integrator/kernel");
  EXPECT_EQ(refusals({{"cuts", R"j([{"at": 0.1}])j"}}).at(0).where, "/cuts");
}

TEST(SharedRuns, ComplainOnAllProcesses) {
  const auto compile = [](const std::vector<scene::Override>& changes) {
    SceneSpec scene = make_scene(bar, changes);
    scene.integrator.solver = "petsc-gamg";
    const ProcessReducer reducer(processes());
    const ScenePart part(processes(), reducer, scene, catalog());
    scene::compile(part.scene(), catalog(), {}, {}, &part);
  };
  // nowhere a vertex; a vertex that there is not; a formula that fails in one place
  EXPECT_THROW(compile({{"fixed.0.select", R"j({"box": [[5, 5, 5], [6, 6, 6]]})j"}}), InputError);
  EXPECT_THROW(compile({{"output.probes.0.vertex", "100000"}}), InputError);
  EXPECT_THROW(compile({{"bodies.0.velocity", R"j(["1/(x-1)", "0", "0"])j"}}), InputError);
  EXPECT_THROW(compile({{"bodies.0.mesh", R"j({"file": "nowhere.msh"})j"}}), InputError);
}

}  // namespace
}  // namespace sinew::petsc
