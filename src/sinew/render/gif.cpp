// SPDX-License-Identifier: Apache-2.0
// GIF89a. Colours by median cut: the box of colours with most to gain is cut in two until there
// are enough boxes, and a colour becomes the mean of its box.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <sinew/core/error.hpp>
#include <sinew/render/gif.hpp>

namespace sinew::render {
namespace {

constexpr int colour_bits = 6;  ///< per channel that are told apart
constexpr std::size_t most_colours = 255;
constexpr std::uint8_t transparent = 255;
constexpr int same_colour = 2;  ///< levels, more than the grain of pictures

using Rgb = std::array<std::uint8_t, 3>;

std::size_t bin_of(const std::uint8_t* rgb) {
  constexpr int shift = 8 - colour_bits;
  return (std::size_t(rgb[0] >> shift) << (2 * colour_bits)) |
         (std::size_t(rgb[1] >> shift) << colour_bits) | std::size_t(rgb[2] >> shift);
}

/// Pixels that share a bin.
struct Shade {
  std::size_t bin = 0;
  std::array<double, 3> sum{};
  double count = 0.0;

  double mean(std::size_t channel) const { return sum[channel] / count; }
};

/// Shades [begin, end) and along which channel they differ most.
struct ShadeBox {
  std::size_t begin = 0, end = 0, channel = 0;
  double gain = 0.0;
};

ShadeBox box_of(const std::vector<Shade>& shades, std::size_t begin, std::size_t end) {
  ShadeBox box{.begin = begin, .end = end};
  for (std::size_t channel = 0; channel < 3; ++channel) {
    double low = 255.0, high = 0.0, count = 0.0;
    for (std::size_t k = begin; k < end; ++k) {
      low = std::min(low, shades[k].mean(channel));
      high = std::max(high, shades[k].mean(channel));
      count += shades[k].count;
    }
    // rare colours need their boxes too: the eye follows what is small and moves
    const double gain = end - begin > 1 ? (high - low) * (high - low) * std::sqrt(count) : 0.0;
    if (gain <= box.gain) continue;
    box.gain = gain;
    box.channel = channel;
  }
  return box;
}

struct Palette {
  std::vector<Rgb> colours;
  std::vector<std::uint8_t> number_of_bin;
};

std::vector<Shade> shades_of(const Image& image) {
  std::vector<Shade> bins(std::size_t(1) << (3 * colour_bits));
  for (std::size_t k = 0; k + 2 < image.rgb.size(); k += 3) {
    const std::uint8_t* rgb = &image.rgb[k];
    Shade& shade = bins[bin_of(rgb)];
    shade.bin = bin_of(rgb);
    shade.count += 1.0;
    for (std::size_t c = 0; c < 3; ++c) shade.sum[c] += rgb[c];
  }
  std::erase_if(bins, [](const Shade& shade) { return shade.count == 0.0; });
  return bins;
}

Palette palette_of(const Image& image) {
  std::vector<Shade> shades = shades_of(image);
  std::vector<ShadeBox> boxes{box_of(shades, 0, shades.size())};
  while (boxes.size() < most_colours) {
    const auto widest =
        std::max_element(boxes.begin(), boxes.end(),
                         [](const ShadeBox& a, const ShadeBox& b) { return a.gain < b.gain; });
    if (widest->gain <= 0.0) break;
    const ShadeBox box = *widest;
    const auto first = shades.begin() + static_cast<std::ptrdiff_t>(box.begin);
    const auto last = shades.begin() + static_cast<std::ptrdiff_t>(box.end);
    std::sort(first, last, [&](const Shade& a, const Shade& b) {
      const double x = a.mean(box.channel), y = b.mean(box.channel);
      return x != y ? x < y : a.bin < b.bin;
    });
    const double low = first->mean(box.channel), high = std::prev(last)->mean(box.channel);
    const auto cut = std::partition_point(std::next(first), std::prev(last), [&](const Shade& s) {
      return s.mean(box.channel) < 0.5 * (low + high);
    });
    const auto middle = static_cast<std::size_t>(cut - shades.begin());
    *widest = box_of(shades, box.begin, middle);
    boxes.push_back(box_of(shades, middle, box.end));
  }
  Palette palette;
  palette.colours.reserve(boxes.size());
  palette.number_of_bin.resize(std::size_t(1) << (3 * colour_bits));
  for (const ShadeBox& box : boxes) {
    std::array<double, 3> sum{};
    double count = 0.0;
    for (std::size_t k = box.begin; k < box.end; ++k) {
      palette.number_of_bin[shades[k].bin] = static_cast<std::uint8_t>(palette.colours.size());
      count += shades[k].count;
      for (std::size_t c = 0; c < 3; ++c) sum[c] += shades[k].sum[c];
    }
    Rgb mean{};
    for (std::size_t c = 0; c < 3; ++c)
      mean[c] = static_cast<std::uint8_t>(std::lround(sum[c] / count));
    palette.colours.push_back(mean);
  }
  return palette;
}

void append_number(std::string& bytes, long number) {
  bytes += static_cast<char>(number & 255);
  bytes += static_cast<char>(number >> 8 & 255);
}

/// Codes of a growing number of bits, in blocks of at most 255 bytes.
class CodeWriter {
 public:
  explicit CodeWriter(std::string& bytes) : bytes_(bytes) {}

