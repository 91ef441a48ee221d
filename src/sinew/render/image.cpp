// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <png.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/render/image.hpp>

namespace sinew::render {
namespace {

void require_complete(const Image& image) {
  SINEW_ASSERT(image.width > 0 && image.height > 0, "the image is empty");
  SINEW_ASSERT(image.rgb.size() == 3 * std::size_t(image.width) * std::size_t(image.height),
               "the image has not three bytes per pixel");
}

void paste(const Image& image, int left, int top, Image& onto) {
  for (int y = 0; y < image.height; ++y)
    std::copy_n(image.pixel(0, y), 3 * image.width, onto.pixel(left, top + y));
}

}  // namespace

Image filled_image(int width, int height, const Colour& colour) {
  SINEW_ASSERT(width > 0 && height > 0, "the image is empty");
  Image image{width, height, {}};
  image.rgb.resize(3 * std::size_t(width) * std::size_t(height));
  for (std::size_t k = 0; k < image.rgb.size(); ++k) {
    const float value = std::clamp(colour[static_cast<Eigen::Index>(k % 3)], 0.0f, 1.0f);
    image.rgb[k] = static_cast<std::uint8_t>(std::lround(255.0f * value));
  }
  return image;
}

std::string encode_png(const Image& image) {
  require_complete(image);
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  // up to a fifth larger and six times faster; films are made of many frames
  png.flags = PNG_IMAGE_FLAG_FAST;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::string bytes(size, '\0');
  const int written =
      png_image_write_to_memory(&png, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr);
  SINEW_ASSERT(written, png.message);
  bytes.resize(size);
  return bytes;
}

void write_png(const std::filesystem::path& path, const Image& image) {
  core::write_atomically(path, encode_png(image));
}

Image side_by_side(std::span<const Image> images, int gap, const Colour& filling) {
  SINEW_ASSERT(!images.empty(), "there are no images to put together");
  SINEW_ASSERT(gap >= 0, "a gap cannot be negative");
  int width = gap * (static_cast<int>(images.size()) - 1), height = 0;
  for (const Image& image : images) {
    require_complete(image);
    width += image.width;
    height = std::max(height, image.height);
  }
  Image result = filled_image(width, height, filling);
  int left = 0;
  for (const Image& image : images) {
    paste(image, left, (height - image.height) / 2, result);
    left += image.width + gap;
  }
  return result;
}

Image stacked(std::span<const Image> images, int gap, const Colour& filling) {
  SINEW_ASSERT(!images.empty(), "there are no images to put together");
  SINEW_ASSERT(gap >= 0, "a gap cannot be negative");
  int width = 0, height = gap * (static_cast<int>(images.size()) - 1);
  for (const Image& image : images) {
    require_complete(image);
    width = std::max(width, image.width);
    height += image.height;
  }
  Image result = filled_image(width, height, filling);
  int top = 0;
  for (const Image& image : images) {
    paste(image, 0, top, result);
    top += image.height + gap;
  }
  return result;
}

}  // namespace sinew::render
