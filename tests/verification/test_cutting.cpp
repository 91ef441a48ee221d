// SPDX-License-Identifier: Apache-2.0
// Bodies that are cut or break during a run.
#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <sinew/core/error.hpp>
#include <sinew/dynamics/explicit_stability.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/mesh/cut_mesh.hpp>
#include <sinew/mesh/io/mesh_format.hpp>
#include <sinew/scene/format/builtin_scenes.hpp>

#include "support/contact_scenes.hpp"
#include "support/temp_dir.hpp"

namespace sinew::test {
namespace {

const physics::TermSystem& terms_of(const sim::FrameView& view) {
  return static_cast<const physics::TermSystem&>(view.system);
}

/// The tets of a system with its vertices at rest, as the user counts them.
mesh::TetMesh mesh_of(const physics::TermSystem& system) {
  mesh::TetMesh mesh;
  const dynamics::Geometry& geometry = system.observables().geometry();
  for (int v = 0; v < system.num_vertices(); ++v)
    mesh.vertices.push_back(system.sum().numbering().rest(system.sum().numbering().internal(v)));
  for (std::size_t k = 0; k < geometry.types.size(); ++k) {
    const auto end = static_cast<std::size_t>(geometry.offsets[k]);
    mesh::Tet tet;
    for (std::size_t c = 0; c < 4; ++c) tet[c] = geometry.connectivity[end - 4 + c];
    mesh.tets.push_back(tet);
    mesh.regions.push_back(0);
  }
  return mesh;
}

int num_pieces(const physics::TermSystem& system) {
  const std::vector<int> pieces = mesh::pieces_of(mesh_of(system));
  return *std::max_element(pieces.begin(), pieces.end()) + 1;
}

double mass_of(const physics::TermSystem& system) {
  return system.sum().mass().row_sums().sum();
}

/// What a body is like just before an edit and just after it.
class EditWatch final : public sim::Observer {
 public:
  struct Look {
    double mass = 0.0, elastic = 0.0, gravity = 0.0;
    dynamics::Momentum momentum;
    Index cells = 0;
  };
  static Look look(const sim::FrameView& view) {
    const physics::TermSystem& system = terms_of(view);
    Look result{.mass = mass_of(system), .momentum = *system.accounts().momentum(view.state)};
    const auto rows = system.accounts().ledger_entries();
    std::vector<double> values(rows.size());
    system.accounts().evaluate_ledger(view.state, view.workspace, values);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (rows[k].name == "elastic") result.elastic = values[k];
      if (rows[k].name == "gravity") result.gravity = values[k];
    }
    result.cells = system.num_cells();
    return result;
  }
  void on_start(const sim::FrameView& view) override { before_ = look(view); }
  void on_step(const sim::FrameView& view, const sim::StepRecord& record) override {
    if (record.report.status == integrators::StepStatus::accepted) before_ = look(view);
  }
  void on_edit(const sim::FrameView& view, bool kept) override {
    edits.emplace_back(before_, look(view));
    times.push_back(view.state.t);
    memory_kept.push_back(kept);
    pieces = num_pieces(terms_of(view));
  }

  std::vector<std::pair<Look, Look>> edits;
  std::vector<double> times;
  std::vector<bool> memory_kept;
  int pieces = 1;

 private:
  Look before_;
};

/// A bar that spins and vibrates freely and is cut across.
std::string spinning_bar(const std::string& integrator, const std::string& cut, double dt,
                         double end) {
  return fmt::format(
      R"json("bodies": [ {{ "mesh": {{ "generator": "bar", "size": [0.6, 0.2, 0.2], "cells": [6, 2, 2] }},
            "material": {{ "model": "corotated", "young": 2e4, "poisson": 0.3, "density": 1000 }},
            "velocity": ["0.3*y + 0.2*sin(9*x)", "1 - 2*x + 0.1*z", "0.3*cos(7*x)"] }} ],
         "cuts": [ {{ "type": "plane", "point": [0.33, 0, 0], "normal": [1, 0.3, 0.2], {} }} ],
         "integrator": {{ {} }}, "time": {{ "dt": {}, "end": {} }})json",
      cut, integrator, dt, end);
}

