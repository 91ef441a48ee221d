// SPDX-License-Identifier: Apache-2.0
// Curves as an SVG picture: axes, grid, legend, readable on light and dark pages. The picture grows
// with its legends; curves that coincide are drawn once and share an entry there.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinew::output {

struct Curve {
  std::string name;
  std::vector<double> x, y;  ///< of one length; points outside the axes are cut off
  std::string family{};      ///< where there are many curves, each family gets axes of its own
  /// Number of its look; not given: a name looks alike wherever it is.
  std::optional<std::size_t> style{};
  std::string remark{};  ///< after its name in the legend
};

struct LinePlot {
  std::string title, x_label, y_label;
  double x_low = 0.0, x_high = 1.0;
  double y_low = 0.0, y_high = 1.0;
  bool logarithmic_x = false, logarithmic_y = false;
  bool marks_points = false;   ///< every point is a measurement and has a marker
  bool fits_families = false;  ///< each has limits of its own: one that blows up hides no other
  std::vector<Curve> curves;
};

/// More curves than this are too many for one pair of axes.
inline constexpr std::size_t most_curves = 10;

std::string to_svg(const LinePlot& plot);
/// Several plots, one below the other; curves look alike if they have the same name, and only then.
std::string to_svg(std::span<const LinePlot> plots);

/// Sets the limits of both axes to what the curves need, with some room.
void fit_axes(LinePlot& plot);

}  // namespace sinew::output
