// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <sinew/scene/format/builtin_scenes.hpp>
#include <sinew/study/modes.hpp>

#include "../reproduction.hpp"
#include "targets.hpp"

namespace sinew::cli {
namespace {

void run_survey_fig5(Reproduction& reproduction) {
  const int count = reproduction.choose(6, 300, 1000);
  const study::SceneModes modes = study::find_scene_modes(
      scene::find_scene("soft-beam", reproduction.choose<std::vector<scene::Override>>(
                                         {{"bodies.0.mesh.cells", "[8, 2, 2]"}}, {}, {})),
      {.directory = {}, .count = count});
  output::Curve curve{.name = "soft beam"};
  std::vector<std::string> rows;
  for (const study::ModeRow& row : modes.rows) {
    if (row.kind == study::ModeKind::rigid) continue;
    curve.x.push_back(row.number);
    curve.y.push_back(row.lambda);
    rows.push_back(fmt::format("{},{},{}", row.number, row.lambda, row.is_found));
  }
  reproduction.write_csv("survey-fig5.csv", "number,lambda,is_found", rows);
  reproduction.write_plot("survey-fig5.svg",
                          {.title = fmt::format("lowest eigenvalues of {} unknowns", modes.dofs),
                           .x_label = "number",
                           .y_label = "lambda [1/s^2]",
                           .curves = {curve}});
  // the first few are the bending of the whole and belong to any beam
  constexpr std::size_t first = 10;
  double widest = 1.0;
  std::size_t place = 0;
  for (std::size_t k = std::min(first, curve.y.size() / 2); k < curve.y.size(); ++k)
    if (curve.y[k] / curve.y[k - 1] > widest) {
      widest = curve.y[k] / curve.y[k - 1];
      place = k;
    }
  reproduction.judge(
      "gap",
      {.ours = fmt::format("beyond the tenth of {} no eigenvalue is more than {:.2f} times the one "
                           "before (number {})",
                           curve.y.size(), widest, place),
       .verdict = agrees_if(widest < 1.5),
       .why = "a factor below 1.5 is no gap; the body of the figure is not described"});
}

}  // namespace

Target survey_fig5() {
  return {
      .name = "survey-fig5",
      .paper = "Ascher et al. 2022",
      .summary = "The lowest eigenvalues of a soft body",
      .statements = {{.id = "gap",
                      .where = "figure 5",
                      .text = "Among the first 1,000 eigenvalues there is no clear gap above which "
                              "modes could be cut off",
                      .paper = ""}},
      .run = run_survey_fig5};
}

}  // namespace sinew::cli