class CutsByMethod : public testing::TestWithParam<std::string> {};

TEST_P(CutsByMethod, KeepMassMomentumAndWhatIsStored) {
  const std::string cut = R"("at": 0.01, "snap": 0.1, "frame": "rest")";
  scene::CompiledScene exact = compile_text(spinning_bar(R"("name": "rk4")", cut, 1e-4, 0.04));
  ASSERT_EQ(run(exact).reason, sim::StopReason::reached_end);
  scene::CompiledScene scene =
      compile_text(spinning_bar(fmt::format(R"("name": "{}")", GetParam()), cut, 5e-4, 0.04));
  EditWatch watch;
  scene.simulation->add_observer(watch);

  ASSERT_EQ(run(scene).reason, sim::StopReason::reached_end);

  ASSERT_EQ(watch.edits.size(), 1U);
  EXPECT_NEAR(watch.times[0], 0.01, 1e-12);
  EXPECT_EQ(watch.pieces, 2);
  const auto& [before, after] = watch.edits[0];
  EXPECT_GT(after.cells, before.cells);
  EXPECT_NEAR(after.mass, before.mass, 1e-13 * before.mass);
  EXPECT_LT((after.momentum.linear - before.momentum.linear).norm(),
            1e-13 * before.momentum.linear.norm());
  EXPECT_LT((after.momentum.angular - before.momentum.angular).norm(),
            1e-12 * before.momentum.angular.norm());
  EXPECT_NEAR(after.elastic, before.elastic, 1e-11 * before.elastic);
  // the same motion as in tiny steps, as far as the method can
  const dynamics::State &end = scene.simulation->state(), &right = exact.simulation->state();
  ASSERT_EQ(end.q.size(), right.q.size());
  const double moved = (right.q - scene.system().rest_state().q).lpNorm<Eigen::Infinity>();
  EXPECT_GT(moved, 0.03);
  EXPECT_LT((end.q - right.q).lpNorm<Eigen::Infinity>(), 0.03 * moved);
}

std::vector<std::string> methods() {
  std::vector<std::string> names;
  for (const integrators::IntegratorEntry& entry : integrators::integrators())
    names.emplace_back(entry.traits.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, CutsByMethod, testing::ValuesIn(methods()), [](const auto& method) {
  std::string name = method.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Cuts, TheCutSystemIsThatOfTheCutMesh) {
  // held at one end, a force at the other, pressure from above, weight
  const char* rest = R"("fixed": [ { "select": { "plane": { "normal": [1, 0, 0] } } } ],
         "loads": [ { "type": "gravity" },
                    { "type": "gravity", "value": ["t + 1", 0, 0] },
                    { "type": "force", "value": [3, 2, 1], "select": { "plane": { "point": [0.6, 0, 0] } } },
                    { "type": "wind", "velocity": [0, 3, -5], "select": { "plane": { "point": [0, 0, 0.2], "normal": [0, 0, 1] } } },
                    { "type": "pressure", "pressure": "100 + x", "select": { "plane": { "point": [0, 0, 0.2], "normal": [0, 0, 1] } } } ],
         "integrator": { "name": "si" }, "time": { "dt": 1e-3, "end": 0.02 })";
  const char* material =
      R"("material": { "model": "stvk", "young": 1e5, "poisson": 0.3, "density": 1000 }, "damping": { "mass": 0.3, "stiffness": 1e-3 })";
  // along the bar, so that the cut goes through held and loaded vertices' edges
  scene::CompiledScene scene = compile_text(fmt::format(
      R"("bodies": [ {{ "mesh": {{ "generator": "bar", "size": [0.6, 0.2, 0.2], "cells": [6, 2, 2] }}, {} }} ],
         "cuts": [ {{ "type": "plane", "point": [0, 0.07, 0], "normal": [0.1, 1, 0.2], "at": 0.01, "snap": 0.01 }},
                   {{ "type": "plane", "point": [0.3, 0, 0], "normal": [1, 0.2, 0.1], "at": 0.015 }} ],
         {})",
      material, rest));
  ASSERT_EQ(run(scene).reason, sim::StopReason::reached_end);
  const physics::TermSystem& cut = scene.system();
  EXPECT_EQ(num_pieces(cut), 4);
  const TempDir dir;
  mesh::write_mesh(dir.path() / "cut.vtu", mesh_of(cut));
  const scene::CompiledScene other = compile_text(
      fmt::format(R"("bodies": [ {{ "mesh": {{ "file": "{}", "torn": true }}, {} }} ], {})",
                  (dir.path() / "cut.vtu").string(), material, rest));
  const physics::TermSystem& torn = other.system();

  ASSERT_EQ(torn.num_vertices(), cut.num_vertices());
  ASSERT_EQ(torn.num_dofs(), cut.num_dofs());
  dynamics::State state = torn.rest_state();
  state.t = scene.simulation->state().t;
  int held = 0;
  for (int v = 0; v < torn.num_vertices(); ++v) {
    const Index to = torn.dof_of_vertex(v), from = cut.dof_of_vertex(v);
    ASSERT_EQ(to < 0, from < 0) << v;
    held += to < 0;
    if (to < 0) continue;
    state.q.segment<3>(to) = scene.simulation->state().q.segment<3>(from);
    state.v.segment<3>(to) = scene.simulation->state().v.segment<3>(from);
  }
  EXPECT_GT(held, 9 + 4);  // those of the bar, and those of the cut between them
  const Mat ours = field_of(scene, "force", scene.simulation->state());
  const Mat theirs = field_of(other, "force", state);
  EXPECT_GT(theirs.norm(), 1.0);
  EXPECT_LT((ours - theirs).norm(), 1e-10 * theirs.norm());
  EXPECT_NEAR(mass_of(cut), 24.0, 1e-12);
}

