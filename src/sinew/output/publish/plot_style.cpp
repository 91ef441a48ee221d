// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <sinew/output/publish/plot_style.hpp>

namespace sinew::output {
namespace {

// distinct also for the most common kinds of colour blindness
constexpr std::array<std::string_view, 8> colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                  "#b8860b", "#56b4e9", "#7a4fbf", "#6b6b6b"};
constexpr std::array<std::string_view, 4> dashes{"", "9 4", "2 3", "10 3 2 3"};
// disc, square, triangle, diamond, triangle on its point, cross; about as large as each other
constexpr std::array<std::string_view, 6> markers{"M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
                                                  "M-3.6-3.6h7.2v7.2h-7.2z",
                                                  "M0-4.8 4.4 3.2h-8.8z",
                                                  "M0-5 5 0 0 5-5 0z",
                                                  "M0 4.8 4.4-3.2h-8.8z",
                                                  "M-1.5-4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z"};
static_assert(colours.size() * dashes.size() * markers.size() == num_plot_styles);

}  // namespace

PlotStyle plot_style(std::size_t curve) {
  const std::size_t colour = curve % colours.size();
  const std::size_t dash = curve / colours.size() % dashes.size();
  const std::size_t round = curve / (colours.size() * dashes.size());
  // neighbours differ in their markers too, which helps where there are no colours: on paper
  return {colours[colour], dashes[dash], markers[(colour + dash + round) % markers.size()]};
}

}  // namespace sinew::output
