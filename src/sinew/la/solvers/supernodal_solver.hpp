// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/la/solvers/linear_solver.hpp>

namespace sinew::la {

/// Sparse Cholesky factors in double precision, made and used by all threads of the matrix.
std::unique_ptr<LinearSolver> make_supernodal_solver(const Reducer& reducer);

/// In single precision: half the memory, which is what solving costs, and twice the speed of
/// factorising. Solutions have about six digits, less the condition of the matrix. Matrices that
/// are definite only beyond single precision count as not definite.
std::unique_ptr<LinearSolver> make_rough_supernodal_solver(const Reducer& reducer);

}  // namespace sinew::la