TEST(Cuts, WhatIsCutOffFallsFreely) {
  scene::CompiledScene scene = compile_text(
      R"("bodies": [ { "mesh": { "generator": "bar", "size": [1, 0.2, 0.2], "cells": [10, 2, 2] },
            "material": { "model": "corotated", "young": 1e6, "poisson": 0.3, "density": 1000 } } ],
         "fixed": [ { "select": { "plane": { "normal": [1, 0, 0] } } } ],
         "loads": [ { "type": "gravity" } ],
         "cuts": [ { "point": [0.53, 0, 0], "normal": [1, 0.2, 0.1], "at": 0.1 } ],
         "integrator": { "name": "be", "tolerance": 1e-10 }, "time": { "dt": 0.005, "end": 0.3 })");
  EditWatch watch;
  scene.simulation->add_observer(watch);
  // of the outer piece: mass times velocity over mass
  std::vector<Vec3> speeds;
  const auto look = [&](const sim::FrameView& view) {
    const physics::TermSystem& system = terms_of(view);
    if (view.state.t < 0.1 + 1e-9) return;
    const mesh::TetMesh mesh = mesh_of(system);
    const std::vector<int> pieces = mesh::pieces_of(mesh);
    Vec3 sum = Vec3::Zero();
    double mass = 0.0;
    const int outer = pieces[static_cast<std::size_t>(
        std::max_element(mesh.tets.begin(), mesh.tets.end(),
                         [&](const mesh::Tet& a, const mesh::Tet& b) {
                           return mesh.vertices[std::size_t(a[0])].x() <
                                  mesh.vertices[std::size_t(b[0])].x();
                         }) -
        mesh.tets.begin())];
    for (int t = 0; t < mesh.num_tets(); ++t)
      if (pieces[std::size_t(t)] == outer)
        for (const int v : mesh.tets[std::size_t(t)]) {
          const double share = mesh::signed_volume(mesh, t) / 4.0;
          sum += share * system.vertex_velocity(v, view.state);
          mass += share;
        }
    speeds.emplace_back(sum / mass);
  };

  ASSERT_EQ(run(scene, look).reason, sim::StopReason::reached_end);

  ASSERT_GE(speeds.size(), 30U);
  for (std::size_t k = 1; k < speeds.size(); ++k)
    EXPECT_LT((speeds[k] - speeds[k - 1] - Vec3(0, 0, -9.81 * 0.005)).norm(), 1e-6) << k;
  EXPECT_NEAR(watch.edits[0].second.gravity, watch.edits[0].first.gravity, 1e-10);
}

