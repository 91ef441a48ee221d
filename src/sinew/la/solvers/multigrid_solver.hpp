// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients in double precision with a cycle of two levels in single precision
// (la/multigrid). Cost and memory grow like the number of unknowns, and all of it runs on all
// threads.
//
// It has a memory: the coarse space of one matrix, turned with the material since then, serves
// those that follow, until a solve takes more than 1.35 times the fewest iterations so far, per
// power of ten of the residual, and four; or does not converge.
#pragma once

#include <sinew/la/solvers/linear_solver.hpp>

namespace sinew::la {

/// `tolerance`: of the error relative to the solution, in the norm of the matrix. For matrices of
/// 3x3 blocks; others are factorised. The reducer must outlive the solver.
std::unique_ptr<LinearSolver> make_multigrid_solver(const Reducer& reducer, double tolerance);
/// To 1e-10.
std::unique_ptr<LinearSolver> make_tight_multigrid_solver(const Reducer& reducer);

}  // namespace sinew::la
