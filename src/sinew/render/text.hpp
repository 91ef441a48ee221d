// SPDX-License-Identifier: Apache-2.0
// Short labels in pictures: a typeface of our own, drawn with strokes so that it is smooth in any
// size. It has the printable characters of ASCII; others appear as plain_text() has them. A caret
// raises what follows up to the next space or bracket, as in m/s^2.
#pragma once

#include <string_view>

#include <sinew/render/image.hpp>

namespace sinew::render {

/// From the left of the first character to the right of the last; `height` is that of capitals
/// [pixels].
double text_width(std::string_view text, double height);

/// `x` is the left of the text and `base` the line it stands on, from the upper left corner of the
/// image [pixels]. What lies outside of the image is left out.
void draw_text(Image& image, double x, double base, std::string_view text, double height,
               const Colour& colour);

}  // namespace sinew::render