bool scene_is_in_world(std::string_view cut) {
  return cut.find("world") != std::string_view::npos;
}

TEST(Cuts, ABladeAdvancesThroughTheBody) {
  for (const char* cut :
       {R"("at": 0.01, "until": 0.05, "along": [0, 0, -1])",
        R"("at": 0.01, "until": 0.05, "along": [0, 0, -1], "frame": "world", "snap": 0.2)"}) {
    SCOPED_TRACE(cut);
    scene::CompiledScene scene = compile_text(spinning_bar(R"("name": "si")", cut, 1e-3, 0.06));
    EditWatch watch;
    scene.simulation->add_observer(watch);
    ASSERT_EQ(run(scene).reason, sim::StopReason::reached_end);
    EXPECT_GT(watch.edits.size(), 3U);
    EXPECT_GT(watch.times.front(), 0.01 - 1e-9);
    EXPECT_NEAR(watch.times.back(), 0.05, 1e-9);
    // a blade that stands still in the world while the body turns also shaves something off
    EXPECT_GE(watch.pieces, 2);
    if (!scene_is_in_world(cut)) {
      EXPECT_EQ(watch.pieces, 2);
    }
    for (const auto& [before, after] : watch.edits) {
      EXPECT_NEAR(after.mass, before.mass, 1e-13 * before.mass);
      EXPECT_LT((after.momentum.linear - before.momentum.linear).norm(),
                1e-12 * before.momentum.linear.norm());
      EXPECT_LT((after.momentum.angular - before.momentum.angular).norm(),
                1e-12 * before.momentum.angular.norm());
    }
    const std::vector<Problem> problems =
        mesh::find_problems(mesh_of(scene.system()), "cut", mesh::Torn::allowed);
    EXPECT_TRUE(problems.empty());
  }
}

TEST(Cuts, ThatTakeTimeMakeAsManyTetsInHoweverManySteps) {
  // surfaces that tets cannot follow exactly: a path that crosses itself, a sphere
  const char* const cuts[] = {
      R"("type": "path", "points": [[-0.1, 0.05, 0], [0.8, 0.2, 0], [0.8, 0.05, 0], [0.1, 0.2, 0]])",
      R"("type": "surface", "mesh": { "generator": "sphere-surface", "radius": 0.1, "subdivisions": 2 },
         "transform": { "translate": [0.5, 0.12, 0.13] }, "along": [1, 0.3, 0], "snap": 0.001)"};
  for (const char* cut : cuts)
    for (const char* frame : {"rest", "world"}) {
      SCOPED_TRACE(std::string(cut) + frame);
      const auto count = [&](int steps) {
        scene::CompiledScene scene = compile_text(fmt::format(
            R"("bodies": [ {{ "mesh": {{ "generator": "bar", "cells": [6, 2, 2] }} }} ],
               "cuts": [ {{ {}, "frame": "{}", "at": 0, "until": 0.001 }} ],
               "integrator": {{ "name": "si" }}, "time": {{ "dt": {}, "end": 0.0011 }})",
            cut, frame, 0.001 / steps));
        EXPECT_EQ(run(scene).reason, sim::StopReason::reached_end);
        return static_cast<double>(scene.system().num_cells());
      };
      const double at_once = count(1);
      EXPECT_GT(at_once, 130.0);
      for (const int steps : {10, 50, 200}) EXPECT_LT(count(steps), 1.6 * at_once) << steps;
    }
}

