// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <sinew/physics/contact/friction_law.hpp>

#include "../reproduction.hpp"
#include "targets.hpp"

namespace sinew::cli {
namespace {

/// Formula (32c), with the sign that makes it continuous: 2 x/e - x^2/e^2 below e, 1 above.
double printed_slip(double x, double epsilon) {
  return x < epsilon ? 2.0 * x / epsilon - x * x / (epsilon * epsilon) : 1.0;
}

void run_survey_fig9(Reproduction& reproduction) {
  output::LinePlot plot{
      .title = "friction per normal force, mu = 1", .x_label = "x", .y_label = "s"};
  std::vector<std::string> rows;
  double off = 0.0, kink = 0.0;
  double at_tenth = 0.0;
  for (const double epsilon : {1.0, 0.5, 0.25, 0.1}) {
    const physics::FrictionLaw law{.sticking = 1.0, .sliding = 1.0, .slip = epsilon};
    output::Curve curve{.name = fmt::format("epsilon = {}", epsilon)};
    for (int k = 0; k <= 600; ++k) {
      const double x = 0.0025 * k;
      const physics::FrictionValue value = law.at(x);
      off = std::max(off, std::abs(value.force - printed_slip(x, epsilon)));
      curve.x.push_back(x);
      curve.y.push_back(value.force);
      rows.push_back(fmt::format("{},{},{}", epsilon, x, value.force));
    }
    kink = std::max(kink, std::abs(law.at(epsilon * (1.0 - 1e-9)).slope));
    at_tenth = law.at(0.1).force;
    plot.curves.push_back(std::move(curve));
  }
  reproduction.write_csv("survey-fig9.csv", "epsilon,x,s", rows);
  reproduction.write_plot("survey-fig9.svg", std::move(plot));
  reproduction.judge("formula", {.ours = fmt::format("off by {:.0e}", off),
                                 .verdict = agrees_if(off < 1e-14),
                                 .why = "our friction law against formula (32c)"});
  reproduction.judge(
      "limit", {.ours = fmt::format("slope {:.0e} where sliding begins; 1 from x = 0.1 on with "
                                    "epsilon = 0.1 ({:.3f})",
                                    kink, at_tenth),
                .verdict = agrees_if(kink < 1e-7 && std::abs(at_tenth - 1.0) < 1e-12),
                .why = "once differentiable; Coulomb's law for all speeds above epsilon"});
}

}  // namespace

Target survey_fig9() {
  return {
      .name = "survey-fig9",
      .paper = "Ascher et al. 2022",
      .summary = "Smoothed friction for several slip speeds",
      .statements = {{.id = "formula",
                      .where = "figure 9, formula (32c)",
                      .text =
                          "Friction grows as s = 2 x/epsilon - x^2/epsilon^2 up to epsilon and is "
                          "that of Coulomb beyond",
                      .paper = "the formula"},
                     {.id = "limit",
                      .where = "figure 9",
                      .text = "s is once differentiable and approaches Coulomb's law as epsilon "
                              "shrinks",
                      .paper = ""}},
      .run = run_survey_fig9};
}

}  // namespace sinew::cli
