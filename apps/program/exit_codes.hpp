// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace sinew::cli {

enum ExitCode {
  exit_done = 0,
  exit_bad_input = 2,          // nothing was written
  exit_numerical_failure = 3,  // everything up to the failure is kept
  exit_internal_error = 4,
  exit_stopped = 130,  // Ctrl-C
};

struct ExitCodeMeaning {
  ExitCode code;
  std::string_view meaning;
};

/// For help and the manual.
inline constexpr std::array exit_code_meanings{
    ExitCodeMeaning{exit_done, "done"},
    ExitCodeMeaning{exit_bad_input, "bad input (scene, mesh, option); nothing was written"},
    ExitCodeMeaning{exit_numerical_failure,
                    "numerical failure; everything up to it is kept, the manifest says why"},
    ExitCodeMeaning{exit_internal_error, "internal error, or out of memory"},
    ExitCodeMeaning{exit_stopped, "stopped by Ctrl-C or SIGTERM"}};

}  // namespace sinew::cli
