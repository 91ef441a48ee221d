// SPDX-License-Identifier: Apache-2.0
// The typeface of text.hpp.
#pragma once

#include <string_view>

namespace sinew::render {

/// Strokes are separated by spaces, each a row of points of two digits, x from 0 and y from 0;
/// letters stand on y = 2, capitals reach to 8, small letters to 6. ~ before a stroke: a smooth
/// curve from the first to the last point that is drawn towards the others; o: the same, closed.
struct Glyph {
  int width = 0;
  std::string_view strokes;
};

/// The box for characters that are not there.
Glyph find_glyph(char character);

inline constexpr int glyph_base = 2, glyph_capital = 6;  ///< where letters stand; height above that

}  // namespace sinew::render
