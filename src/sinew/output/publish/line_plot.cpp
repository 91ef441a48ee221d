// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include <sinew/output/publish/line_plot.hpp>
#include <sinew/output/publish/plot_legend.hpp>
#include <sinew/output/publish/ticks.hpp>

namespace sinew::output {
namespace {

constexpr double page_width = 960.0;
constexpr double axis_left = 84.0, axis_right = page_width - 24.0, title_room = 46.0,
                 axis_height = 420.0;
constexpr double legend_room = 66.0, panel_gap = 14.0, page_margin = 8.0;
constexpr double line_width = 2.0;
constexpr std::size_t most_in_title = 84;  // characters of 16 px, in a wide font
constexpr double marker_distance = 96.0;   // along x

/// From numbers to places on the page.
class Axes {
 public:
  Axes(const LinePlot& plot, double top) : plot_(plot), top_(top + title_room) {}

  double top() const { return top_; }
  double bottom() const { return top_ + axis_height; }
  double x(double value) const {
    return axis_left +
           (axis_right - axis_left) * share(value, plot_.x_low, plot_.x_high, plot_.logarithmic_x);
  }
  double y(double value) const {
    return bottom() - axis_height * share(value, plot_.y_low, plot_.y_high, plot_.logarithmic_y);
  }
  bool shows(double vx, double vy) const {
    return vx >= plot_.x_low && vx <= plot_.x_high && vy >= plot_.y_low && vy <= plot_.y_high;
  }

  std::vector<double> x_ticks() const {
    return plot_.logarithmic_x ? logarithmic_ticks(plot_.x_low, plot_.x_high)
                               : round_ticks(plot_.x_low, plot_.x_high);
  }
  std::vector<double> y_ticks() const {
    return plot_.logarithmic_y ? logarithmic_ticks(plot_.y_low, plot_.y_high)
                               : round_ticks(plot_.y_low, plot_.y_high);
  }

 private:
  static double share(double value, double low, double high, bool is_logarithmic) {
    return is_logarithmic ? std::log(value / low) / std::log(high / low)
                          : (value - low) / (high - low);
  }

  const LinePlot& plot_;
  double top_;
};

/// Without its middle, where it is longer than so many characters.
std::string shortened(const std::string& text, std::size_t most) {
  std::vector<std::size_t> starts;  // of the characters; UTF-8 has some of several bytes
  for (std::size_t k = 0; k < text.size(); ++k)
    if ((static_cast<unsigned char>(text[k]) & 0xC0U) != 0x80U) starts.push_back(k);
  if (starts.size() <= most) return text;
  const std::size_t head = most / 2, tail = most - head - 1;
  return text.substr(0, starts[head]) + "\u2026" + text.substr(starts[starts.size() - tail]);
}

std::string grid(const LinePlot& plot, const Axes& axes) {
  std::string svg;
  for (const double tick : axes.x_ticks()) {
    const double x = axes.x(tick);
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>"
        "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4}</text>\n",
        x, axes.top(), axes.bottom(), axes.bottom() + 18.0, tick_label(tick));
  }
  for (const double tick : axes.y_ticks()) {
    const double y = axes.y(tick);
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{1}\" x2=\"{2}\" y1=\"{0:.1f}\" y2=\"{0:.1f}\"/>"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
        y, axis_left, axis_right, axis_left - 8.0, y + 4.0, tick_label(tick));
  }
  svg += fmt::format(
      "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n"
      "<text transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n"
      "<text class=\"title\" x=\"{}\" y=\"{}\">{}</text>\n",
      0.5 * (axis_left + axis_right), axes.bottom() + 40.0, escaped_svg(plot.x_label),
      0.5 * (axes.top() + axes.bottom()), escaped_svg(plot.y_label), axis_left, axes.top() - 20.0,
      escaped_svg(shortened(plot.title, most_in_title)));
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
                         double offset, bool all) {
  std::string places;
  const auto mark = [&](std::size_t k) {
    places += fmt::format("<path d=\"{}\" transform=\"translate({:.1f} {:.1f})\"/>", style.marker,
                          axes.x(curve.x[k]), axes.y(curve.y[k]));
  };
  std::size_t first = curve.x.size();
  double wait = offset, before = 0.0;  // until the next marker, in either direction of x
  for (std::size_t k = 0; k < curve.x.size(); ++k) {
    if (!axes.shows(curve.x[k], curve.y[k])) continue;
    if (all) {
      mark(k);
      continue;
    }
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

/// The number of the style of every curve so far: a name looks the same wherever it is drawn.
using Styles = std::map<std::string, std::size_t>;

/// Curves that coincide are drawn once.
struct Group {
  const Curve* curve;
  LegendEntry entry;
};

std::vector<Group> grouped(const std::vector<Curve>& curves, const Axes& axes, Styles& styles) {
  std::vector<Group> groups;
  groups.reserve(curves.size());
  for (const Curve& curve : curves) {
    const bool in_view = is_in_view(curve, axes);
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      return in_view && coincide(*group.curve, curve, axes);
    });
    if (same != groups.end())
      same->entry.names.push_back(curve.name);
    else
      groups.push_back({&curve,
                        {.style = plot_style(curve.style.value_or(
                             styles.emplace(curve.name, styles.size()).first->second)),
                         .names = {curve.name},
                         .remark = !curve.remark.empty() ? curve.remark
                                   : in_view             ? ""
                                                         : "(not in view)"}});
  }
  return groups;
}

