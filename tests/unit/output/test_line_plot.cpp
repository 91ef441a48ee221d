// SPDX-License-Identifier: Apache-2.0
// Pictures of curves: whoever reads one must be able to say which curve is whose.
#include <set>

#include <gtest/gtest.h>

#include <sinew/integrators/registry.hpp>
#include <sinew/output/publish/comparison_plots.hpp>
#include <sinew/output/publish/line_plot.hpp>
#include <sinew/output/publish/plot_style.hpp>

#include "support/legend.hpp"

namespace sinew::test {
namespace {

using output::Curve;
using output::LinePlot;

/// `count` curves that lie apart.
LinePlot many(int count) {
  LinePlot plot{.title = "many", .x_label = "x", .y_label = "y"};
  for (int k = 0; k < count; ++k)
    plot.curves.push_back({.name = "method-number-" + std::to_string(k),
                           .x = {0.0, 0.5, 1.0},
                           .y = {0.0, (k + 1.0) / (count + 1.0), (k + 1.0) / (count + 1.0)}});
  return plot;
}

TEST(PlotStyles, ArePairwiseDifferent) {
  std::set<std::tuple<std::string_view, std::string_view, std::string_view>> seen;
  for (std::size_t k = 0; k < output::num_plot_styles; ++k) {
    const output::PlotStyle style = output::plot_style(k);
    EXPECT_TRUE(seen.insert({style.colour, style.dashes, style.marker}).second) << k;
  }
  EXPECT_GE(seen.size(), 40U);
}

TEST(LinePlot, TellsFortyCurvesApartAndNamesThemInsideThePicture) {
  for (const int count : {1, 3, 9, 40}) {
    const LinePlot plot = many(count);
    const Legend legend = read_legend(output::to_svg(plot));
    EXPECT_EQ(legend.entries.size(), plot.curves.size());
    EXPECT_EQ(legend.names().size(), plot.curves.size());
    for (const Curve& curve : plot.curves) EXPECT_TRUE(legend.names().contains(curve.name));
    expect_readable(legend);
  }
}

TEST(LinePlot, FamiliesOfManyCurvesHaveAxesOfTheirOwn) {
  LinePlot plot = many(33);
  for (std::size_t k = 0; k < plot.curves.size(); ++k)
    plot.curves[k].family = k < 4 ? "explicit methods" : k < 20 ? "implicit methods" : "hybrids";
  const std::string svg = output::to_svg(plot);
  for (const char* title : {"many: explicit methods", "many: implicit methods", "many: hybrids"})
    EXPECT_NE(svg.find(title), std::string::npos) << title;
  const Legend legend = read_legend(svg);
  EXPECT_EQ(legend.names().size(), 33U);
  expect_readable(legend);
  plot.curves.resize(output::most_curves);
  EXPECT_EQ(output::to_svg(plot).find("many: "), std::string::npos) << "few share their axes";
}

TEST(LinePlot, EveryMethodLooksUnlikeAllOthers) {
  LinePlot plot = many(static_cast<int>(integrators::integrators().size()));
  for (std::size_t k = 0; k < plot.curves.size(); ++k) {
    const integrators::Traits& traits = integrators::integrators()[k].traits;
    plot.curves[k].name = traits.name;
    plot.curves[k].family = integrators::family_of(traits);
  }
  const Legend legend = read_legend(output::to_svg(plot));
  EXPECT_EQ(legend.entries.size(), plot.curves.size());
  for (const Curve& curve : plot.curves) EXPECT_TRUE(legend.names().contains(curve.name));
  expect_readable(legend);
}

TEST(LinePlot, AxesFitTheirCurves) {
  LinePlot plot{.title = "t", .x_label = "x", .y_label = "y"};
  plot.curves.push_back({.name = "a", .x = {2.0, 5.0}, .y = {-1.0, 3.0}});
  output::fit_axes(plot);
  EXPECT_EQ(plot.x_low, 2.0);
  EXPECT_EQ(plot.x_high, 5.0);
  EXPECT_DOUBLE_EQ(plot.y_low, -1.2);
  EXPECT_DOUBLE_EQ(plot.y_high, 3.2);
  plot.curves[0].y = {7.0, 7.0};
  output::fit_axes(plot);
  EXPECT_LT(plot.y_low, 7.0);
  EXPECT_GT(plot.y_high, 7.0);
  plot.logarithmic_y = true;
  plot.curves[0].y = {0.0, 1e-3};  // nothing has no place there
  output::fit_axes(plot);
  EXPECT_GT(plot.y_low, 1e-4);
  EXPECT_LT(plot.y_low, 1e-3);
}

TEST(LinePlot, AFamilyThatBlowsUpHidesNoOther) {
  LinePlot plot = many(20);
  for (std::size_t k = 0; k < plot.curves.size(); ++k)
    plot.curves[k].family = k == 0 ? "wild" : "calm";
  plot.curves[0].y = {0.0, 1.0, 4e9};
  const auto labels_of_billions = [&] {
    const std::string svg = output::to_svg(plot);
    int count = 0;
    for (std::size_t at = 0; (at = svg.find("e9<", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  output::fit_axes(plot);
  const int shared = labels_of_billions();
  plot.fits_families = true;
  EXPECT_GT(shared, 0);
  EXPECT_EQ(2 * labels_of_billions(), shared);
}

TEST(LinePlot, MeasurementsHaveAMarkerEach) {
  LinePlot plot = many(1);
  plot.curves[0].x = {0.50, 0.51, 0.52};
  const auto markers = [&] {
    const std::string svg = output::to_svg(plot);
    int count = 0;
    for (std::size_t at = 0; (at = svg.find("<path d=", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  EXPECT_EQ(markers(), 1);
  plot.marks_points = true;
  EXPECT_EQ(markers(), 3);
}

TEST(LinePlot, EnergiesBeginAtZeroAndEmptyTermsAreLeftOut) {
  const std::string table =
      "step,t,kinetic,elastic,gravity,contact,total\n0,0,0,5,-100,0,-95\n1,0.5,2,3,-100,0,-95\n";
  const std::vector<output::EnergyRow> runs{{"be", "implicit methods", table},
                                            {"si", "implicit methods", table}};
  const std::string svg = output::energy_plots("bar", runs, core::si_units());
  EXPECT_NE(svg.find("bar: kinetic energy"), std::string::npos);
  EXPECT_NE(svg.find("bar: elastic energy"), std::string::npos);
  for (const char* empty : {"bar: gravity energy", "bar: contact energy", "bar: total energy"})
    EXPECT_EQ(svg.find(empty), std::string::npos) << empty << " does not change";
  EXPECT_EQ(svg.find("-100<"), std::string::npos) << "only changes are drawn";
  EXPECT_EQ(output::energy_plots("bar", {}, core::si_units()), "");
}

TEST(LinePlot, WorkAndPrecisionHasACurvePerMethod) {
  const output::ReportErrors errors{
      .reference = "tr-bdf2",
      .rows = {{"be-0.02", "be", 0.02, 1e-2, 0.1, 0.0, "finished"},
               {"be-0.01", "be", 0.01, 5e-3, 0.2, 0.0, "finished"},
               {"rk4-0.02", "rk4", 0.02, std::nullopt, 0.1, 0.0, "failed"},
               {"si-0.02", "si", 0.02, 1e-3, 0.1, 0.0, "finished"},
               {"si-0.01", "si", 0.01, std::nullopt, 0.1, 0.0, "stopped"}}};
  const std::vector<std::string> runs{"be-0.02", "be-0.01", "rk4-0.02", "si-0.02", "si-0.01"};
  const Legend legend =
      read_legend(output::work_precision_plot("bar", errors, runs, core::si_units()));
  EXPECT_EQ(legend.names(), (std::set<std::string>{"be", "rk4 (failed with dt = 0.02 s)",
                                                   "si (stopped with dt = 0.01 s)"}))
      << "what failed has no point, but is not forgotten";
  // as the first of its runs looks where every run has a curve
  const std::string table = "t,total\n0,0\n1,";
  std::vector<output::EnergyRow> rows;
  for (std::size_t k = 0; k < runs.size(); ++k)
    rows.push_back({runs[k], "", table + std::to_string(k + 1) + "\n"});
  const Legend energies = read_legend(output::energy_plots("bar", rows, core::si_units()));
  ASSERT_EQ(energies.entries.size(), 5U);
  EXPECT_EQ(legend.entries[0].style, energies.entries[0].style);
  EXPECT_EQ(legend.entries[1].style, energies.entries[2].style);
  EXPECT_EQ(legend.entries[2].style, energies.entries[3].style);
  EXPECT_EQ(output::work_precision_plot("bar", {}, {}, core::si_units()), "");
}

TEST(LinePlot, AxesAreInTheUnitsOfTheScene) {
  const core::UnitSystem& md = core::unit_system("md");
  const std::vector<output::EnergyRow> runs{{"be", "", "t,total\n0,0\n1,2\n"}};
  const std::string energies = output::energy_plots("gas", runs, md);
  EXPECT_NE(energies.find("t [ps]"), std::string::npos);
  EXPECT_NE(energies.find("[kJ/mol]"), std::string::npos);
  const output::ReportErrors errors{.reference = "fine",
                                    .rows = {{"a", "a", 0.02, 1e-2, 0.1, 0.0, "finished"}}};
  const std::vector<std::string> names{"a"};
  EXPECT_NE(output::work_precision_plot("gas", errors, names, md).find("error [nm]"),
            std::string::npos);
}

TEST(LinePlot, LongTitlesLoseTheirMiddle) {
  LinePlot plot = many(1);
  std::string name;
  for (int k = 0; k < 150; ++k) name += "\u00e4";
  plot.title = name + ": total energy";
  const std::string svg = output::to_svg(plot);
  EXPECT_EQ(svg.find(plot.title), std::string::npos);
  EXPECT_NE(svg.find("\u00e4\u2026\u00e4"), std::string::npos) << "cut between characters";
  EXPECT_NE(svg.find("\u00e4: total energy</text>"), std::string::npos);
}

TEST(LinePlot, LongNamesStayInsideThePicture) {
  LinePlot plot = many(2);
  plot.curves[0].name = std::string(90, 'm');
  plot.curves[1].name = "a<b&c";
  const std::string svg = output::to_svg(plot);
  const Legend legend = read_legend(svg);
  EXPECT_EQ(legend.entries.size(), 2U);
  EXPECT_NE(svg.find("a&lt;b&amp;c"), std::string::npos);
  expect_readable(legend);
}

TEST(LinePlot, CurvesThatCoincideAreDrawnOnceAndSaidSo) {
  LinePlot plot = many(3);
  for (int k = 0; k < 20; ++k) {
    plot.curves.push_back(plot.curves[1]);
    plot.curves.back().name = "copy-" + std::to_string(k);
  }
  const std::string svg = output::to_svg(plot);
  const Legend legend = read_legend(svg);
  ASSERT_EQ(legend.entries.size(), 3U);
  EXPECT_EQ(legend.names().size(), 23U);
  EXPECT_NE(svg.find("coincide"), std::string::npos);
  expect_readable(legend);
  // what differs visibly is another curve
  plot.curves.back().y[1] += 0.01;
  EXPECT_EQ(read_legend(output::to_svg(plot)).entries.size(), 4U);
  EXPECT_EQ(output::to_svg(many(3)).find("coincide"), std::string::npos);
}

TEST(LinePlot, ACurveOutsideTheAxesIsSaidSo) {
  LinePlot plot = many(2);
  for (double& y : plot.curves[1].y) y += 5.0;
  EXPECT_NE(output::to_svg(plot).find("method-number-1 (not in view)"), std::string::npos);
}

TEST(LinePlot, ASinglePointIsSeen) {
  LinePlot plot;
  plot.curves.push_back({.name = "blown up at once", .x = {0.0}, .y = {0.5}});
  EXPECT_NE(output::to_svg(plot).find("<g class=\"marker\""), std::string::npos);
}

}  // namespace
}  // namespace sinew::test
