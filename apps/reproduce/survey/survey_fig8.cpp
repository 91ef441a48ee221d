// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <sinew/physics/contact/contact_law.hpp>

#include "../reproduction.hpp"
#include "targets.hpp"

namespace sinew::cli {
namespace {

/// Formula (28).
double printed_barrier(double x, double delta) {
  return x > 0.0 && x <= delta ? -(x - delta) * (x - delta) * std::log(x / delta) : 0.0;
}

void run_survey_fig8(Reproduction& reproduction) {
  output::LinePlot plot{.title = "barrier", .x_label = "x", .y_label = "b(x; delta)"};
  std::vector<std::string> rows;
  double off = 0.0, slope_at_end = 0.0, near_zero = INFINITY, force_off = 0.0;
  for (const double delta : {1.0, 0.5, 0.25, 0.1}) {
    const physics::ContactLaw law{
        .form = physics::ContactForm::barrier, .stiffness = 1.0, .distance = delta};
    output::Curve curve{.name = fmt::format("delta = {}", delta)};
    for (int k = 1; k <= 600; ++k) {
      const double x = 0.002 * k;
      const physics::GapEnergy b = law.at(x);
      off = std::max(off, std::abs(b.energy - printed_barrier(x, delta)));
      const double step = 1e-6 * x;
      const double slope =
          (printed_barrier(x + step, delta) - printed_barrier(x - step, delta)) / (2.0 * step);
      if (std::abs(x - delta) > 1e-3) force_off = std::max(force_off, std::abs(b.slope - slope));
      curve.x.push_back(x);
      curve.y.push_back(b.energy);
      rows.push_back(fmt::format("{},{},{},{}", delta, x, b.energy, b.slope));
    }
    slope_at_end = std::max(slope_at_end, std::abs(law.at(delta * (1.0 - 1e-9)).slope));
    near_zero = std::min(near_zero, -law.at(1e-12 * delta).slope / delta);
    plot.curves.push_back(std::move(curve));
  }
  reproduction.write_csv("survey-fig8.csv", "delta,x,b,slope", rows);
  reproduction.write_plot("survey-fig8.svg", std::move(plot));
  reproduction.judge(
      "formula",
      {.ours = fmt::format("off by {:.0e}, its slope by {:.0e}", off, force_off),
       .verdict = agrees_if(off < 1e-14 && force_off < 1e-6),
       .why = "our barrier law against formula (28), and its force against differences"});
  reproduction.judge("support",
                     {.ours = fmt::format("slope {:.0e} where it begins, {:.0e} delta at a "
                                          "gap of 1e-12 delta",
                                          slope_at_end, near_zero),
                      .verdict = agrees_if(slope_at_end < 1e-8 && near_zero > 1e10),
                      .why = "nothing from delta on, without end towards zero"});
}

}  // namespace

Target survey_fig8() {
  return {.name = "survey-fig8",
          .paper = "Ascher et al. 2022",
          .summary = "The barrier of contact for several widths",
          .statements =
              {{.id = "formula",
                .where = "figure 8, formula (28)",
                .text = "The barrier is b = -(x - delta)^2 ln(x/delta) up to delta and 0 beyond",
                .paper = "the formula"},
               {.id = "support",
                .where = "figure 8",
                .text = "It sets in smoothly at delta, ever closer for smaller delta, and keeps "
                        "gaps open",
                .paper = ""}},
          .run = run_survey_fig8};
}

}  // namespace sinew::cli
