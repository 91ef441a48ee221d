// SPDX-License-Identifier: Apache-2.0
// Pictures one after another in a file.
#pragma once

#include <filesystem>
#include <memory>

#include <sinew/render/image.hpp>

namespace sinew::output {

class Film {
 public:
  virtual ~Film() = default;

  virtual void add(const render::Image& image) = 0;
  /// Once, at the end.
  virtual void finish() = 0;
};

/// By the ending of the file: .gif, or .mp4 with the program ffmpeg. `rate`: pictures per second,
/// at most highest_rate(file). Throws InputError where such films cannot be made.
std::unique_ptr<Film> open_film(const std::filesystem::path& file, int width, int height,
                                double rate);

double highest_rate(const std::filesystem::path& file);

}  // namespace sinew::output
