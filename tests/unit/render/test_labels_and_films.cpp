// SPDX-License-Identifier: Apache-2.0
// What is written into pictures, cameras that are told where to look, and films read back by a
// decoder of their own.
#include <map>

#include <gtest/gtest.h>

#include <sinew/core/error.hpp>
#include <sinew/render/camera.hpp>
#include <sinew/render/gif.hpp>
#include <sinew/render/glyphs.hpp>
#include <sinew/render/plain_text.hpp>
#include <sinew/render/text.hpp>

namespace sinew::render {
namespace {

int dark_pixels(const Image& image, int left, int right) {
  int count = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = left; x < right; ++x) count += image.pixel(x, y)[0] < 128 ? 1 : 0;
  return count;
}

TEST(Text, EveryCharacterOfAsciiHasAShapeOfItsOwn) {
  std::map<std::string, char> shapes;
  for (char c = '!'; c <= '~'; ++c) {
    const Glyph glyph = find_glyph(c);
    const auto [same, is_new] = shapes.emplace(glyph.strokes, c);
    EXPECT_TRUE(is_new) << c << " looks like " << same->second;
    if (c == '^') continue;  // raises what follows
    Image image = filled_image(40, 40, Colour::Ones());
    draw_text(image, 10, 28, std::string(1, c), 18, Colour::Zero());
    EXPECT_GT(dark_pixels(image, 0, 40), 1) << c;
  }
  EXPECT_EQ(find_glyph('\x80').strokes, find_glyph('\n').strokes) << "the box";
}

TEST(Text, NamesOfOtherLanguagesCanBeRead) {
  EXPECT_EQ(plain_text("Tr\u00e4ger \u0141\u00f3d\u017a \u00df"), "Trager Lodz ss");
  EXPECT_EQ(plain_text("\u03bd = 0.3, 5 \u00b5m, 90\u00b0"), "nu = 0.3, 5 um, 90deg");
  EXPECT_EQ(plain_text("\u68c1 a"), "\x7f a") << "one box for a character";
  EXPECT_EQ(plain_text("a\xc3"), "a\x7f") << "half a character";
  EXPECT_EQ(plain_text("\x80\xe4\x62"), "\x7f\x7f\x62") << "no UTF-8";
  EXPECT_EQ(text_width("\u00e4\u00f6\u00fc", 20.0), text_width("aou", 20.0));
}

TEST(Text, StaysWithinItsWidthAndStandsOnItsLine) {
  const std::string text = "von Mises stress [MPa] 0123";
  const double width = text_width(text, 20.0);
  Image image = filled_image(600, 60, Colour::Ones());
  draw_text(image, 20.0, 40.0, text, 20.0, Colour::Zero());
  EXPECT_EQ(dark_pixels(image, 0, 18), 0);
  EXPECT_EQ(dark_pixels(image, 22 + static_cast<int>(width), 600), 0);
  EXPECT_GT(dark_pixels(image, 18, 22 + static_cast<int>(width)), 500);
  for (int x = 0; x < image.width; ++x) {
    EXPECT_GT(image.pixel(x, 15)[0], 128) << "nothing is higher than brackets";
    EXPECT_GT(image.pixel(x, 50)[0], 128);
  }
  EXPECT_NEAR(text_width(text, 40.0), 2.0 * width, 1e-9);
}

TEST(Text, IsCutOffAtTheEdgesOfThePicture) {
  Image image = filled_image(30, 20, Colour::Ones());
  draw_text(image, -20.0, 25.0, "mmmmmmmm", 18.0, Colour::Zero());
  EXPECT_GT(dark_pixels(image, 0, 30), 0);
  draw_text(image, 1e6, -1e6, "far away", 18.0, Colour::Zero());
}

TEST(Text, CaretsRaise) {
  EXPECT_LT(text_width("m^2", 20.0), text_width("m2", 20.0));
  Image image = filled_image(60, 40, Colour::Ones());
  draw_text(image, 0.0, 30.0, " ^2", 20.0, Colour::Zero());
  for (int y = 24; y < 40; ++y)
    for (int x = 0; x < 60; ++x) EXPECT_GT(image.pixel(x, y)[0], 128) << "above the line";
}

TEST(Camera, CanBeToldWhereItIsAndWhereItLooks) {
  const Camera framed = frame_box({{-1, -1, 0}, {1, 1, 1}});
  const Vec3 eye(5, 0, 1), target(0, 0.5, 1);
  const Camera camera = aim(framed, eye, target);
  EXPECT_LT(camera.project(target).norm(), 1e-12) << "in the middle";
  EXPECT_GT(camera.project(target + Vec3::UnitZ()).y(), 0.0);
  EXPECT_EQ(camera.eye, eye);
  EXPECT_EQ(camera.radius, framed.radius) << "lights stay";
  EXPECT_TRUE(aim(framed, {0, 0, 9}, {0, 0, 0}).right.allFinite()) << "straight down";
  EXPECT_THROW(aim(framed, eye, eye), InternalError);
}

TEST(Stacked, PutsImagesBelowEachOther) {
  const std::vector<Image> images{filled_image(4, 2, Colour::UnitX()),
                                  filled_image(6, 3, Colour::UnitY())};
  const Image column = stacked(images, 1, Colour::UnitZ());
  EXPECT_EQ(column.width, 6);
  EXPECT_EQ(column.height, 6);
  EXPECT_EQ(column.pixel(3, 1)[0], 255);
  EXPECT_EQ(column.pixel(5, 1)[2], 255) << "right of the narrow one";
  EXPECT_EQ(column.pixel(0, 2)[2], 255) << "the gap";
  EXPECT_EQ(column.pixel(5, 5)[1], 255);
}

// ---- films -----------------------------------------------------------------------------------

/// Reads what GifWriter writes, by the book.
class GifReader {
 public:
  explicit GifReader(std::string bytes) : bytes_(std::move(bytes)) {
    EXPECT_EQ(bytes_.substr(0, 6), "GIF89a");
    at_ = 6;
    width = number();
    height = number();
    at_ += 3;
    shown_ = filled_image(width, height, Colour::Zero());
    while (next()) {
    }
  }

