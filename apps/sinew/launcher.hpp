// SPDX-License-Identifier: Apache-2.0
// What mpirun and the like tell the processes that they start.
#pragma once

#include <string>

namespace sinew::cli {

/// How many there are; 1 without a launcher.
int processes_started();

/// Throws InputError for a command that nobody shares: several processes would all do the same, in
/// the same place.
void require_single_process(const std::string& command);

}  // namespace sinew::cli
