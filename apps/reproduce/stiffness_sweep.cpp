// SPDX-License-Identifier: Apache-2.0
#include "stiffness_sweep.hpp"

#include <fmt/format.h>

#include <sinew/scene/format/builtin_scenes.hpp>

namespace sinew::cli {

std::vector<StiffnessCost> measure_costs(const Reproduction& reproduction,
                                         const StiffnessSweep& sweep) {
  const double dt = scene::find_scene(sweep.scene, sweep.changes).time.dt;
  std::vector<StiffnessCost> costs;
  for (const double modulus : sweep.moduli) {
    const auto run = [&](const char* method, const Changes& more) {
      return run_scene_for(
          reproduction,
          {.label = fmt::format("{}, {}, {}", sweep.label, pascals(modulus), method),
           .scene = sweep.scene,
           .changes =
               bare(method, sweep.changes + more +
                                Changes{{"bodies.0.material.young", fmt::format("{}", modulus)},
                                        {"time.end", fmt::format("{}", sweep.steps * dt)}}),
           .most_seconds = sweep.most_seconds});
    };
    const auto per_step = [](const SceneRun& one) { return one.cpu_for(2) - one.cpu_for(1); };
    const SceneRun siere = run("siere", with_modes(sweep.modes)), ere = run("ere", {});
    costs.push_back({.modulus = modulus,
                     .siere = siere.steps > 1 ? per_step(siere) : siere.cpu_seconds,
                     .ere = ere.steps > 1 ? per_step(ere) : ere.cpu_seconds,
                     .ere_is_bound = ere.steps == 0});
  }
  return costs;
}

void write_costs(Reproduction& reproduction, const std::string& name,
                 const std::vector<StiffnessSweep>& sweeps,
                 const std::vector<std::vector<StiffnessCost>>& costs) {
  std::vector<std::string> rows;
  output::LinePlot plot{.title = "cost of a step",
                        .x_label = "Young's modulus [Pa]",
                        .y_label = "CPU time [s]",
                        .logarithmic_x = true,
                        .logarithmic_y = true,
                        .marks_points = true};
  for (std::size_t k = 0; k < sweeps.size(); ++k) {
    output::Curve siere{.name = sweeps[k].label + ", siere"},
        ere{.name = sweeps[k].label + ", ere"};
    for (const StiffnessCost& cost : costs[k]) {
      rows.push_back(fmt::format("{},{},{},{},{}", sweeps[k].label, cost.modulus, cost.siere,
                                 cost.ere, cost.ere_is_bound ? "ere at least" : ""));
      for (output::Curve* curve : {&siere, &ere}) curve->x.push_back(cost.modulus);
      siere.y.push_back(cost.siere);
      ere.y.push_back(cost.ere);
    }
    plot.curves.push_back(std::move(siere));
    plot.curves.push_back(std::move(ere));
  }
  reproduction.write_csv(name + ".csv", "body,young,siere,ere,remark", rows);
  reproduction.write_plot(name + ".svg", std::move(plot));
}

Finding judge_siere_growth(const std::vector<StiffnessCost>& costs) {
  const double growth = costs.back().siere / costs.front().siere;
  return {.ours = fmt::format("{:.2g} times from {} to {}", growth, pascals(costs.front().modulus),
                              pascals(costs.back().modulus)),
          .verdict = agrees_if(growth < 2.0),
          .why = "less than twice as much counts as not growing"};
}

Finding judge_ere_growth(const std::vector<StiffnessCost>& costs) {
  const double growth = costs.back().ere / costs.front().ere,
               beside = costs.back().ere / costs.back().siere;
  const char* more = costs.back().ere_is_bound ? "more than " : "";
  return {.ours = fmt::format("{}{:.2g} times from {} to {}, where it costs {}{:.2g} times what "
                              "SIERE does",
                              more, growth, pascals(costs.front().modulus),
                              pascals(costs.back().modulus), more, beside),
          .verdict = agrees_if(growth > 5.0 && beside > 5.0),
          .why =
              "products grow with the square root of the stiffness; prohibitive is read as five "
              "times SIERE"};
}

}  // namespace sinew::cli
