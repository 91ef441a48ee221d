// SPDX-License-Identifier: Apache-2.0
// What shells need to know about the commands, from the same tree of commands as the help.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace sinew::cli {

/// What may stand in place of the last word, each beginning like it; empty where that is a file.
/// Words are those after the program's name.
std::vector<std::string> completions(const CLI::App& app, const std::vector<std::string>& words);

/// The word that asks for completions() instead of being a command.
inline constexpr const char* completion_word = "__complete";

}  // namespace sinew::cli
