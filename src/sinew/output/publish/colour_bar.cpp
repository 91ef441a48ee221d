// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <sinew/output/publish/colour_bar.hpp>
#include <sinew/output/publish/ticks.hpp>
#include <sinew/render/colour_map.hpp>
#include <sinew/render/text.hpp>

namespace sinew::output {
namespace {

using render::Colour;
using render::Image;

void set_pixel(Image& image, int x, int y, const Colour& colour) {
  std::uint8_t* rgb = image.pixel(x, y);
  for (Index c = 0; c < 3; ++c)
    rgb[c] = static_cast<std::uint8_t>(std::lround(255.0F * std::clamp(colour[c], 0.0F, 1.0F)));
}

/// Columns [left, right) of the bar; beyond them, on the sides asked for, a point as long as the
/// bar is high.
void draw_colours(Image& image, int left, int right, int top, int bottom,
                  const ColourRange& range) {
  const int point = bottom - top;
  const int first = range.exceeds_low ? left - point : left;
  const int last = range.exceeds_high ? right + point : right;
  for (int x = std::max(first, 0); x < std::min(last, image.width); ++x) {
    const int beyond = std::max({0, left - x, x - right + 1});
    const int cut = beyond / 2;
    const double place = static_cast<double>(x - left) / std::max(1, right - left - 1);
    for (int y = top + cut; y < bottom - cut; ++y)
      set_pixel(image, x, y, render::map_colour(place));
  }
}

}  // namespace

double letter_height(int picture_height) {
  return std::clamp(picture_height / 40.0, 8.0, 48.0);
}

Colour paper(bool is_dark) {
  return is_dark ? Colour(0.08F, 0.085F, 0.10F) : Colour(0.97F, 0.975F, 0.98F);
}

Colour ink(bool is_dark) {
  return is_dark ? Colour(0.86F, 0.87F, 0.89F) : Colour(0.15F, 0.16F, 0.18F);
}

Image colour_bar(const ColourRange& range, const std::string& field, const std::string& unit,
                 int width, double letters, bool is_dark) {
  Image image =
      render::filled_image(width, static_cast<int>(std::ceil(4.6 * letters)), paper(is_dark));
  const Scale scale = scale_for(std::max(std::abs(range.low), std::abs(range.high)), unit);
  std::string title = field_title(field);
  if (!scale.unit.empty()) title += fmt::format(" [{}]", scale.unit);
  const double title_width = render::text_width(title, letters), space = 1.5 * letters;
  // name and bar together in the middle
  const double bar_width =
      std::clamp(0.4 * width, 0.0, std::max(0.0, width - title_width - 8.0 * letters));
  const double start = 0.5 * (width - title_width - 2.0 * space - bar_width);
  const int top = static_cast<int>(std::lround(0.8 * letters));
  const int bottom = top + static_cast<int>(std::lround(1.2 * letters));
  render::draw_text(image, start, bottom - 0.1 * letters, title, letters, ink(is_dark));
  const int left = static_cast<int>(std::lround(start + title_width + 2.0 * space));
  const int right = left + static_cast<int>(std::lround(bar_width));
  draw_colours(image, left, right, top, bottom, range);
  const int most = static_cast<int>(std::max(1.0, bar_width / (6.0 * letters)));
  for (const double tick : round_ticks(range.low / scale.factor, range.high / scale.factor, most)) {
    const double x = left + (right - left) * range.place(tick * scale.factor);
    for (int y = bottom; y < bottom + static_cast<int>(0.45 * letters); ++y)
      set_pixel(image, std::clamp(static_cast<int>(x), 0, width - 1), y, ink(is_dark));
    const std::string label = tick_label(tick);
    render::draw_text(image, x - 0.5 * render::text_width(label, letters), bottom + 1.8 * letters,
                      label, letters, ink(is_dark));
  }
  return image;
}

void write_corner(Image& image, const std::string& text, double letters, bool is_dark) {
  render::draw_text(image, letters, 2.0 * letters, text, letters, ink(is_dark));
}

}  // namespace sinew::output
