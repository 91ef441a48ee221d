// SPDX-License-Identifier: Apache-2.0
// Vertices that are let go: during a run, and after the time before it in which a scene settles.
#include <gtest/gtest.h>

#include <sinew/core/error.hpp>
#include <sinew/physics/scripted_motion.hpp>
#include <sinew/scene/compile/body_mesh.hpp>
#include <sinew/scene/compile/edit_schedule.hpp>

#include "toy_scenes.hpp"

namespace sinew::scene {
namespace {

using namespace toy;

TEST(Releases, HandsOverPositionAndVelocity) {
  CompiledScene compiled = compile(bar_scene(
      "",
      R"("motion": [ { "select": { "plane": { "normal": [1, 0, 0] } }, "position": ["x", "y", "z + 0.1*t^2"], "until": 0.25 } ],
             "time": { "dt": 0.1, "end": 1 })"));
  struct Watch final : sim::Observer {
    void on_edit(const sim::FrameView& view, bool) override {
      t = view.state.t;
      dofs = view.system.num_dofs();
      const auto& system = static_cast<const physics::TermSystem&>(view.system);
      for (int v = 0; v < system.num_vertices(); ++v) {
        const Vec3 rest = system.vertex_position(v, system.rest_state());
        if (rest[0] != 0.0) continue;
        position_error = std::max(
            position_error,
            (system.vertex_position(v, view.state) - rest - Vec3(0, 0, 0.1 * t * t)).norm());
        velocity_error = std::max(
            velocity_error, (system.vertex_velocity(v, view.state) - Vec3(0, 0, 0.2 * t)).norm());
      }
    }
    double t = -1.0, position_error = 0.0, velocity_error = 0.0;
    Index dofs = 0;
  } watch;
  compiled.simulation->add_observer(watch);

  const sim::RunSummary summary = compiled.simulation->run();

  EXPECT_EQ(summary.reason, sim::StopReason::reached_end);
  EXPECT_NEAR(watch.t, 0.25, 1e-15);
  EXPECT_EQ(watch.dofs, 3 * 12) << "all vertices are free now";
  EXPECT_LT(watch.position_error, 1e-15);
  EXPECT_LT(watch.velocity_error, 1e-10) << "central differences over 1e-5 s";
}

TEST(Releases, GroupsAreReleasedOneAfterTheOther) {
  CompiledScene compiled =
      compile(bar_scene("", R"("motion": [ { "select": { "vertices": [0] }, "until": 0.3 },
                         { "select": { "vertices": [1] }, "until": 0.1 },
                         { "select": { "vertices": [2] } },
                         { "select": { "vertices": [3] }, "until": 0.3 } ],
             "time": { "dt": 0.1, "end": 0.5 })"));
  struct Watch final : sim::Observer {
    void on_edit(const sim::FrameView& view, bool) override {
      dofs.push_back(view.system.num_dofs());
    }
    std::vector<Index> dofs;
  } watch;
  compiled.simulation->add_observer(watch);
  EXPECT_EQ(compiled.system().num_dofs(), 3 * 8);

  compiled.simulation->run();

  EXPECT_EQ(watch.dofs, (std::vector<Index>{3 * 9, 3 * 11})) << "the third is never let go";
}

physics::BodiesSpec bar_with_a_moved_vertex() {
  const SceneSpec scene = bar_scene("");
  physics::BodiesSpec spec;
  spec.bodies.push_back({.name = "bar", .mesh = body_mesh(scene, scene.bodies[0]), .tets = {}});
  spec.bodies[0].tets.assign(
      10, {.material = physics::find_material("stvk"), .moduli = physics::moduli(1e6, 0.3)});
  spec.moved.push_back(
      {.vertices = {0},
       .motion = std::make_shared<physics::ScriptedMotion>(std::array<core::Expression, 3>{
           core::Expression("x"), core::Expression("y"), core::Expression("z")})});
  return spec;
}

TEST(Releases, KeepsTheStateOfFreeVertices) {
  CompiledScene compiled =
      compile(bar_scene("", R"("motion": [ { "select": { "vertices": [0] }, "until": 1 } ])"));
  const physics::TermSystem& before = compiled.system();
  const core::Executor executor(1);
  const physics::BodiesSpec spec = bar_with_a_moved_vertex();
  EditSchedule schedule(spec, {.release_times = {1.0}, .cuts = {}, .fractures = {}}, executor);
  dynamics::State state = before.rest_state();
  state.t = 1.0;
  state.v.setLinSpaced(1.0, 2.0);

  const sim::Edit edit = schedule.apply(before, state, 1.0);

  EXPECT_EQ(schedule.next_time(0.0), std::numeric_limits<double>::infinity());
  const auto& after = static_cast<const physics::TermSystem&>(*edit.system);
  EXPECT_EQ(edit.state.t, 1.0);
  for (int v = 0; v < before.num_vertices(); ++v) {
    const Index new_dof = after.dof_of_vertex(v), old_dof = before.dof_of_vertex(v);
    EXPECT_EQ(after.vertex_velocity(v, edit.state), before.vertex_velocity(v, state)) << v;
    EXPECT_EQ(after.vertex_position(v, edit.state), before.vertex_position(v, state)) << v;
    EXPECT_EQ(edit.map.source[static_cast<std::size_t>(new_dof)], old_dof) << v;
  }
}

/// Remembers one number for each vertex that is free when it is made.
class Memory final : public physics::Term {
 public:
  explicit Memory(const physics::TermSite& site) : size_(site.numbering.num_free()) {}
  physics::TermTraits traits() const override { return {}; }
  Index num_internal() const override { return size_; }
  void add_force(const physics::Configuration&, physics::TermWork&,
                 physics::PaddedField&) const override {}

 private:
  Index size_;
};

TEST(Releases, RefusesTermsWhoseMemoryFitsOnlyTheVerticesThatWereFree) {
  physics::BodiesSpec spec = bar_with_a_moved_vertex();
  spec.further_terms.push_back([](const physics::TermSite& site) {
    std::vector<std::unique_ptr<physics::Term>> terms;
    terms.push_back(std::make_unique<Memory>(site));
    return terms;
  });
  const core::Executor executor(1);
  const physics::TermSystem before(physics::to_terms(spec), executor);
  EditSchedule schedule(spec, {.release_times = {1.0}, .cuts = {}, .fractures = {}}, executor);
  EXPECT_THROW(schedule.apply(before, before.rest_state(), 1.0), InternalError);
}

TEST(Settle, ABodyHangsAtRestUnderItsWeight) {
  const CompiledScene compiled =
      compile(parse_scene(settling_scene(R"("loads": [ { "type": "gravity", "value": [0, 0, -1] },
                                   { "type": "force", "value": [0, 0, 1e6], "select": { "region": "0" } } ],
                        "settle": { "dt": 1, "end": 20 })"),
                          "test"));
  const physics::TermSystem& system = compiled.system();
  const dynamics::State& state = compiled.simulation->state();
  EXPECT_TRUE(state.v.isZero(0.0));
  EXPECT_LT((state.q - system.rest_state().q).minCoeff(), -1e-3);
  // other loads begin at t = 0
  dynamics::State hanging = state;
  Vec f(system.num_dofs());
  system.force(hanging, *system.make_workspace(), f);
  EXPECT_GT(f.norm(), 1e4);
}

TEST(Settle, MovedVerticesAreLetGoWhereTheScriptLeftThem) {
  const CompiledScene compiled =
      compile(parse_scene(settling_scene(R"("settle": { "dt": 0.5, "end": 5, "motion": [ {
        "select": { "plane": { "point": [2, 0, 0], "normal": [1, 0, 0] } },
        "position": ["x", "y", "z + 0.02*t"] } ] })"),
                          "test"));
  const physics::TermSystem& system = compiled.system();
  const dynamics::State& state = compiled.simulation->state();
  EXPECT_TRUE(state.v.isZero(0.0));
  EXPECT_EQ(state.t, 0.0);
  int moved = 0;
  Vec f(system.num_dofs());
  system.force(state, *system.make_workspace(), f);
  for (int v = 0; v < system.num_vertices(); ++v) {
    const Index dof = system.dof_of_vertex(v);
    if (dof < 0) continue;
    const Vec3 rest = system.rest_state().q.segment<3>(dof), now = state.q.segment<3>(dof);
    if (rest[0] > 1.999) {
      EXPECT_LT((now - rest - Vec3(0, 0, 0.1)).norm(), 1e-12);
      ++moved;
    } else {
      EXPECT_LT(f.segment<3>(dof).norm(), 1e-5 * f.norm());
    }
  }
  EXPECT_EQ(moved, 4);
}

TEST(Settle, SaysWhatItCannotDo) {
  const auto problem = [](const std::string& more) {
    try {
      compile(parse_scene(settling_scene(more), "test"));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string end = R"("select": { "plane": { "point": [2, 0, 0], "normal": [1, 0, 0] } })";
  EXPECT_NE(problem(R"("settle": {}, "motion": [ { )" + end + " } ]").find("/settle"),
            std::string::npos);
  EXPECT_NE(
      problem(R"("settle": { "motion": [ { "select": { "plane": { "point": [0, 0, 0], "normal":
                       [1, 0, 0] } } } ] })")
          .find("/settle/motion/0"),
      std::string::npos);
}

TEST(Settle, ABodyThatNothingHoldsHasNoEquilibrium) {
  const std::string falling = R"({ "sinew": 1, "bodies": [ { "mesh": { "cells": [1, 1, 1] } } ],
      "loads": [ { "type": "gravity" } ], "settle": { "end": 0.2 } })";
  try {
    compile(parse_scene(falling, "test"));
    FAIL() << "it cannot settle";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("test: /settle: no equilibrium was found (every body "
                        "must be held somewhere, or rest on something)"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace sinew::scene
