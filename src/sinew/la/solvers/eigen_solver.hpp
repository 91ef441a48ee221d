// SPDX-License-Identifier: Apache-2.0
// Simplicial Cholesky through Eigen: the direct solver of builds without OpenBLAS and METIS.
#pragma once

#include <memory>

#include <sinew/la/solvers/linear_solver.hpp>

namespace sinew::la {

std::unique_ptr<LinearSolver> make_eigen_solver(const Reducer& reducer);

}  // namespace sinew::la
