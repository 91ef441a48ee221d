// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "../stiffness_sweep.hpp"
#include "targets.hpp"

namespace sinew::cli {
namespace {

void run_survey_fig4(Reproduction& reproduction) {
  StiffnessSweep sweep{.label = "figure",
                       .scene = "swinging-figure",
                       .changes = {},
                       .moduli = reproduction.choose<std::vector<double>>(
                           {1e5, 1e6}, {1e5, 1e6, 1e7, 1e8, 1e9}, {1e5, 1e6, 1e7, 1e8, 1e9, 1e10}),
                       .modes = 10,
                       .steps = reproduction.choose(2, 10, 100),
                       .most_seconds = reproduction.choose(1.0, 5.0, 300.0)};
  const std::vector<StiffnessCost> costs = measure_costs(reproduction, sweep);
  write_costs(reproduction, "survey-fig4", {sweep}, {costs});
  reproduction.judge("siere", judge_siere_growth(costs));
  reproduction.judge("ere", judge_ere_growth(costs));
}

}  // namespace

Target survey_fig4() {
  return {
      .name = "survey-fig4",
      .paper = "Ascher et al. 2022",
      .summary = "What a swinging figure costs under SIERE and ERE as it gets stiffer",
      .statements = {{.id = "siere",
                      .where = "figure 4",
                      .text = "The cost of SIERE does not grow significantly with stiffness",
                      .paper = ""},
                     {.id = "ere",
                      .where = "figure 4",
                      .text = "The cost of exponential methods becomes prohibitive with stiffness",
                      .paper = ""}},
      .run = run_survey_fig4};
}

}  // namespace sinew::cli
