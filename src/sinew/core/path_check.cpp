// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <sinew/core/path_check.hpp>
#include <sinew/core/quote.hpp>

namespace sinew::core {

std::optional<Problem> find_path_problem(const std::filesystem::path& path) {
  // of Linux, and of every file system in use on it
  constexpr std::size_t longest_name = 255, longest_path = 4095;
  const std::string text = path.string();
  if (has_control_characters(text))
    return Problem{
        .what = fmt::format("there is a control character in the file name {}", in_quotes(text)),
        .hint = "use letters, digits and punctuation"};
  for (const std::filesystem::path& part : path)
    if (part.native().size() > longest_name)
      return Problem{.what = fmt::format("the file name {} has {} bytes", in_quotes(part.string()),
                                         part.native().size()),
                     .hint = fmt::format("file systems take at most {}", longest_name)};
  if (text.size() > longest_path)
    return Problem{.what = fmt::format("the path {} has {} bytes", in_quotes(text), text.size()),
                   .hint = fmt::format("the system takes at most {}", longest_path)};
  return std::nullopt;
}

void require_usable_path(const std::filesystem::path& path) {
  if (auto problem = find_path_problem(path)) throw InputError(std::move(*problem));
}

bool has_control_characters(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
  });
}

}  // namespace sinew::core
