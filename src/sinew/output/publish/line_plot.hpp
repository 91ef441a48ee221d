// SPDX-License-Identifier: Apache-2.0
// Curves as an SVG picture: axes, grid, legend, readable on light and dark pages. The picture grows
// with its legend; curves that coincide are drawn once and share an entry there.
#pragma once

#include <string>
#include <vector>

namespace sinew::output {

struct Curve {
  std::string name;
  std::vector<double> x, y;  ///< of one length; points outside the axes are cut off
};

struct LinePlot {
  std::string title, x_label, y_label;
  double x_low = 0.0, x_high = 1.0;
  double y_low = 0.0, y_high = 1.0;
  bool logarithmic_x = false;
  std::vector<Curve> curves;
};

std::string to_svg(const LinePlot& plot);

}  // namespace sinew::output
