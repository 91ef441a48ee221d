// SPDX-License-Identifier: Apache-2.0
// A small block skims a ball: it comes towards the surface and a little upwards, so that a step
// that is long enough ends beyond the top, outside. Only what the step ends with says whether it
// may be taken; velocities along the normal of its beginning forbid it.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <sinew/scene/compile/compile.hpp>

#include "../reproduction.hpp"
#include "targets.hpp"

namespace sinew::cli {
namespace {

constexpr double edge = 0.02, left = -0.31,
                 bottom = 0.9575;         // of the block, the ball has radius 1 [m]
constexpr double along = 10.0, up = 1.3;  // its velocity [m/s]

std::string skimming_scene(const std::string& model, double dt) {
  return fmt::format(
      R"({{ "sinew": 1, "name": "skimming-block", "up": "z",
  "bodies": [ {{ "name": "block",
      "mesh": {{ "generator": "bar", "size": [{0}, {0}, {0}], "cells": [1, 1, 1] }},
      "transform": {{ "translate": [{1}, {2}, {3}] }},
      "material": {{ "model": "stable-neo-hookean", "young": 1e6, "poisson": 0.3, "density": 1000 }},
      "velocity": [{4}, 0, {5}] }} ],
  "obstacles": [ {{ "name": "ball", "type": "sphere", "point": [0, 0, 0], "radius": 1 }} ],
  "contact": {{ "model": "{6}", "distance": 0.01, "reduction": 0 }},
  "integrator": {{ "name": "si", "guard": "off" }},
  "time": {{ "dt": {7}, "end": {7}, "max_halvings": 0 }},
  "output": {{ "fps": 0 }} }})",
      edge, left, -0.5 * edge, bottom, along, up, model, dt);
}

/// How far outside the ball the block is after a free flight; negative: inside.
double gap_after(double dt) {
  double gap = INFINITY;
  for (const double x : {left, left + edge})
    for (const double z : {bottom, bottom + edge})
      gap = std::min(gap, std::hypot(x + along * dt, 0.5 * edge, z + up * dt) - 1.0);
  return gap;
}

/// The part of the kinetic energy that one step with this rule leaves.
double kept_by(const std::string& model, double dt) {
  scene::CompiledScene compiled =
      scene::compile(scene::parse_scene(skimming_scene(model, dt), "skimming-block"));
  const double before = 0.5 * 1000.0 * edge * edge * edge * (along * along + up * up);
  if (compiled.simulation->run().reason != sim::StopReason::reached_end) return 0.0;
  return compiled.simulation->ledger().record().kinetic / before;
}

void run_survey_fig7(Reproduction& reproduction) {
  std::vector<std::string> rows;
  output::Curve velocity{.name = "velocity"}, position{.name = "projection"};
  int plausible = 0, rejected = 0, rejected_by_position = 0, inside = 0;
  double smallest = 1.0;
  for (const double dt : {0.002, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06}) {
    const double gap = gap_after(dt);
    const double by_velocity = kept_by("velocity", dt), by_position = kept_by("projection", dt);
    rows.push_back(fmt::format("{},{},{},{}", dt, gap, by_velocity, by_position));
    velocity.x.push_back(dt);
    velocity.y.push_back(by_velocity);
    position.x.push_back(dt);
    position.y.push_back(by_position);
    if (gap < 0.0) {
      ++inside;
      continue;
    }
    ++plausible;
    if (by_velocity < 0.999) {
      ++rejected;
      smallest = std::min(smallest, by_velocity);
    }
    if (by_position < 0.999) ++rejected_by_position;
  }
  reproduction.write_csv("survey-fig7.csv",
                         "dt,gap_of_free_flight,kept_by_velocity,kept_by_position", rows);
  reproduction.write_plot("survey-fig7.svg", {.title = "a block skims a ball",
                                              .x_label = "step [s]",
                                              .y_label = "kinetic energy left by the step",
                                              .marks_points = true,
                                              .curves = {velocity, position}});
  reproduction.judge(
      "rejects",
      {.ours = fmt::format("of {} step sizes whose end is outside the ball it changes {}, down "
                           "to {:.0f} % of the kinetic energy",
                           plausible, rejected, 100.0 * smallest),
       .verdict = agrees_if(plausible > 0 && rejected > 0),
       .why = "contact model velocity, which is constraint (27b)"});
  reproduction.judge(
      "position",
      {.ours = fmt::format("changes {} of these {}; {} smaller steps end inside and are "
                           "changed by both",
                           rejected_by_position, plausible, inside),
       .verdict = agrees_if(rejected_by_position == 0 && inside > 0),
       .why = "contact model projection, which looks at positions after the step"});
}

}  // namespace

Target survey_fig7() {
  return {.name = "survey-fig7",
          .paper = "Ascher et al. 2022",
          .summary = "A constraint on velocities rejects steps that end well",
          .statements = {{.id = "rejects",
                          .where = "figure 7, formula (27b)",
                          .text = "With large steps a constraint on velocities at a convex surface "
                                  "rejects next positions that are plausible",
                          .paper = ""},
                         {.id = "position",
                          .where = "formula (27a)",
                          .text = "A constraint on positions does not",
                          .paper = ""}},
          .run = run_survey_fig7};
}

}  // namespace sinew::cli