TEST(Cuts, GoOnFromACheckpointBitForBit) {
  for (const char* method : {"si", "bdf2", "siere", "imex", "exprb42"}) {
    SCOPED_TRACE(method);
    const std::string text =
        spinning_bar(fmt::format(R"("name": "{}")", method),
                     R"("at": 0.01, "until": 0.05, "along": [0, 0, -1])", 1e-3, 0.06);
    scene::CompiledScene whole = compile_text(text);
    ASSERT_EQ(run(whole).reason, sim::StopReason::reached_end);
    for (const int steps : {5, 30, 55}) {
      const TempDir dir;
      scene::CompiledScene first = compile_text(text);
      int done = 0;
      first.simulation->set_stop([&] { return done++ == steps; });
      run(first);
      sim::save_checkpoint(dir.path(), first.simulation->checkpoint());
      scene::CompiledScene second = compile_text(text);
      second.simulation->resume(sim::load_checkpoint(dir.path()));
      ASSERT_EQ(run(second).reason, sim::StopReason::reached_end);
      EXPECT_TRUE(second.simulation->state() == whole.simulation->state()) << steps;
      EXPECT_EQ(second.simulation->ledger().save(), whole.simulation->ledger().save()) << steps;
    }
  }
}

TEST(Cuts, CheckpointsOfOtherScenesAreRefused) {
  const auto text = [](int cells) {
    return fmt::format(
        R"("bodies": [ {{ "mesh": {{ "generator": "bar", "cells": [{}, 2, 2] }} }} ],
           "cuts": [ {{ "point": [0.33, 0, 0], "at": 0 }} ], "integrator": {{ "name": "si" }},
           "time": {{ "dt": 0.001, "end": 0.002 }})",
        cells);
  };
  scene::CompiledScene one = compile_text(text(8)), other = compile_text(text(4));
  run(one);
  EXPECT_THROW(other.simulation->resume(one.simulation->checkpoint()), InputError);
}

/// A bar with thin tets beside its cut.
scene::CompiledScene sliver_bar(const char* integrator, double dt, double end, double at) {
  return compile_text(fmt::format(
      R"("bodies": [ {{ "mesh": {{ "generator": "bar", "size": [0.6, 0.2, 0.2], "cells": [9, 3, 3] }},
            "material": {{ "model": "corotated", "young": 2e4, "poisson": 0.3, "density": 1000 }} }} ],
         "fixed": [ {{ "select": {{ "plane": {{ "normal": [1, 0, 0] }} }} }} ],
         "loads": [ {{ "type": "gravity", "value": [0, 0, -1] }} ],
         "cuts": [ {{ "point": [0.3, 0, 0.068], "normal": [0.02, 0.01, 1], "box": [[0.2, -1, -1], [1, 1, 1]],
                      "snap": 0.002, "at": {} }} ],
         "integrator": {{ "name": "{}" }}, "time": {{ "dt": {}, "end": {} }})",
      at, integrator, dt, end));
}

double explicit_limit(const physics::TermSystem& system, const dynamics::State& state) {
  const auto linearization = system.make_linearization();
  const auto workspace = system.make_workspace();
  system.linearize(state, {}, *workspace, *linearization);
  const dynamics::ElementNodes elements = system.element_nodes();
  const dynamics::ExplicitStability stability(*linearization->combine(0.0, 0.0, 1.0).assembled(),
                                              *system.mass().diagonal_only(), elements);
  const std::vector<char> all(static_cast<std::size_t>(system.num_dofs() / 3), 1);
  return 2.0 / std::sqrt(stability.largest(all).value);
}

TEST(Cuts, ImexKeepsItsStepWhereExplicitOnesWouldNeedATenthOfIt) {
  scene::CompiledScene probe = sliver_bar("si", 1e-3, 2e-3, 0.0);
  const double before = explicit_limit(probe.system(), probe.simulation->state());
  ASSERT_EQ(run(probe).reason, sim::StopReason::reached_end);
  const double after = explicit_limit(probe.system(), probe.simulation->state());
  EXPECT_GT(before / after, 10.0);

  const double dt = 0.7 * before;
  scene::CompiledScene scene = sliver_bar("imex", dt, 10000 * dt, 20 * dt);
  EditWatch watch;
  scene.simulation->add_observer(watch);
  double fastest = 0.0;
  const sim::RunSummary summary = run(scene, [&](const sim::FrameView& view) {
    fastest = std::max(fastest, view.state.v.lpNorm<Eigen::Infinity>());
  });
  EXPECT_EQ(summary.reason, sim::StopReason::reached_end);
  EXPECT_EQ(summary.accepted_steps, 10000);
  ASSERT_EQ(watch.memory_kept.size(), 1U);
  EXPECT_TRUE(watch.memory_kept[0]);
  EXPECT_LT(fastest, 3.0);

  scene::CompiledScene fails = sliver_bar("symplectic-euler", dt, 10000 * dt, 20 * dt);
  EXPECT_NE(run(fails).reason, sim::StopReason::reached_end);
}

