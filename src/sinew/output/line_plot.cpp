// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <sinew/output/line_plot.hpp>

namespace sinew::output {
namespace {

constexpr double width = 860.0, height = 520.0;
constexpr double left = 70.0, right = 200.0, top = 46.0, bottom = 56.0;

// distinct also for the most common kinds of colour blindness; then again with dashes
constexpr std::array colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                             "#b8860b", "#56b4e9", "#7a4fbf", "#6b6b6b"};
constexpr std::array dashes{"", "7 4", "2 3"};

/// From numbers to places on the page.
class Axes {
 public:
  explicit Axes(const LinePlot& plot) : plot_(plot) {}

  double x(double value) const {
    const double share = plot_.logarithmic_x
                             ? std::log(value / plot_.x_low) / std::log(plot_.x_high / plot_.x_low)
                             : (value - plot_.x_low) / (plot_.x_high - plot_.x_low);
    return left + share * (width - left - right);
  }
  double y(double value) const {
    const double share = (value - plot_.y_low) / (plot_.y_high - plot_.y_low);
    return height - bottom - share * (height - top - bottom);
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

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return result;
}

std::string grid(const LinePlot& plot, const Axes& axes) {
  std::string svg;
  for (const double tick : axes.x_ticks()) {
    const double x = axes.x(tick);
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>"
        "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4:g}</text>\n",
        x, top, height - bottom, height - bottom + 18.0, tick);
  }
  for (const double tick : axes.y_ticks()) {
    const double y = axes.y(tick);
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{1}\" x2=\"{2}\" y1=\"{0:.1f}\" y2=\"{0:.1f}\"/>"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:g}</text>\n",
        y, left, width - right, left - 8.0, y + 4.0, tick);
  }
  svg += fmt::format(
      "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n"
      "<text transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n"
      "<text class=\"title\" x=\"{}\" y=\"26\">{}</text>\n",
      0.5 * (left + width - right), height - 14.0, escaped(plot.x_label),
      0.5 * (top + height - bottom), escaped(plot.y_label), left, escaped(plot.title));
  return svg;
}

std::string polyline(const Curve& curve, const Axes& axes, const std::string& style) {
  std::string svg, points;
  const auto flush = [&] {
    if (!points.empty()) svg += fmt::format("<polyline {} points=\"{}\"/>\n", style, points);
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

}  // namespace

std::string to_svg(const LinePlot& plot) {
  const Axes axes(plot);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" "
      "font-size=\"13\">\n"
      "<style>text{{fill:#222}}.title{{font-size:16px;font-weight:600}}.page{{fill:#fff}}"
      ".grid{{stroke:#ddd}}"
      "@media(prefers-color-scheme:dark){{text{{fill:#ddd}}.page{{fill:#181a1c}}"
      ".grid{{stroke:#3a3d40}}}}</style>\n"
      "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n",
      width, height);
  svg += grid(plot, axes);
  for (std::size_t k = 0; k < plot.curves.size(); ++k) {
    const std::string style =
        fmt::format("fill=\"none\" stroke-width=\"2\" stroke=\"{}\" stroke-dasharray=\"{}\"",
                    colours[k % colours.size()], dashes[k / colours.size() % dashes.size()]);
    svg += polyline(plot.curves[k], axes, style);
    const double y = top + 8.0 + 21.0 * static_cast<double>(k);
    svg += fmt::format(
        "<line {} x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/><text x=\"{}\" y=\"{}\">{}</text>\n",
        style, width - right + 14.0, width - right + 42.0, y, y, width - right + 50.0, y + 4.0,
        escaped(plot.curves[k].name));
  }
  return svg + "</svg>\n";
}

}  // namespace sinew::output
