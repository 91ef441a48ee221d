// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "../reproduction.hpp"
#include "program/damping_curve.hpp"
#include "targets.hpp"

namespace sinew::cli {
namespace {

/// The value at h omega = 10^exponent.
double at_decade(const output::Curve& curve, int exponent) {
  return curve
      .y[static_cast<std::size_t>(points_per_decade) * static_cast<std::size_t>(exponent + 2)];
}

void run_survey_fig3(Reproduction& reproduction) {
  const output::Curve sdirk = damping_curve("sdirk2"), tr = damping_curve("tr-bdf2"),
                      bdf2 = damping_curve("bdf2");
  std::vector<std::string> rows;
  output::LinePlot plot{.title = "numerical damping of q'' + omega^2 q = 0",
                        .x_label = "h omega",
                        .y_label = "d / omega",
                        .logarithmic_x = true,
                        .curves = {sdirk, tr, bdf2}};
  for (output::Curve& curve : plot.curves) {
    curve.family.clear();
    for (std::size_t k = 0; k < curve.x.size(); ++k)
      rows.push_back(fmt::format("{},{},{}", curve.name, curve.x[k], curve.y[k]));
  }
  reproduction.write_csv("survey-fig3.csv", "integrator,h_omega,d_over_omega", rows);
  reproduction.write_plot("survey-fig3.svg", std::move(plot));
  double apart = 0.0, top = 0.0, largest_excess = 0.0;
  for (std::size_t k = 0; k < sdirk.x.size(); ++k) {
    apart = std::max(apart, std::abs(sdirk.y[k] - tr.y[k]));
    largest_excess = std::max(largest_excess, tr.y[k] - sdirk.y[k]);
    top = std::max({top, sdirk.y[k], tr.y[k]});
  }
  reproduction.judge(
      "close",
      {.ours = fmt::format("never further apart than {:.3f}, of at most {:.2f}", apart, top),
       .verdict = agrees_if(apart < 0.15 * top),
       .why = "less than 15 % of the top"});
  reproduction.judge(
      "slightly", {.ours = fmt::format("at h omega = 1, 10: TR-BDF2 {:.4f}, {:.3f}; SDIRK {:.4f}, "
                                       "{:.3f}; TR-BDF2 is nowhere above by more than {:.0e}",
                                       at_decade(tr, 0), at_decade(tr, 1), at_decade(sdirk, 0),
                                       at_decade(sdirk, 1), largest_excess),
                   .verdict = agrees_if(largest_excess < 0.01 * top),
                   .why = "below it everywhere, up to 1 % of the top"});
  const auto three = [&](int exponent) {
    return fmt::format("BDF2 {:.2g}, SDIRK {:.2g}, TR-BDF2 {:.2g}", at_decade(bdf2, exponent),
                       at_decade(sdirk, exponent), at_decade(tr, exponent));
  };
  reproduction.judge("one", {.ours = three(0),
                             .verdict = agrees_if(at_decade(bdf2, 0) > 1.5 * at_decade(sdirk, 0) &&
                                                  at_decade(bdf2, 0) > 1.5 * at_decade(tr, 0)),
                             .why = "significantly: by half and more"});
  double from = 0.0;  // where BDF2 gets below both for good
  for (std::size_t k = 0; k < sdirk.x.size(); ++k)
    if (bdf2.y[k] >= std::min(sdirk.y[k], tr.y[k]))
      from = k + 1 < bdf2.x.size() ? bdf2.x[k + 1] : 0.0;
  reproduction.judge(
      "large", {.ours = fmt::format("h omega = 100: {}; {}", three(2),
                                    from > 0.0 ? fmt::format("less from h omega = {:.0f} on", from)
                                               : "nowhere less for good"),
                .verdict = agrees_if(from > 0.0),
                .why = "below both up to the end of the curves at 100"});
  reproduction.judge("low", {.ours = three(-1),
                             .verdict = agrees_if(at_decade(bdf2, -1) > at_decade(sdirk, -1) &&
                                                  at_decade(bdf2, -1) > at_decade(tr, -1)),
                             .why = "at h omega = 0.1"});
}

}  // namespace

Target survey_fig3() {
  return {.name = "survey-fig3",
          .paper = "Ascher et al. 2022",
          .summary = "Damping curves of SDIRK, TR-BDF2 and BDF2",
          .statements = {{.id = "close",
                          .where = "figure 3",
                          .text = "The two DIRK methods damp much alike",
                          .paper = ""},
                         {.id = "slightly",
                          .where = "figure 3",
                          .text = "TR-BDF2 damps slightly less than SDIRK",
                          .paper = ""},
                         {.id = "one",
                          .where = "figure 3",
                          .text = "BDF2 damps significantly more around h omega = 1",
                          .paper = ""},
                         {.id = "large",
                          .where = "figure 3",
                          .text = "BDF2 damps less for large h omega",
                          .paper = ""},
                         {.id = "low",
                          .where = "figure 3",
                          .text = "The DIRK methods damp low frequencies less than BDF2",
                          .paper = ""}},
          .run = run_survey_fig3};
}

}  // namespace sinew::cli
