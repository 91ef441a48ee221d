// SPDX-License-Identifier: Apache-2.0
// Linear solvers for matrices that processes share: conjugate gradients around a preconditioner of
// PETSc, which is kept from step to step, turned with the material.
//
//   petsc-gamg    smoothed aggregation; rigid motions as near null space
//   petsc-hypre   BoomerAMG
//   petsc-mumps   sparse Cholesky factor on all processes
#pragma once

#include <sinew/la/solvers/linear_solver.hpp>
#include <sinew/petsc/processes.hpp>

namespace sinew::petsc {

/// Rows for a catalog. They work while `Processes` exist.
std::span<const la::SolverEntry> shared_solvers();

/// Options of PETSc for these solvers, such as "-pc_gamg_threshold 0.02"; of all that are made
/// later.
void set_solver_options(const std::string& text);

}  // namespace sinew::petsc
