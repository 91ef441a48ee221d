// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <sinew/render/glyphs.hpp>
#include <sinew/render/plain_text.hpp>
#include <sinew/render/text.hpp>

namespace sinew::render {
namespace {

using Point = Eigen::Vector2d;
using Line = std::vector<Point>;

// in units of the glyphs
constexpr double letter_gap = 1.7, word_gap = 2.6, stroke_width = 0.75;
constexpr double raised_size = 0.65, raised_by = 3.0;

/// Cuts the corners, over and over: the limit is a quadratic B-spline with the same ends.
Line smoothed(Line line, bool is_closed) {
  constexpr int rounds = 4;
  for (int round = 0; round < rounds; ++round) {
    Line finer;
    finer.reserve(2 * line.size() + 1);
    const std::size_t edges = is_closed ? line.size() : line.size() - 1;
    if (!is_closed) finer.push_back(line.front());
    for (std::size_t k = 0; k < edges; ++k) {
      const Point &a = line[k], &b = line[(k + 1) % line.size()];
      if (is_closed || k > 0) finer.emplace_back(0.75 * a + 0.25 * b);
      if (is_closed || k + 1 < edges) finer.emplace_back(0.25 * a + 0.75 * b);
    }
    if (!is_closed) finer.push_back(line.back());
    line = std::move(finer);
  }
  if (is_closed) line.push_back(line.front());
  return line;
}

Line stroke_of(std::string_view code) {
  const char kind = code.front();
  const bool is_closed = kind == 'o', is_curved = is_closed || kind == '~';
  if (is_curved) code.remove_prefix(1);
  Line line;
  line.reserve(code.size() / 2);
  for (std::size_t k = 0; k + 1 < code.size(); k += 2)
    line.emplace_back(code[k] - '0', code[k + 1] - '0' - glyph_base);
  return is_curved ? smoothed(std::move(line), is_closed) : line;
}

std::vector<Line> strokes_of(std::string_view codes) {
  std::vector<Line> strokes;
  for (std::size_t begin = 0; begin < codes.size();) {
    const std::size_t end = std::min(codes.find(' ', begin), codes.size());
    strokes.push_back(stroke_of(codes.substr(begin, end - begin)));
    begin = end + 1;
  }
  return strokes;
}

/// Calls place(glyph, x, y, size) for every character, in units of the glyphs, and returns the
/// width of it all.
template <class Place>
double lay_out(std::string_view text, const Place& place) {
  double x = 0.0, right = 0.0;
  bool is_raised = false;
  for (const char c : plain_text(text)) {
    if (c == '^') {
      is_raised = true;
      continue;
    }
    if (c == ' ' || c == ']' || c == ')' || c == '/') is_raised = false;
    if (c == ' ') {
      x += word_gap;
      continue;
    }
    const Glyph glyph = find_glyph(c);
    const double size = is_raised ? raised_size : 1.0;
    place(glyph, x, is_raised ? raised_by : 0.0, size);
    right = x + size * glyph.width;
    x = right + size * letter_gap;
  }
  return right;
}

double distance(const Point& p, const Point& a, const Point& b) {
  const Point way = b - a;
  const double length = way.squaredNorm();
  const double share = length > 0.0 ? std::clamp((p - a).dot(way) / length, 0.0, 1.0) : 0.0;
  return (p - a - share * way).norm();
}

/// How much of each pixel of an image is covered by ink.
class Ink {
 public:
  explicit Ink(const Image& image)
      : width_(image.width),
        height_(image.height),
        cover_(std::size_t(image.width) * std::size_t(image.height), 0.0F) {}

  void add(const Point& a, const Point& b, double radius) {
    const Point low = a.cwiseMin(b).array() - radius - 1.0;
    const Point high = a.cwiseMax(b).array() + radius + 1.0;
    const int left = static_cast<int>(std::clamp(low.x(), 0.0, double(width_)));
    const int right = static_cast<int>(std::clamp(high.x(), 0.0, double(width_)));
    const int top = static_cast<int>(std::clamp(low.y(), 0.0, double(height_)));
    const int bottom = static_cast<int>(std::clamp(high.y(), 0.0, double(height_)));
    for (int y = top; y < bottom; ++y)
      for (int x = left; x < right; ++x) {
        const double far = distance(Point(x + 0.5, y + 0.5), a, b);
        float& cover = cover_[std::size_t(y) * std::size_t(width_) + std::size_t(x)];
        cover = std::max(cover, static_cast<float>(std::clamp(radius + 0.5 - far, 0.0, 1.0)));
      }
  }

  void print(Image& image, const Colour& colour) const {
    for (std::size_t k = 0; k < cover_.size(); ++k) {
      if (cover_[k] <= 0.0F) continue;
      for (std::size_t c = 0; c < 3; ++c) {
        std::uint8_t& byte = image.rgb[3 * k + c];
        const float before = byte;
        const float ink = 255.0F * colour[static_cast<Eigen::Index>(c)];
        byte = static_cast<std::uint8_t>(std::lround(before + cover_[k] * (ink - before)));
      }
    }
  }

 private:
  int width_, height_;
  std::vector<float> cover_;
};

}  // namespace

double text_width(std::string_view text, double height) {
  return height / glyph_capital * lay_out(text, [](const Glyph&, double, double, double) {});
}

void draw_text(Image& image, double x, double base, std::string_view text, double height,
               const Colour& colour) {
  const double unit = height / glyph_capital;
  Ink ink(image);
  lay_out(text, [&](const Glyph& glyph, double left, double raise, double size) {
    const auto on_page = [&](const Point& point) {
      return Point(x + unit * (left + size * point.x()), base - unit * (raise + size * point.y()));
    };
    for (const Line& line : strokes_of(glyph.strokes))
      for (std::size_t k = 0; k + 1 < line.size(); ++k)
        ink.add(on_page(line[k]), on_page(line[k + 1]), 0.5 * unit * stroke_width);
  });
  ink.print(image, colour);
}

}  // namespace sinew::render