TEST(Cuts, TheDragonKeepsItsStep) {
  scene::CompiledScene scene =
      scene::compile(scene::find_scene("cut-dragon", {{"time.end", "0.12"}, {"output.fps", "0"}}));
  EditWatch watch;
  scene.simulation->add_observer(watch);
  ASSERT_EQ(run(scene).reason, sim::StopReason::reached_end);
  EXPECT_EQ(watch.pieces, 2);
  const double limit = explicit_limit(scene.system(), scene.simulation->state());
  RecordProperty("limit", std::to_string(limit));
  EXPECT_GT(3e-4 / limit, 10.0);
  EXPECT_LT(3e-4 / limit, 40.0);
}

TEST(Cuts, OnlyElementsAtTheCutAreLookedAtAgain) {
  scene::CompiledScene scene = sliver_bar("si", 1e-3, 2e-3, 0.0);
  ASSERT_EQ(run(scene).reason, sim::StopReason::reached_end);
  const physics::TermSystem& system = scene.system();
  const auto linearization = system.make_linearization();
  const auto workspace = system.make_workspace();
  system.linearize(scene.simulation->state(), {}, *workspace, *linearization);
  const dynamics::ElementNodes elements = system.element_nodes();
  const double dt = 5e-3;
  const dynamics::ExplicitStability stability(
      *linearization->combine(0.0, 0.0, dt * dt).assembled(), *system.mass().diagonal_only(),
      elements);
  const std::vector<char> all = stability.implicit_nodes();
  const auto count = std::count(all.begin(), all.end(), 1);
  ASSERT_GT(count, 0);
  ASSERT_LT(count, std::ssize(all));
  // what is known of the others is taken as it is, and the answer is the same
  std::vector<signed char> known(all.begin(), all.end());
  for (std::size_t k = 0; k < known.size(); k += 3) known[k] = -1;
  EXPECT_EQ(stability.implicit_nodes(dynamics::explicit_limit, known), all);
  // a wrong word is believed of elements, but not of the whole
  std::vector<signed char> lie(all.size(), 0);
  const std::vector<char> found = stability.implicit_nodes(dynamics::explicit_limit, lie);
  std::vector<char> others(found.size());
  for (std::size_t k = 0; k < found.size(); ++k) others[k] = found[k] ? 0 : 1;
  EXPECT_LT(stability.largest(others).value, dynamics::explicit_limit);
}

TEST(Fracture, ABarThatIsPulledBreaksAtItsStrength) {
  // slowly, so that the tension is the same everywhere but at the ends
  constexpr double young = 1e6, strength = 2e4, speed = 0.02, length = 1.0;
  scene::CompiledScene scene = compile_text(fmt::format(
      R"("bodies": [ {{ "mesh": {{ "generator": "bar", "size": [{}, 0.1, 0.1], "cells": [20, 2, 2] }},
            "material": {{ "model": "corotated", "young": {}, "poisson": 0, "density": 10 }},
            "damping": {{ "mass": 20 }} }} ],
         "fixed": [ {{ "select": {{ "plane": {{ "normal": [1, 0, 0] }} }} }} ],
         "motion": [ {{ "select": {{ "plane": {{ "point": [{}, 0, 0] }} }}, "position": ["x + {}*t", "y", "z"] }} ],
         "fracture": [ {{ "strength": {}, "at_once": 3 }} ],
         "integrator": {{ "name": "be" }}, "time": {{ "dt": 0.005, "end": 1.4 }})",
      length, young, length, speed, strength));
  EditWatch watch;
  scene.simulation->add_observer(watch);
  ASSERT_EQ(run(scene).reason, sim::StopReason::reached_end);
  ASSERT_FALSE(watch.times.empty());
  EXPECT_NEAR(watch.times.front(), strength / young * length / speed, 0.03);
  EXPECT_GE(watch.pieces, 2);
  // what holds the far end no longer pulls
  const EditWatch::Look& first = watch.edits.front().first;
  EXPECT_NEAR(first.elastic, 0.5 * strength * strength / young * 0.01 * length,
              0.1 * first.elastic);
}

