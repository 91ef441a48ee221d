// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <sinew/output/publish/plot_legend.hpp>

namespace sinew::output {
namespace {

// Nobody knows the font that a picture will be shown with: this is more than the wide ones need at
// 13 px on average, DejaVu Sans among them.
constexpr double letter = 8.2;
constexpr double sample = 42.0, gap = 10.0;  // of a line with its marker; before the name [px]
constexpr double row_height = 21.0;
constexpr double column_space = 22.0;

/// The names as lines that are no longer than `width`. Names are kept in one piece.
std::vector<std::string> wrapped(const LegendEntry& entry, double width) {
  const auto longest = static_cast<std::size_t>(std::max(1.0, std::floor(width / letter)));
  std::vector<std::string> lines(1);
  for (std::size_t k = 0; k < entry.names.size(); ++k) {
    std::string word = entry.names[k];
    if (k + 1 < entry.names.size())
      word += " \u2261";  // names may hold an equals sign
    else if (!entry.remark.empty())
      word += " " + entry.remark;
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > longest)
      lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += word;
  }
  return lines;
}

double text_width(const std::string& text) {
  return letter * static_cast<double>(text.size());
}

std::string draw_entry(const PlotStyle& style, const std::vector<std::string>& lines, double x,
                       double y) {
  std::string svg = fmt::format(
      "<g class=\"entry\"><line class=\"curve\" stroke=\"{0}\" stroke-dasharray=\"{1}\" "
      "x1=\"{3:.1f}\" x2=\"{4:.1f}\" y1=\"{5:.1f}\" y2=\"{5:.1f}\"/>"
      "<path class=\"marker\" fill=\"{0}\" d=\"{2}\" transform=\"translate({6:.1f} {5:.1f})\"/>",
      style.colour, style.dashes, style.marker, x, x + sample, y, x + 0.5 * sample);
  for (std::size_t k = 0; k < lines.size(); ++k)
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", x + sample + gap,
                       y + 4.0 + row_height * static_cast<double>(k), escaped_svg(lines[k]));
  return svg + "</g>\n";
}

}  // namespace

std::string escaped_svg(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return result;
}

LegendSvg draw_legend(const std::vector<LegendEntry>& entries, double left, double right,
                      double top) {
  const double room = right - left - sample - gap;
  // names that need more than a third of the width get lines of their own, below the columns
  const double narrow = (right - left) / 3.0 - sample - gap - column_space;
  std::vector<const LegendEntry*> in_columns, in_lines;
  double widest = 0.0;
  for (const LegendEntry& entry : entries) {
    const std::vector<std::string> lines = wrapped(entry, room);
    const double width = text_width(lines.front());
    const bool is_short = lines.size() == 1 && width <= narrow;
    (is_short ? in_columns : in_lines).push_back(&entry);
    if (is_short) widest = std::max(widest, width);
  }
  LegendSvg legend;
  double y = top;
  const double pitch = sample + gap + widest + column_space;
  const auto columns =
      static_cast<std::size_t>(std::max(1.0, std::floor((right - left + column_space) / pitch)));
  const std::size_t rows = (in_columns.size() + columns - 1) / columns;
  for (std::size_t k = 0; k < in_columns.size(); ++k) {
    // down the columns, as one reads a list
    const std::size_t column = k / rows, line = k % rows;
    legend.svg += draw_entry(in_columns[k]->style, wrapped(*in_columns[k], room),
                             left + pitch * static_cast<double>(column),
                             y + row_height * static_cast<double>(line));
  }
  y += row_height * static_cast<double>(rows);
  for (const LegendEntry* entry : in_lines) {
    const std::vector<std::string> lines = wrapped(*entry, room);
    legend.svg += draw_entry(entry->style, lines, left, y);
    y += row_height * static_cast<double>(lines.size());
  }
  const auto is_shared = [](const LegendEntry& entry) { return entry.names.size() > 1; };
  if (std::any_of(entries.begin(), entries.end(), is_shared)) {
    legend.svg += fmt::format(
        "<text class=\"note\" x=\"{}\" y=\"{:.1f}\">a \u2261 b: the curves of a and b coincide; "
        "they "
        "differ by less than their width</text>\n",
        left, y + 4.0);
    y += row_height;
  }
  legend.height = y - top;
  return legend;
}

}  // namespace sinew::output
