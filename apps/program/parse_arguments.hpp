// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <CLI/CLI.hpp>

namespace sinew::cli {

/// Reads the command line. A value: the program is done (help, version, a mistake) with this code.
/// Misspelt commands and options are answered with the nearest known one.
std::optional<int> parse_arguments(CLI::App& app, int argc, char** argv);

/// The command that these words name, by itself or inside of another; throws InputError for unknown
/// ones.
CLI::App& find_command(CLI::App& app, const std::vector<std::string>& words);

}  // namespace sinew::cli
