// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdint>

#include <sinew/render/plain_text.hpp>

namespace sinew::render {
namespace {

// U+00C0 to U+017F, two characters each
constexpr std::string_view latin =
    "A A A A A A AEC E E E E I I I I D N O O O O O * O U U U U Y Thss"
    "a a a a a a aec e e e e i i i i d n o o o o o / o u u u u y thy "
    "A a A a A a C c C c C c C c D d D d E e E e E e E e E e G g G g "
    "G g G g H h H h I i I i I i I i I i IJijJ j K k k L l L l L l L "
    "l L l N n N n N n n N n O o O o O o OEoeR r R r R r S s S s S s "
    "S s T t T t T t U u U u U u U u U u U u W w Y y Y Z z Z z Z z s ";
constexpr std::uint32_t first_latin = 0xC0, last_latin = 0x17F;
static_assert(latin.size() == 2 * (last_latin - first_latin + 1));

// U+03B1 to U+03C9
constexpr std::array<std::string_view, 25> greek{
    "alpha", "beta",   "gamma",   "delta", "epsilon", "zeta", "eta",  "theta", "iota",
    "kappa", "lambda", "mu",      "nu",    "xi",      "o",    "pi",   "rho",   "s",
    "sigma", "tau",    "upsilon", "phi",   "chi",     "psi",  "omega"};
constexpr std::uint32_t first_greek = 0x3B1;

struct Sign {
  std::uint32_t code;
  std::string_view text;
};
constexpr std::array signs{
    Sign{0xA0, " "},    Sign{0xB0, "deg"},  Sign{0xB1, "+-"},    Sign{0xB2, "^2"},
    Sign{0xB3, "^3"},   Sign{0xB5, "u"},    Sign{0xB7, "*"},     Sign{0xD7, "x"},
    Sign{0x2013, "-"},  Sign{0x2014, "-"},  Sign{0x2018, "'"},   Sign{0x2019, "'"},
    Sign{0x201C, "\""}, Sign{0x201D, "\""}, Sign{0x2026, "..."}, Sign{0x2212, "-"}};

constexpr char unknown = '\x7f';

std::string plain(std::uint32_t code) {
  if (const auto found = std::ranges::find(signs, code, &Sign::code); found != signs.end())
    return std::string(found->text);
  if (code >= first_latin && code <= last_latin) {
    const std::string_view letters = latin.substr(2 * (code - first_latin), 2);
    return std::string(letters.substr(0, letters[1] == ' ' ? 1 : 2));
  }
  if (code >= first_greek && code < first_greek + greek.size())
    return std::string(greek[code - first_greek]);
  return {unknown};
}

/// Bytes of the character that begins with this one; 0: none does.
std::size_t length_of(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

}  // namespace

std::string plain_text(std::string_view text) {
  std::string result;
  for (std::size_t k = 0; k < text.size();) {
    const auto first = static_cast<unsigned char>(text[k]);
    const std::size_t length = length_of(first);
    const auto goes_on = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
    if (length == 0 || k + length > text.size() ||
        !std::ranges::all_of(text.substr(k + 1, length - 1), goes_on)) {
      result += unknown;
      ++k;
      continue;
    }
    if (length == 1) {
      result += text[k++];
      continue;
    }
    std::uint32_t code = first & (0xFFU >> (length + 1));
    for (std::size_t more = 1; more < length; ++more)
      code = code << 6U | (static_cast<unsigned char>(text[k + more]) & 0x3FU);
    result += plain(code);
    k += length;
  }
  return result;
}

}  // namespace sinew::render
