// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <sinew/output/publish/line_plot.hpp>
#include <sinew/output/publish/plot_legend.hpp>

namespace sinew::output {
namespace {

constexpr double page_width = 960.0;
constexpr double axis_left = 70.0, axis_right = page_width - 24.0, axis_top = 46.0,
                 axis_height = 420.0;
constexpr double axis_bottom = axis_top + axis_height;
constexpr double legend_top = axis_bottom + 66.0, page_margin = 8.0;
constexpr double line_width = 2.0;
constexpr double marker_distance = 96.0;  // along x

/// From numbers to places on the page.
class Axes {
 public:
  explicit Axes(const LinePlot& plot) : plot_(plot) {}

  double x(double value) const {
    const double share = plot_.logarithmic_x
                             ? std::log(value / plot_.x_low) / std::log(plot_.x_high / plot_.x_low)
                             : (value - plot_.x_low) / (plot_.x_high - plot_.x_low);
    return axis_left + share * (axis_right - axis_left);
  }
  double y(double value) const {
    const double share = (value - plot_.y_low) / (plot_.y_high - plot_.y_low);
    return axis_bottom - share * axis_height;
  }
  bool shows(double vx, double vy) const {
    return vx >= plot_.x_low && vx <= plot_.x_high && vy >= plot_.y_low && vy <= plot_.y_high;
  }

  std::vector<double> x_ticks() const {
    if (!plot_.logarithmic_x) return round_ticks(plot_.x_low, plot_.x_high);
    std::vector<double> ticks;
    for (int power = -12; power <= 12; ++power)
      for (const double digit : {1.0, 2.0, 5.0})
        if (const double tick = digit * std::pow(10.0, power);
            tick >= plot_.x_low * (1 - 1e-9) && tick <= plot_.x_high * (1 + 1e-9))
          ticks.push_back(tick);
    return ticks;
  }
  std::vector<double> y_ticks() const { return round_ticks(plot_.y_low, plot_.y_high); }

 private:
  /// Multiples of 1, 2 or 5 times a power of ten, about eight of them.
  static std::vector<double> round_ticks(double low, double high) {
    const double raw = (high - low) / 8.0, power = std::pow(10.0, std::floor(std::log10(raw)));
    double step = 10.0 * power;
    for (const double digit : {5.0, 2.0, 1.0})
      if (digit * power >= raw) step = digit * power;
    std::vector<double> ticks;
    for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k)
      ticks.push_back(k == 0.0 ? 0.0 : k * step);
    return ticks;
  }

  const LinePlot& plot_;
};

std::string grid(const LinePlot& plot, const Axes& axes) {
  std::string svg;
  for (const double tick : axes.x_ticks()) {
    const double x = axes.x(tick);
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>"
        "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4:g}</text>\n",
        x, axis_top, axis_bottom, axis_bottom + 18.0, tick);
  }
  for (const double tick : axes.y_ticks()) {
    const double y = axes.y(tick);
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{1}\" x2=\"{2}\" y1=\"{0:.1f}\" y2=\"{0:.1f}\"/>"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:g}</text>\n",
        y, axis_left, axis_right, axis_left - 8.0, y + 4.0, tick);
  }
  svg += fmt::format(
      "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n"
      "<text transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n"
      "<text class=\"title\" x=\"{}\" y=\"26\">{}</text>\n",
      0.5 * (axis_left + axis_right), axis_bottom + 40.0, escaped_svg(plot.x_label),
      0.5 * (axis_top + axis_bottom), escaped_svg(plot.y_label), axis_left,
      escaped_svg(plot.title));
  return svg;
}

std::string polyline(const Curve& curve, const Axes& axes, const PlotStyle& style) {
  std::string svg, points;
  const auto flush = [&] {
    if (!points.empty())
      svg += fmt::format(
          "<polyline class=\"curve\" stroke=\"{}\" stroke-dasharray=\"{}\" points=\"{}\"/>\n",
          style.colour, style.dashes, points);
    points.clear();
  };
  for (std::size_t k = 0; k < curve.x.size(); ++k) {
    if (axes.shows(curve.x[k], curve.y[k]))
      points += fmt::format("{:.1f},{:.1f} ", axes.x(curve.x[k]), axes.y(curve.y[k]));
    else
      flush();
  }
  flush();
  return svg;
}

