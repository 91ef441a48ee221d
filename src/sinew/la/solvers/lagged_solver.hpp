// SPDX-License-Identifier: Apache-2.0
// Factorises rarely: the factor of an earlier matrix, turned with the material since then,
// preconditions conjugate gradients on the present one,
//
//   A^-1 ~ R (L L^T)^-1 R^T,     R = rotations of the nodes now times those at factor time,
//   inverted.
//
// Factors are made in single precision where the solver has them: half the memory to read, and the
// iterations make good what they lack. When the iterations that a new factor would have saved have
// cost as much as it would, the next matrix is factorised anew; when they do not converge, or meet
// negative curvature, the present one is, at once, and in double precision if that does not help.
// So the cost is never more than twice that of the best moment to factorise. A mass that is the
// same in every direction does not notice the turning: the preconditioner is exact for rigid
// motion. Where even that is more than factorising each matrix costs, it does so for the next
// twenty.
//
// Iterations stop by the energy norm of what is missing, estimated from how they converge. A first
// iteration has nothing to compare itself with but earlier solves with the same factor; what these
// tell is used with caution, and not for longer than the factor was old then.
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
  /// Unknowns from which on factors are rough: smaller ones are in the caches of the processor, and
  /// half of them is not half the time.
  Index rough_from = 6000;
};

/// `exact` and `rough` solve with factors; without `rough` all factors are exact. The reducer must
/// outlive the solver.
std::unique_ptr<LinearSolver> make_lagged_solver(std::unique_ptr<LinearSolver> exact,
                                                 std::unique_ptr<LinearSolver> rough,
                                                 const Reducer& reducer,
                                                 const LagSettings& settings = {});
/// With what a row of the table has.
std::unique_ptr<LinearSolver> make_lagged_solver(const SolverEntry& direct, const Reducer& reducer,
                                                 const LagSettings& settings = {});

}  // namespace sinew::la
