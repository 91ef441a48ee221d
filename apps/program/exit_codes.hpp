// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sinew::cli {

enum ExitCode {
  exit_done = 0,
  exit_bad_input = 2,          // nothing was written
  exit_numerical_failure = 3,  // everything up to the failure is kept
  exit_internal_error = 4,
  exit_stopped = 130,  // Ctrl-C
};

}  // namespace sinew::cli
