// SPDX-License-Identifier: Apache-2.0
// Films as GIF files: 255 colours per picture, and only what changes from one to the next.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sinew/render/image.hpp>

namespace sinew::render {

class GifWriter {
 public:
  /// Programs that show GIF files take this rate; many slow down what claims to be faster.
  static constexpr double highest_rate = 50.0;

  /// `rate`: pictures per second, at most the highest.
  GifWriter(int width, int height, double rate);

  void add(const Image& image);
  /// The bytes of the file; nothing can be added after that.
  std::string finish();

 private:
  int width_, height_;
  double rate_;
  long count_ = 0;
  Image shown_{};
  std::string bytes_{};
};

}  // namespace sinew::render
