// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include <sinew/core/error.hpp>

namespace sinew::scene {

/// What is wrong with the name of a scene, a body or a probe. Names become names of folders and
/// columns of tables: they have no control characters, and with that of a method behind them they
/// fit into a file name. The problem has no place yet.
std::optional<Problem> find_name_problem(std::string_view name);

}  // namespace sinew::scene
