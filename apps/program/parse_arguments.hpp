// SPDX-License-Identifier: Apache-2.0
// In a header because CLI11, which is large, is then compiled only where options are declared.
#pragma once

#include <optional>

#include <CLI/CLI.hpp>

#include "program/exit_codes.hpp"

namespace sinew::cli {

/// Reads the command line. A value: the program is done (help, version, a mistake) with this code.
inline std::optional<int> parse_arguments(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // help and version are "errors" with code 0
    return app.exit(error) == 0 ? exit_done : exit_bad_input;
  }
  return std::nullopt;
}

}  // namespace sinew::cli
