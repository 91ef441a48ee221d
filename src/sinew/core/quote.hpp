// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sinew::core {

/// Text from outside in a message: between quotes, control characters written as \x07, the
/// middle of what is longer than `longest` bytes left out.
std::string in_quotes(std::string_view text, std::size_t longest = 120);

}  // namespace sinew::core