  int width = 0, height = 0;
  std::vector<Image> images;
  std::vector<int> delays;

 private:
  unsigned byte() { return static_cast<unsigned char>(bytes_.at(at_++)); }
  int number() {
    const unsigned low = byte();
    return static_cast<int>(low + 256 * byte());
  }
  std::string blocks() {
    std::string data;
    while (const unsigned size = byte()) {
      data += bytes_.substr(at_, size);
      at_ += size;
    }
    return data;
  }

  bool next() {
    const unsigned kind = byte();
    if (kind == 0x3b) return false;
    if (kind == 0x21) {
      const unsigned label = byte();
      const std::string data = blocks();
      if (label == 0xf9) {
        delays.push_back(static_cast<unsigned char>(data[1]) + 256 * data[2]);
        EXPECT_EQ(data[0] & 1, 1);
        transparent_ = static_cast<unsigned char>(data[3]);
      }
      return true;
    }
    EXPECT_EQ(kind, 0x2cU);
    at_ += 8;
    EXPECT_EQ(byte(), 0x87U);
    const std::string colours = bytes_.substr(at_, 768);
    at_ += 768;
    EXPECT_EQ(byte(), 8U);
    const std::vector<unsigned> pixels = unpacked(blocks());
    EXPECT_EQ(pixels.size(), shown_.rgb.size() / 3);
    for (std::size_t k = 0; k < std::min(pixels.size(), shown_.rgb.size() / 3); ++k)
      if (pixels[k] != transparent_)
        for (std::size_t c = 0; c < 3; ++c)
          shown_.rgb[3 * k + c] = static_cast<std::uint8_t>(colours[3 * pixels[k] + c]);
    images.push_back(shown_);
    return true;
  }

