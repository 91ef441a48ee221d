// SPDX-License-Identifier: Apache-2.0
// Pictures of curves: whoever reads one must be able to say which curve is whose.
#include <set>

#include <gtest/gtest.h>

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
