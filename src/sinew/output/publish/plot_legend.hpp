// SPDX-License-Identifier: Apache-2.0
// The legend below a picture: columns where names are short, whole lines where they are long.
#pragma once

#include <string>
#include <vector>

#include <sinew/output/publish/plot_style.hpp>

namespace sinew::output {

struct LegendEntry {
  PlotStyle style;
  std::vector<std::string> names;  ///< more than one: their curves coincide
  std::string remark;              ///< after the names; may be empty
};

struct LegendSvg {
  std::string svg;
  double height = 0.0;  ///< [px]
};

/// Between `left` and `right`, downwards from `top` [px].
LegendSvg draw_legend(const std::vector<LegendEntry>& entries, double left, double right,
                      double top);

/// Text as SVG can hold it.
std::string escaped_svg(const std::string& text);

}  // namespace sinew::output
