// SPDX-License-Identifier: Apache-2.0
// What is written into pictures: times, names, and what the colours mean.
#pragma once

#include <string>

#include <sinew/output/publish/colour_range.hpp>
#include <sinew/render/image.hpp>

namespace sinew::output {

/// How large things are written in a picture of that height: capitals [pixels].
double letter_height(int picture_height);

/// Of paper and ink in light and dark pictures.
render::Colour paper(bool is_dark);
render::Colour ink(bool is_dark);

/// A strip with the colours, their values, and the name and unit of the quantity; a pointed end
/// says that there are values beyond.
render::Image colour_bar(const ColourRange& range, const std::string& field,
                         const std::string& unit, int width, double letters, bool is_dark);

/// Into the upper left corner of the picture, if there is room for it.
void write_corner(render::Image& image, const std::string& text, double letters, bool is_dark);

/// A name beside a row of pictures: broken at its commas, and cut where a part is wider than there
/// is room. `most`: no wider than this [pixels].
double name_width(const std::string& name, double letters, double most);
void write_name(render::Image& image, const std::string& name, double letters, bool is_dark);

}  // namespace sinew::output
