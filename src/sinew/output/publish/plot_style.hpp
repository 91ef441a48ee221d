// SPDX-License-Identifier: Apache-2.0
// How the curves of a picture are told apart.
#pragma once

#include <cstddef>
#include <string_view>

namespace sinew::output {

struct PlotStyle {
  std::string_view colour;
  std::string_view dashes;  ///< as SVG writes them; empty: a full line
  std::string_view marker;  ///< an SVG path about the origin

  bool operator==(const PlotStyle&) const = default;
};

/// Colours come round after eight curves, then dashes differ, then markers.
inline constexpr std::size_t num_plot_styles = 192;

/// The first `num_plot_styles` are pairwise different.
PlotStyle plot_style(std::size_t curve);

}  // namespace sinew::output
