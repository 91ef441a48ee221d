// SPDX-License-Identifier: Apache-2.0
// The typeface has the characters of ASCII only; names have others.
#pragma once

#include <string>
#include <string_view>

namespace sinew::render {

/// UTF-8 as ASCII: Latin letters without their marks, Greek ones by name, common signs as one types
/// them. What is left, and what is no UTF-8, becomes one DEL each, which is drawn as a box.
std::string plain_text(std::string_view text);

}  // namespace sinew::render