/// Markers at equal distances, each curve's somewhere else, so that curves on top of each other
/// show theirs. A curve in view has one at least, even if it is a single point.
std::string draw_markers(const Curve& curve, const Axes& axes, const PlotStyle& style,
                         double offset) {
  std::string places;
  const auto mark = [&](std::size_t k) {
    places += fmt::format("<path d=\"{}\" transform=\"translate({:.1f} {:.1f})\"/>", style.marker,
                          axes.x(curve.x[k]), axes.y(curve.y[k]));
  };
  std::size_t first = curve.x.size();
  double wait = offset, before = 0.0;  // until the next marker, in either direction of x
  for (std::size_t k = 0; k < curve.x.size(); ++k) {
    if (!axes.shows(curve.x[k], curve.y[k])) continue;
    const double x = axes.x(curve.x[k]);
    if (first < curve.x.size()) wait -= std::abs(x - before);
    first = std::min(first, k);
    before = x;
    if (wait > 0.0) continue;
    mark(k);
    while (wait <= 0.0) wait += marker_distance;
  }
  if (places.empty() && first < curve.x.size()) mark(first);
  if (places.empty()) return {};
  return fmt::format("<g class=\"marker\" fill=\"{}\">{}</g>\n", style.colour, places);
}

bool is_in_view(const Curve& curve, const Axes& axes) {
  for (std::size_t k = 0; k < curve.x.size(); ++k)
    if (axes.shows(curve.x[k], curve.y[k])) return true;
  return false;
}

/// Whether a reader could not tell the two apart: nowhere further from each other than lines are
/// wide.
bool coincide(const Curve& a, const Curve& b, const Axes& axes) {
  if (a.x != b.x) return false;
  for (std::size_t k = 0; k < a.x.size(); ++k) {
    const bool in_view = axes.shows(a.x[k], a.y[k]);
    if (in_view != axes.shows(b.x[k], b.y[k])) return false;
    if (in_view && std::abs(axes.y(a.y[k]) - axes.y(b.y[k])) > 0.5 * line_width) return false;
  }
  return true;
}

/// Curves that coincide are drawn once.
struct Group {
  const Curve* curve;
  LegendEntry entry;
};

std::vector<Group> grouped(const std::vector<Curve>& curves, const Axes& axes) {
  std::vector<Group> groups;
  for (const Curve& curve : curves) {
    const bool in_view = is_in_view(curve, axes);
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      return in_view && coincide(*group.curve, curve, axes);
    });
    if (same != groups.end())
      same->entry.names.push_back(curve.name);
    else
      groups.push_back({&curve,
                        {.style = plot_style(groups.size()),
                         .names = {curve.name},
                         .remark = in_view ? "" : "(not in view)"}});
  }
  return groups;
}

}  // namespace

std::string to_svg(const LinePlot& plot) {
  const Axes axes(plot);
  const std::vector<Group> groups = grouped(plot.curves, axes);
  std::vector<LegendEntry> entries;
  std::string lines, marks;
  for (std::size_t k = 0; k < groups.size(); ++k) {
    const Group& group = groups[k];
    entries.push_back(group.entry);
    lines += polyline(*group.curve, axes, group.entry.style);
    // the golden section spreads any number of offsets evenly
    const double offset = marker_distance * std::fmod(0.618 * static_cast<double>(k), 1.0);
    marks += draw_markers(*group.curve, axes, group.entry.style, offset);
  }
  const LegendSvg legend = draw_legend(entries, axis_left, axis_right, legend_top);
  const std::string head = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" "
      "font-size=\"13\">\n"
      "<style>text{{fill:#222}}.title{{font-size:16px;font-weight:600}}.page{{fill:#fff}}"
      ".grid{{stroke:#ddd}}.curve{{fill:none;stroke-width:{}}}.note{{font-style:italic}}"
      ".marker{{stroke:#fff;stroke-width:.8}}"
      "@media(prefers-color-scheme:dark){{text{{fill:#ddd}}.page{{fill:#181a1c}}"
      ".grid{{stroke:#3a3d40}}.marker{{stroke:#181a1c}}}}</style>\n"
      "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n",
      page_width, legend_top + legend.height + page_margin, line_width);
  return head + grid(plot, axes) + lines + marks + legend.svg + "</svg>\n";
}

}  // namespace sinew::output
