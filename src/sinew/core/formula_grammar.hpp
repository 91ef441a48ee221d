// SPDX-License-Identifier: Apache-2.0
// muParser understands more than a formula: lists, of which the last counts, assignments, and
// comparisons of comparisons. Each of them is a slip of the pen that would be computed silently.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sinew::core {

struct FormulaProblem {
  std::string what, hint;
};

/// The first thing in the text that muParser accepts although it is unlikely to be meant.
std::optional<FormulaProblem> find_formula_problem(std::string_view text);

}  // namespace sinew::core
