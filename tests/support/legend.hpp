// SPDX-License-Identifier: Apache-2.0
// Reads the legend of a line plot back from its SVG.
#pragma once

#include <regex>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

namespace sinew::test {

struct LegendText {
  double x, y;
  std::string text;
};

struct LegendSample {
  std::tuple<std::string, std::string, std::string> style;  ///< colour, dashes, marker
  double x1, x2, y;
  std::vector<LegendText> lines;
};

struct Legend {
  double width = 0.0, height = 0.0;
  std::vector<LegendSample> entries;

  /// Every name of every entry.
  std::set<std::string> names() const {
    std::set<std::string> result;
    const std::regex separator(" ?\u2261 ?");
    for (const LegendSample& entry : entries)
      for (const LegendText& line : entry.lines) {
        std::sregex_token_iterator part(line.text.begin(), line.text.end(), separator, -1), end;
        for (; part != end; ++part)
          if (part->length() > 0) result.insert(part->str());
      }
    return result;
  }
};

inline Legend read_legend(const std::string& svg) {
  Legend legend;
  std::smatch found;
  if (!std::regex_search(svg, found, std::regex("viewBox=\"0 0 ([0-9.]+) ([0-9.]+)\"")))
    return legend;
  legend.width = std::stod(found[1]);
  legend.height = std::stod(found[2]);
  const std::regex line(
      "<line class=\"curve\" stroke=\"([^\"]*)\" stroke-dasharray=\"([^\"]*)\" "
      "x1=\"([^\"]*)\" x2=\"([^\"]*)\" y1=\"([^\"]*)\"");
  const std::regex marker("<path class=\"marker\"[^>]* d=\"([^\"]*)\"");
  const std::regex text("<text x=\"([^\"]*)\" y=\"([^\"]*)\">([^<]*)</text>");
  const std::string opening = "<g class=\"entry\">";
  for (std::size_t at = svg.find(opening); at != std::string::npos;
       at = svg.find(opening, at + 1)) {
    const std::string group = svg.substr(at, svg.find("</g>", at) - at);
    LegendSample entry{};
    if (std::regex_search(group, found, line)) {
      std::get<0>(entry.style) = found[1];
      std::get<1>(entry.style) = found[2];
      entry.x1 = std::stod(found[3]);
      entry.x2 = std::stod(found[4]);
      entry.y = std::stod(found[5]);
    }
    if (std::regex_search(group, found, marker)) std::get<2>(entry.style) = found[1];
    for (std::sregex_iterator word(group.begin(), group.end(), text), end; word != end; ++word)
      entry.lines.push_back({std::stod((*word)[1]), std::stod((*word)[2]), (*word)[3]});
    legend.entries.push_back(std::move(entry));
  }
  return legend;
}

/// Styles differ, everything is inside the picture, and no text lies on another entry.
inline void expect_readable(const Legend& legend) {
  // 13 px: the mean width of a letter in wide fonts such as DejaVu Sans is 0.6 of that
  constexpr double letter = 7.8, height = 13.0;
  struct Box {
    double x1, x2, y1, y2;
  };
  std::vector<Box> boxes;
  std::set<std::tuple<std::string, std::string, std::string>> styles;
  for (const LegendSample& entry : legend.entries) {
    EXPECT_TRUE(styles.insert(entry.style).second) << "two entries look alike";
    ASSERT_FALSE(entry.lines.empty());
    boxes.push_back({entry.x1, entry.x2, entry.y - 5.0, entry.y + 5.0});
    for (const LegendText& line : entry.lines)
      boxes.push_back({line.x, line.x + letter * static_cast<double>(line.text.size()),
                       line.y - 0.8 * height, line.y + 0.2 * height});
  }
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    const Box& box = boxes[k];
    EXPECT_TRUE(box.x1 >= 0.0 && box.x2 <= legend.width && box.y1 >= 0.0 && box.y2 <= legend.height)
        << "[" << box.x1 << ", " << box.x2 << "] x [" << box.y1 << ", " << box.y2 << "] in "
        << legend.width << " x " << legend.height;
    for (std::size_t other = 0; other < k; ++other)
      EXPECT_TRUE(box.x2 <= boxes[other].x1 || boxes[other].x2 <= box.x1 ||
                  box.y2 <= boxes[other].y1 || boxes[other].y2 <= box.y1)
          << "entries overlap";
  }
}

}  // namespace sinew::test
