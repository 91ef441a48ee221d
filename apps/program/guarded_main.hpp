// SPDX-License-Identifier: Apache-2.0
// What every program of the project does at its outermost level.
#pragma once

namespace sinew::cli {

/// Runs the program; what it throws becomes a message and an exit code.
int guarded_main(int argc, char** argv, int (*run)(int, char**));

}  // namespace sinew::cli
