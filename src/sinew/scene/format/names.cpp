// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <sinew/core/path_check.hpp>
#include <sinew/core/quote.hpp>
#include <sinew/scene/format/names.hpp>

namespace sinew::scene {

std::optional<Problem> find_name_problem(std::string_view name) {
  constexpr std::size_t longest = 200;  // file names have 255
  if (core::has_control_characters(name))
    return Problem{
        .what = fmt::format("there is a control character in the name {}", core::in_quotes(name)),
        .hint = "use letters, digits and punctuation"};
  if (name.size() > longest)
    return Problem{
        .what = fmt::format("the name {} has {} bytes", core::in_quotes(name), name.size()),
        .hint = fmt::format("at most {}", longest)};
  return std::nullopt;
}

}  // namespace sinew::scene
