// SPDX-License-Identifier: Apache-2.0
#include "launcher.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include <sinew/core/error.hpp>

namespace sinew::cli {

int processes_started() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* text = std::getenv(name)) return std::atoi(text);
  // srun --mpi=pmix
  if (std::getenv("PMIX_RANK") != nullptr)
    for (const char* name : {"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"})
      if (const char* text = std::getenv(name)) return std::atoi(text);
  return 1;
}

void require_single_process(const std::string& command) {
  if (processes_started() <= 1) return;
  throw InputError(Problem{
      .what = fmt::format("'sinew {}' was started as {} processes", command, processes_started()),
      .hint = "only 'sinew run' is shared by processes; start the others without mpirun"});
}

}  // namespace sinew::cli