  static std::vector<unsigned> unpacked(const std::string& data) {
    std::vector<unsigned> pixels;
    std::vector<std::vector<unsigned>> words;
    unsigned bits = 9;
    std::size_t at = 0;
    std::vector<unsigned> before;
    const auto clear = [&] {
      words.clear();
      for (unsigned k = 0; k < 258; ++k) words.push_back({k});
      bits = 9;
      before.clear();
    };
    clear();
    while (at + bits <= 8 * data.size()) {
      unsigned code = 0;
      for (unsigned b = 0; b < bits; ++b, ++at)
        code |= (static_cast<unsigned char>(data[at / 8]) >> at % 8 & 1U) << b;
      if (code == 257) return pixels;
      if (code == 256) {
        clear();
        continue;
      }
      std::vector<unsigned> word = code < words.size() ? words[code] : before;
      if (code >= words.size()) word.push_back(before.front());
      pixels.insert(pixels.end(), word.begin(), word.end());
      if (!before.empty() && words.size() < 4096) {
        before.push_back(word.front());
        words.push_back(before);
        if (words.size() == 1U << bits && bits < 12) ++bits;
      }
      before = word;
    }
    ADD_FAILURE() << "no end";
    return pixels;
  }

  std::string bytes_;
  std::size_t at_ = 0;
  unsigned transparent_ = 256;
  Image shown_;
};

/// Noise of few colours is hard to pack and exact to show.
Image noise(int width, int height, unsigned seed) {
  Image image = filled_image(width, height, Colour::Zero());
  for (std::uint8_t& byte : image.rgb) {
    seed = seed * 1664525U + 1013904223U;
    byte = static_cast<std::uint8_t>((seed >> 30) * 85);
  }
  return image;
}

TEST(Gif, ReadsBackPixelForPixel) {
  const std::vector<Image> film{noise(97, 61, 1), noise(97, 61, 1), noise(97, 61, 2),
                                filled_image(97, 61, Colour::UnitY())};
  GifWriter writer(97, 61, 30.0);
  for (const Image& image : film) writer.add(image);
  const GifReader back(writer.finish());
  EXPECT_EQ(back.width, 97);
  EXPECT_EQ(back.height, 61);
  ASSERT_EQ(back.images.size(), film.size());
  for (std::size_t k = 0; k < film.size(); ++k) EXPECT_EQ(back.images[k].rgb, film[k].rgb) << k;
  EXPECT_EQ(back.delays, (std::vector<int>{3, 4, 3, 3})) << "a third of a second in ten pictures";
}

TEST(Gif, ManyColoursAreNearlyKept) {
  Image image = filled_image(256, 128, Colour::Zero());
  for (int y = 0; y < 128; ++y)
    for (int x = 0; x < 256; ++x) {
      image.pixel(x, y)[0] = static_cast<std::uint8_t>(x);
      image.pixel(x, y)[1] = static_cast<std::uint8_t>(2 * y);
    }
  GifWriter writer(256, 128, 25.0);
  writer.add(image);
  const GifReader back(writer.finish());
  ASSERT_EQ(back.images.size(), 1U);
  int worst = 0;
  for (std::size_t k = 0; k < image.rgb.size(); ++k)
    worst = std::max(worst, std::abs(image.rgb[k] - back.images[0].rgb[k]));
  // 255 squares in 256 x 256 colours have sides of 16: nothing is further than half of two of them
  EXPECT_LE(worst, 16);
}

TEST(Gif, RefusesWhatTheFormatCannotDo) {
  EXPECT_THROW(GifWriter(10, 10, 100.0), InternalError);
  EXPECT_THROW(GifWriter(70000, 10, 25.0), InternalError);
  GifWriter writer(10, 10, 25.0);
  EXPECT_THROW(writer.add(filled_image(9, 10, Colour::Zero())), InternalError);
}

}  // namespace
}  // namespace sinew::render
