// SPDX-License-Identifier: Apache-2.0
// What every program of the project does at its outermost level.
#pragma once

#include <optional>

namespace CLI {
class App;
}

namespace sinew::cli {

/// Reads the command line. A value: the program is done (help, version, a mistake) with this code.
std::optional<int> parse_arguments(CLI::App& app, int argc, char** argv);

/// Runs the program; what it throws becomes a message and an exit code.
int guarded_main(int argc, char** argv, int (*run)(int, char**));

}  // namespace sinew::cli
