// SPDX-License-Identifier: Apache-2.0
// The lowest modes of a shared system from nothing. Blocks of solves find them, as in one process;
// where they do not get there, SLEPc's LOBPCG around the same solver goes on. Blocks need a third
// of its time (docs/guide/processes.md): they solve for all modes at once.
#pragma once

#include <sinew/la/eigen/modes.hpp>

namespace sinew::petsc {

/// An la::FindModes.
la::ModesReport find_shared_modes(const la::Pencil& pencil, const la::BlockSolve& solve,
                                  const Mat& rigid, const la::ModesRequest& request,
                                  const la::Reducer& reducer, la::Modes& modes);

/// By LOBPCG alone.
la::ModesReport find_modes_by_slepc(const la::Pencil& pencil, const la::BlockSolve& solve,
                                    const Mat& rigid, const la::ModesRequest& request,
                                    const la::Reducer& reducer, la::Modes& modes);

}  // namespace sinew::petsc
