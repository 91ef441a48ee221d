// SPDX-License-Identifier: Apache-2.0
// Small scenes for the tests of what scenes become.
#pragma once

#include <cmath>

#include <gtest/gtest.h>

#include <sinew/core/error.hpp>
#include <sinew/scene/compile/compile.hpp>
#include <sinew/scene/format/scene_reader.hpp>

namespace sinew::scene::toy {

/// A scene with the bar [0,2] x [0,1] x [0,1] of two cells, ten tets and twelve vertices.
inline SceneSpec bar_scene(const std::string& body_keys, const std::string& scene_keys = "") {
  std::string json =
      R"({ "sinew": 1, "bodies": [ { "name": "bar", "mesh": { "size": [2, 1, 1], "cells": [2, 1, 1] })";
  if (!body_keys.empty()) json += ", " + body_keys;
  json += " } ]";
  if (!scene_keys.empty()) json += ", " + scene_keys;
  return parse_scene(json + " }", "test");
}

inline dynamics::State uniform_velocity(const physics::TermSystem& system, const Vec3& velocity) {
  dynamics::State state = system.rest_state();
  for (Index k = 0; k < state.v.size(); k += 3) state.v.segment<3>(k) = velocity;
  return state;
}

/// Total mass of the free vertices, from the momentum of a unit velocity.
inline double free_mass(const physics::TermSystem& system) {
  return system.accounts().momentum(uniform_velocity(system, Vec3::UnitX()))->linear[0];
}

/// Elastic energy when everything right of x = 1 is stretched or everything left of it is.
inline double stretch_energy(const physics::TermSystem& system, bool right) {
  dynamics::State state = system.rest_state();
  for (int v = 0; v < system.num_vertices(); ++v) {
    const double x = system.vertex_position(v, system.rest_state())[0];
    const double stretch = right ? std::max(0.0, x - 1.0) : std::min(0.0, x - 1.0);
    state.q[system.dof_of_vertex(v)] += 0.01 * stretch;
  }
  const auto workspace = system.make_workspace();
  return system.potential(state, *workspace);
}

// sums of a few dozen products of numbers of order one
inline constexpr double rounding = 1e-12;

inline std::string refusal_of(const SceneSpec& scene) {
  try {
    compile(scene);
  } catch (const InputError& error) {
    return error.what();
  }
  return "compiled";
}

inline void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "missing: " << part << "\nin: " << text;
}

/// Force on the whole body at rest at a time.
inline Vec3 total_force(const physics::TermSystem& system, double t) {
  dynamics::State state = system.rest_state();
  state.t = t;
  Vec f(system.num_dofs());
  system.force(state, *system.make_workspace(), f);
  Vec3 sum = Vec3::Zero();
  for (Index i = 0; i < f.size(); i += 3) sum += f.segment<3>(i);
  return sum;
}

/// A cantilever along x, held at x = 0.
inline std::string settling_scene(const std::string& more) {
  return R"({ "sinew": 1, "bodies": [ { "mesh": { "generator": "bar", "size": [2, 0.5, 0.5], "cells": [4, 1, 1] },
    "material": { "young": 1e5 } } ],
    "fixed": [ { "select": { "plane": { "point": [0, 0, 0], "normal": [1, 0, 0] } } } ], )" +
         more + R"(, "output": { "fps": 0 } })";
}

}  // namespace sinew::scene::toy
