// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinew::core {

/// Number of single-character insertions, deletions, substitutions and swaps of neighbours that
/// turn one name into the other.
int edit_distance(std::string_view a, std::string_view b);

/// The candidate most like `name`, or an empty string when nothing is close.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

/// A hint for an unknown name: "did you mean 'x'?" or "known: a, b, c".
std::string suggestion(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace sinew::core
