// SPDX-License-Identifier: Apache-2.0
// Factorises rarely: the factor of an earlier matrix, turned with the material since then,
// preconditions conjugate gradients on the present one,
//
//   A^-1 ~ R (L L^T)^-1 R^T,     R = rotations of the nodes now times those at factor time,
//   inverted.
//
// When the iterations since then have cost as much as a factorisation, the next matrix is
// factorised anew; when they do not converge, or meet negative curvature, the present one is, at
// once. So the cost is never more than twice that of the best moment to factorise. A mass that is
// the same in every direction does not notice the turning: the preconditioner is exact for rigid
// motion.
// Where even that is more than factorising each matrix costs, it does so for the next twenty.
//
// The guess is the best combination of the last few solutions, in the norm of A: motion is smooth
// in time, and that saves an iteration or two.
#pragma once

#include <memory>

#include <sinew/la/solvers/linear_solver.hpp>

namespace sinew::la {

struct LagSettings {
  double tolerance = 1e-6;  ///< of the error relative to the solution, in the norm of the matrix
  int max_iterations = 30;  ///< in one solve, before the matrix is factorised after all
};

/// `direct` solves with factors. The reducer must outlive the solver.
std::unique_ptr<LinearSolver> make_lagged_solver(std::unique_ptr<LinearSolver> direct,
                                                 const Reducer& reducer,
                                                 const LagSettings& settings = {});

}  // namespace sinew::la