/// A plot on the page.
struct Panel {
  std::string svg;
  double bottom = 0.0;
};

Panel draw_panel(const LinePlot& plot, double top, Styles& styles) {
  const Axes axes(plot, top);
  const std::vector<Group> groups = grouped(plot.curves, axes, styles);
  std::vector<LegendEntry> entries;
  entries.reserve(groups.size());
  std::string lines, marks;
  for (std::size_t k = 0; k < groups.size(); ++k) {
    const Group& group = groups[k];
    entries.push_back(group.entry);
    lines += polyline(*group.curve, axes, group.entry.style);
    // the golden section spreads any number of offsets evenly
    const double offset = marker_distance * std::fmod(0.618 * static_cast<double>(k), 1.0);
    marks += draw_markers(*group.curve, axes, group.entry.style, offset, plot.marks_points);
  }
  const double legend_top = axes.bottom() + legend_room;
  const LegendSvg legend = draw_legend(entries, axis_left, axis_right, legend_top);
  return {grid(plot, axes) + lines + marks + legend.svg, legend_top + legend.height};
}

/// One plot for each family, in the order in which they come, if there are too many curves.
std::vector<LinePlot> in_families(const LinePlot& plot) {
  if (plot.curves.size() <= most_curves) return {plot};
  std::vector<LinePlot> plots;
  std::vector<std::string> families;
  for (const Curve& curve : plot.curves) {
    const auto found = std::find(families.begin(), families.end(), curve.family);
    const auto place = static_cast<std::size_t>(found - families.begin());
    if (found == families.end()) {
      families.push_back(curve.family);
      plots.push_back(plot);
      plots.back().curves.clear();
      if (!curve.family.empty()) plots.back().title += fmt::format(": {}", curve.family);
    }
    plots[place].curves.push_back(curve);
  }
  if (plot.fits_families)
    for (LinePlot& family : plots) fit_axes(family);
  return plots;
}

/// Limits that hold all values, and that share of the extent beyond on both sides.
void fit(const std::vector<Curve>& curves, std::vector<double> Curve::*values, bool is_logarithmic,
         double room, double& low, double& high) {
  low = std::numeric_limits<double>::infinity();
  high = -low;
  for (const Curve& curve : curves)
    for (const double value : curve.*values) {
      if (!std::isfinite(value) || (is_logarithmic && value <= 0.0)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  if (!(low <= high)) low = high = is_logarithmic ? 1.0 : 0.0;
  if (is_logarithmic) {
    const double factor = std::max(std::pow(high / low, room), 1.2);
    low /= factor;
    high *= factor;
    return;
  }
  const double size = std::max(std::abs(low), std::abs(high));
  if (high - low <= 1e-9 * size || size == 0.0) {
    low -= size > 0.0 ? 0.5 * size : 1.0;
    high += size > 0.0 ? 0.5 * size : 1.0;
  }
  const double extent = high - low;
  low -= room * extent;
  high += room * extent;
}

}  // namespace

void fit_axes(LinePlot& plot) {
  constexpr double room = 0.05;
  fit(plot.curves, &Curve::x, plot.logarithmic_x, plot.logarithmic_x ? room : 0.0, plot.x_low,
      plot.x_high);
  fit(plot.curves, &Curve::y, plot.logarithmic_y, room, plot.y_low, plot.y_high);
}

std::string to_svg(const LinePlot& plot) {
  return to_svg(std::span(&plot, 1));
}

std::string to_svg(std::span<const LinePlot> plots) {
  std::string content;
  double bottom = 0.0;
  Styles styles;
  for (const LinePlot& plot : plots)
    for (const LinePlot& part : in_families(plot)) {
      const Panel panel = draw_panel(part, bottom > 0.0 ? bottom + panel_gap : 0.0, styles);
      content += panel.svg;
      bottom = panel.bottom;
    }
  const std::string head = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" "
      "font-size=\"13\">\n"
      "<style>text{{fill:#222}}.title{{font-size:16px;font-weight:600}}.page{{fill:#fff}}"
      ".grid{{stroke:#ddd}}.curve{{fill:none;stroke-width:{}}}.note{{font-style:italic}}"
      ".marker{{stroke:#fff;stroke-width:.8}}"
      "@media(prefers-color-scheme:dark){{text{{fill:#ddd}}.page{{fill:#181a1c}}"
      ".grid{{stroke:#3a3d40}}.marker{{stroke:#181a1c}}}}</style>\n"
      "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n",
      page_width, bottom + page_margin, line_width);
  return head + content + "</svg>\n";
}

}  // namespace sinew::output
