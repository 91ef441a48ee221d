// SPDX-License-Identifier: Apache-2.0
// Pictures as rows of pixels, and PNG files of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace sinew::render {

/// Red, green and blue in [0, 1] as screens show them (sRGB).
using Colour = Eigen::Vector3f;

struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;  ///< three bytes per pixel, rows from top to bottom

  /// The first of the three bytes of a pixel.
  std::uint8_t* pixel(int x, int y) { return rgb.data() + 3 * (std::size_t(y) * width + x); }
  const std::uint8_t* pixel(int x, int y) const {
    return rgb.data() + 3 * (std::size_t(y) * width + x);
  }
};

/// An image of one colour.
Image filled_image(int width, int height, const Colour& colour);

/// The bytes of a PNG file. The image must not be empty.
std::string encode_png(const Image& image);

/// Writes the file whole or not at all; throws std::filesystem::filesystem_error.
void write_png(const std::filesystem::path& path, const Image& image);

/// The images from left to right, centred vertically where their heights differ, with gaps of that
/// many pixels between them.
Image side_by_side(std::span<const Image> images, int gap = 0,
                   const Colour& filling = Colour::Ones());

/// The same from top to bottom, aligned at the left.
Image stacked(std::span<const Image> images, int gap = 0, const Colour& filling = Colour::Ones());

}  // namespace sinew::render
