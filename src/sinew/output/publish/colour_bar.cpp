// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <sinew/output/publish/colour_bar.hpp>
#include <sinew/output/publish/ticks.hpp>
#include <sinew/render/colour_map.hpp>
#include <sinew/render/plain_text.hpp>
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

/// Where the title and the bar are: side by side in the middle, or one above the other where the
/// bar would become a stub.
struct BarPlace {
  int left, right, top, bottom, height;
  double title_left, title_base, letters;  ///< the title may need smaller ones

  BarPlace(double title_width, int width, double size) : letters(size) {
    const double space = 1.5 * size, beside = width - title_width - 8.0 * size;
    const bool is_beside = beside >= 0.3 * width;
    const double bar = is_beside ? std::min(0.4 * width, beside)
                                 : std::max(0.0, std::min(0.8 * width, width - 6.0 * size));
    top = static_cast<int>(std::lround((is_beside ? 0.8 : 2.6) * size));
    bottom = top + static_cast<int>(std::lround(1.2 * size));
    height = static_cast<int>(std::ceil((is_beside ? 4.6 : 6.4) * size));
    double start = 0.5 * (width - bar);
    if (is_beside) {
      title_left = 0.5 * (width - title_width - 2.0 * space - bar);
      title_base = bottom - 0.1 * size;
      start = title_left + title_width + 2.0 * space;
    } else {
      const double shrink = std::clamp((width - size) / title_width, 0.0, 1.0);
      letters = shrink * size;
      title_left = 0.5 * (width - shrink * title_width);
      title_base = 1.9 * size;
    }
    left = static_cast<int>(std::lround(start));
    right = left + static_cast<int>(std::lround(bar));
  }
};

/// At commas; what is still too long is cut.
std::vector<std::string> lines_of_name(const std::string& text, double letters, double width) {
  const std::string name = render::plain_text(text);
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t comma = std::min(name.find(", ", begin), name.size());
    std::string line = name.substr(begin, comma - begin);
    if (render::text_width(line, letters) > width) {
      while (!line.empty() && render::text_width(line + "...", letters) > width) line.pop_back();
      line += "...";
    }
    lines.push_back(std::move(line));
    begin = comma + 2;
  }
  return lines;
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
  const Scale scale = scale_for(std::max(std::abs(range.low), std::abs(range.high)), unit);
  std::string title = field_title(field);
  if (!scale.unit.empty()) title += fmt::format(" [{}]", scale.unit);
  const BarPlace place(render::text_width(title, letters), width, letters);
  Image image = render::filled_image(width, place.height, paper(is_dark));
  render::draw_text(image, place.title_left, place.title_base, title, place.letters, ink(is_dark));
  const int left = place.left, right = place.right, bottom = place.bottom;
  draw_colours(image, left, right, place.top, bottom, range);
  const int most = static_cast<int>(std::max(1.0, (right - left) / (6.0 * letters)));
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
  const double room = image.width - 2.0 * letters;
  if (render::text_width(text, letters) > room || image.height < 3.0 * letters) return;
  render::draw_text(image, letters, 2.0 * letters, text, letters, ink(is_dark));
}

double name_width(const std::string& name, double letters, double most) {
  double widest = 0.0;
  for (const std::string& line : lines_of_name(name, letters, most))
    widest = std::max(widest, render::text_width(line, letters));
  return widest;
}

void write_name(Image& image, const std::string& name, double letters, bool is_dark) {
  const double pitch = 1.8 * letters;
  const std::vector<std::string> lines = lines_of_name(name, letters, image.width - letters);
  double base = 0.5 * (image.height + letters - pitch * static_cast<double>(lines.size() - 1));
  for (const std::string& line : lines) {
    render::draw_text(image, letters, base, line, letters, ink(is_dark));
    base += pitch;
  }
}

}  // namespace sinew::output
