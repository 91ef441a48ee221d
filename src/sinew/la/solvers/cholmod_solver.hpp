// SPDX-License-Identifier: Apache-2.0
// Supernodal Cholesky through CHOLMOD (GPL; the only file that touches it, see docs/adr/0011).
#pragma once

#include <memory>

#include <sinew/la/solvers/linear_solver.hpp>

namespace sinew::la {

std::unique_ptr<LinearSolver> make_cholmod_solver(const Reducer& reducer);

}  // namespace sinew::la
