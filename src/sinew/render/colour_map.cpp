// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include <sinew/render/colour_map.hpp>

namespace sinew::render {
namespace {

constexpr std::array<std::array<float, 3>, 10> points{{{0.27f, 0.00f, 0.33f},
                                                       {0.28f, 0.16f, 0.47f},
                                                       {0.24f, 0.29f, 0.54f},
                                                       {0.19f, 0.41f, 0.56f},
                                                       {0.15f, 0.51f, 0.56f},
                                                       {0.12f, 0.62f, 0.54f},
                                                       {0.21f, 0.72f, 0.47f},
                                                       {0.43f, 0.80f, 0.35f},
                                                       {0.71f, 0.87f, 0.17f},
                                                       {0.99f, 0.91f, 0.14f}}};

}  // namespace

Colour map_colour(double value) {
  if (std::isnan(value)) return Colour::Constant(0.6f);
  const double place = std::clamp(value, 0.0, 1.0) * static_cast<double>(points.size() - 1);
  const auto k = std::min(static_cast<std::size_t>(place), points.size() - 2);
  const auto share = static_cast<float>(place - static_cast<double>(k));
  const Eigen::Map<const Colour> low(points[k].data()), high(points[k + 1].data());
  return low + share * (high - low);
}

}  // namespace sinew::render
