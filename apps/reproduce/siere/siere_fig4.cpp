// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include <sinew/scene/format/builtin_scenes.hpp>
#include <sinew/study/modes.hpp>

#include "../cpu_clock.hpp"
#include "../reproduction.hpp"
#include "targets.hpp"

namespace sinew::cli {
namespace {

void run_siere_fig4(Reproduction& reproduction) {
  const scene::SceneSpec scene = scene::find_scene(
      "soft-beam",
      {{"bodies.0.mesh.cells", reproduction.choose("[8, 2, 2]", "[60, 10, 10]", "[60, 10, 10]")}});
  const std::vector<int> counts = reproduction.choose<std::vector<int>>(
      {2, 4}, {5, 10, 20, 40, 80, 140}, {5, 10, 20, 40, 60, 80, 100, 120, 140});
  output::Curve curve{.name = "lowest modes"};
  std::vector<std::string> rows;
  Index dofs = 0;
  for (const int s : counts) {
    const CpuClock clock;
    const study::SceneModes modes = study::find_scene_modes(scene, {.directory = {}, .count = s});
    const double seconds = clock.seconds();
    dofs = modes.dofs;
    fmt::print("{:>4} modes of {} unknowns: {:.3g} CPU s\n", s, dofs, seconds);
    curve.x.push_back(s);
    curve.y.push_back(seconds);
    rows.push_back(fmt::format("{},{}", s, seconds));
  }
  reproduction.write_csv("siere-fig4.csv", "modes,cpu_seconds", rows);
  reproduction.write_plot("siere-fig4.svg", {.title = fmt::format("{} unknowns", dofs),
                                             .x_label = "modes",
                                             .y_label = "CPU time [s]",
                                             .marks_points = true,
                                             .curves = {curve}});
  const auto exponent = [&](std::size_t from) {
    return std::log(curve.y.back() / curve.y[from]) / std::log(curve.x.back() / curve.x[from]);
  };
  const std::size_t middle = curve.x.size() / 2;
  reproduction.judge(
      "growth",
      {.ours = fmt::format("like s^{:.2f} from {} to {} modes, s^{:.2f} from {} on", exponent(0),
                           curve.x.front(), curve.x.back(), exponent(middle), curve.x[middle]),
       .verdict = agrees_if(exponent(middle) < 1.3),
       .why = "an exponent below 1.3 in the upper half, where set-up and the factorisation "
              "no longer hide it; vectors are kept orthogonal to all others, which is of "
              "order s^2 n"});
}

}  // namespace

Target siere_fig4() {
  return {.name = "siere-fig4",
          .paper = "Chen et al. 2020",
          .summary = "What the lowest modes cost against how many they are",
          .statements = {{.id = "growth",
                          .where = "figure 4",
                          .text = "With 20,000 unknowns the cost of s modes grows at most slightly "
                                  "faster than linearly up to s = sqrt(n)",
                          .paper = "about linear"}},
          .run = run_siere_fig4};
}

}  // namespace sinew::cli
