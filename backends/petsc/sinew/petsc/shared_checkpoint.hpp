// SPDX-License-Identifier: Apache-2.0
// Checkpoints of runs that processes share: a file for each, and one that says which of them belong
// together. On as many processes a run goes on with the same bits, on another number with the same
// numbers but for rounding.
#pragma once

#include <filesystem>

#include <sinew/petsc/shared_system.hpp>
#include <sinew/sim/checkpoint.hpp>

namespace sinew::petsc {

/// Into `folder`, on all processes; the last one stays until this one is complete.
void save_shared(const Processes& processes, const std::filesystem::path& folder,
                 const SharedSystem& system, const sim::Checkpoint& own);

/// What of the last checkpoint belongs to this process. Throws InputError, on all processes, if
/// there is none.
sim::Checkpoint load_shared(const Processes& processes, const la::Reducer& reducer,
                            const std::filesystem::path& folder, const SharedSystem& system);

}  // namespace sinew::petsc
