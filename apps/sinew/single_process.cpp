// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <sinew/core/error.hpp>

#include "launcher.hpp"
#include "shared_runs.hpp"

namespace sinew::cli {

std::unique_ptr<SharedRuns> start_shared_runs() {
  if (processes_started() > 1)
    throw InputError(
        Problem{.what = fmt::format("{} processes were started, and this build of sinew knows one",
                                    processes_started()),
                .hint = "start it without mpirun, or build it with -DSINEW_PETSC=ON"});
  return nullptr;
}

}  // namespace sinew::cli