  void put(unsigned code, unsigned bits) {
    waiting_ |= code << num_bits_;
    num_bits_ += bits;
    while (num_bits_ >= 8) put_byte();
  }
  void finish() {
    if (num_bits_ > 0) put_byte();
    flush();
    bytes_ += '\0';
  }

 private:
  void put_byte() {
    block_ += static_cast<char>(waiting_ & 255U);
    waiting_ >>= 8;
    num_bits_ = num_bits_ > 8 ? num_bits_ - 8 : 0;
    if (block_.size() == 255) flush();
  }
  void flush() {
    if (!block_.empty()) bytes_ += static_cast<char>(block_.size()) + block_;
    block_.clear();
  }

  std::string& bytes_;
  std::string block_;
  unsigned waiting_ = 0, num_bits_ = 0;
};

/// Lempel-Ziv-Welch as GIF has it: known rows of colours are one code.
void append_packed(std::string& bytes, const std::vector<std::uint8_t>& pixels) {
  constexpr unsigned clear = 256, stop = 257, most_codes = 4096;
  constexpr unsigned first_bits = 9;
  std::vector<std::array<std::uint16_t, 256>> longer(most_codes);  // 0: not known
  bytes += '\x08';
  CodeWriter writer(bytes);
  unsigned next = stop + 1, bits = first_bits;
  const auto forget = [&] {
    writer.put(clear, bits);
    for (auto& row : longer) row.fill(0);
    next = stop + 1;
    bits = first_bits;
  };
  forget();
  unsigned code = pixels.front();
  for (std::size_t k = 1; k < pixels.size(); ++k) {
    std::uint16_t& known = longer[code][pixels[k]];
    if (known != 0) {
      code = known;
      continue;
    }
    writer.put(code, bits);
    known = static_cast<std::uint16_t>(next);
    if (next == 1U << bits) ++bits;
    if (++next == most_codes) forget();
    code = pixels[k];
  }
  writer.put(code, bits);
  // the reader has learned one more, and may read a bit more
  if (next == 1U << bits && bits < 12) ++bits;
  writer.put(stop, bits);
  writer.finish();
}

}  // namespace

GifWriter::GifWriter(int width, int height, double rate)
    : width_(width), height_(height), rate_(rate) {
  SINEW_ASSERT(rate > 0.0 && rate <= highest_rate, "GIF films cannot be that fast");
  SINEW_ASSERT(width > 0 && height > 0 && width < 65536 && height < 65536,
               "GIF films cannot have that size");
  bytes_ = "GIF89a";
  append_number(bytes_, width);
  append_number(bytes_, height);
  bytes_.append("\x70\0\0", 3);                                // no colours for all of it
  bytes_.append("\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", 19);  // over and over
}

void GifWriter::add(const Image& image) {
  SINEW_ASSERT(image.width == width_ && image.height == height_, "the film has another size");
  const Palette palette = palette_of(image);
  const bool is_first = shown_.rgb.empty();
  if (is_first) shown_ = image;
  std::vector<std::uint8_t> pixels(image.rgb.size() / 3, transparent);
  for (std::size_t k = 0; k < pixels.size(); ++k) {
    const std::uint8_t* now = &image.rgb[3 * k];
    std::uint8_t* before = &shown_.rgb[3 * k];
    const auto is_same = [&](std::size_t c) { return std::abs(now[c] - before[c]) <= same_colour; };
    if (!is_first && is_same(0) && is_same(1) && is_same(2)) continue;
    std::copy_n(now, 3, before);
    pixels[k] = palette.number_of_bin[bin_of(now)];
  }
  // hundredths of a second, without letting the rounding add up
  const auto time_of = [&](long number) {
    return std::lround(100.0 * static_cast<double>(number) / rate_);
  };
  bytes_.append("\x21\xf9\x04\x05", 4);  // keep what is there; one colour is transparent
  append_number(bytes_, time_of(count_ + 1) - time_of(count_));
  bytes_ += static_cast<char>(transparent);
  bytes_.append("\0\x2c\0\0\0\0", 6);
  append_number(bytes_, width_);
  append_number(bytes_, height_);
  bytes_ += '\x87';  // 256 colours of its own
  for (std::size_t k = 0; k <= most_colours; ++k)
    for (std::size_t c = 0; c < 3; ++c)
      bytes_ += k < palette.colours.size() ? static_cast<char>(palette.colours[k][c]) : '\0';
  append_packed(bytes_, pixels);
  ++count_;
}

std::string GifWriter::finish() {
  bytes_ += ';';
  return std::move(bytes_);
}

}  // namespace sinew::render