TEST(Fracture, NothingBreaksBelowTheStrength) {
  scene::CompiledScene scene = compile_text(
      R"("bodies": [ { "mesh": { "generator": "bar", "size": [1, 0.1, 0.1], "cells": [20, 2, 2] },
            "material": { "model": "corotated", "young": 1e6, "poisson": 0, "density": 10 } } ],
         "fixed": [ { "select": { "plane": { "normal": [1, 0, 0] } } } ],
         "motion": [ { "select": { "plane": { "point": [1, 0, 0] } }, "position": ["x - 0.02*t", "y", "z"] } ],
         "fracture": [ { "strength": 2e4 } ],
         "integrator": { "name": "be" }, "time": { "dt": 0.01, "end": 1 })");
  EditWatch watch;
  scene.simulation->add_observer(watch);
  ASSERT_EQ(run(scene).reason, sim::StopReason::reached_end);
  EXPECT_TRUE(watch.times.empty()) << "it is pushed, not pulled";
}

TEST(Cuts, AreRefusedWithAReason) {
  const auto problem = [](const std::string& more) {
    try {
      compile_text(
          R"("bodies": [ { "name": "bar", "mesh": { "generator": "bar" } },
                         { "name": "rope", "type": "springs", "mesh": { "generator": "rope" } } ],)" +
          more);
    } catch (const InputError& error) {
      return error.problems().front().where + ": " + error.problems().front().what;
    }
    return std::string("none");
  };
  EXPECT_EQ(problem(R"("cuts": [ { "body": "rope" } ])"),
            "/cuts/0/body: 'rope' is made of springs, and cuts are for solids");
  EXPECT_EQ(problem(R"("cuts": [ { "body": "bra" } ])"), "/cuts/0/body: there is no body 'bra'");
  EXPECT_EQ(problem(R"("cuts": [ { "body": "bar", "point": [9, 0, 0], "frame": "rest" } ])"),
            "/cuts/0: this does not meet the body");
  EXPECT_EQ(
      problem(R"("cuts": [ { "body": "bar", "type": "path", "points": [[0, 0, 0], [0, 0, 1]] } ])"),
      "/cuts/0/points: a path needs two points beside each other");
  EXPECT_EQ(problem(R"("cuts": [ { "body": "bar", "point": [0.4, 0, 0] } ], "contact": {})"),
            "/contact/between: the sides of a cut lie on each other, and a barrier needs a gap");
  EXPECT_EQ(
      problem(
          R"("cuts": [ { "body": "bar", "point": [0.5, 0, 0], "frame": "rest", "box": [[2, 2, 2], [3, 3, 3]] } ])"),
      "/cuts/0: this does not meet the body");
  EXPECT_EQ(problem(R"("cuts": [ { "point": [0.4, 0, 0] } ])"),
            "/cuts/0/body: say which body is meant");
  EXPECT_EQ(problem(R"("fracture": [ { "body": "bar" }, { "body": "bar" } ])"),
            "/fracture/1/body: this body has a strength already");
  EXPECT_EQ(problem(R"("integrator": { "name": "imex", "order": 3 })"),
            "/integrator/order: 3 is out of range");
  EXPECT_EQ(problem(R"("cuts": [ { "body": "bar", "until": 1 } ])"),
            "/cuts/0/along: a cut that takes time needs a direction");
}

}  // namespace
}  // namespace sinew::test
