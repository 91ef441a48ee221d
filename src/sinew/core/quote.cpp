// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <sinew/core/quote.hpp>

namespace sinew::core {
namespace {

void append_plain(std::string& target, std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F)
      target += fmt::format("\\x{:02x}", byte);
    else
      target += c;
  }
}

/// Whether a character of UTF-8 goes on here.
bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

}  // namespace

std::string in_quotes(std::string_view text, std::size_t longest) {
  std::string result = "'";
  if (text.size() <= longest) {
    append_plain(result, text);
  } else {
    std::size_t head = longest / 2, tail = text.size() - longest / 4;
    while (head > 0 && is_continuation(text[head])) --head;
    while (tail < text.size() && is_continuation(text[tail])) ++tail;
    append_plain(result, text.substr(0, head));
    result += "...";
    append_plain(result, text.substr(tail));
  }
  return result + "'";
}

}  // namespace sinew::core
