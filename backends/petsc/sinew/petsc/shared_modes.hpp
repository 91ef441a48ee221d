// SPDX-License-Identifier: Apache-2.0
// The lowest modes of a shared system from nothing: LOBPCG of SLEPc around the solver of the step.
// From then on they are followed by blocks, as in one process.
#pragma once

#include <sinew/la/eigen/modes.hpp>

namespace sinew::petsc {

/// An la::FindModes. Where SLEPc does not get there, la::find_modes() does.
la::ModesReport find_shared_modes(const la::Pencil& pencil, const la::BlockSolve& solve,
                                  const Mat& rigid, const la::ModesRequest& request,
                                  const la::Reducer& reducer, la::Modes& modes);

}  // namespace sinew::petsc
