// SPDX-License-Identifier: Apache-2.0
// Preconditioned conjugate gradients for symmetric positive definite operators.
#pragma once

#include <functional>
#include <memory>

#include <sinew/la/solvers/linear_solver.hpp>

namespace sinew::la {

/// When an approximation is good enough.
enum class CgTest {
  residual,  ///< residual relative to the right-hand side, Euclidean norms
  /// Error relative to the solution in the norm of A, as estimated from the last two iterations,
  /// or from the first and what is known of the preconditioner; for good ones.
  energy,
};

/// How fast a preconditioner converged.
struct CgExperience {
  double rate = 0.0;  ///< largest ratio of squared energy errors between iterations; 0: unknown
  double reduction = 0.0;  ///< of the residual in the first iteration
};

struct CgSettings {
  double tolerance = 1e-10;
  CgTest test = CgTest::residual;
  int max_iterations = 0;  ///< 0: ten times the number of unknowns
  /// Of the same preconditioner with this matrix or one close to it: with CgTest::energy one
  /// iteration may then be enough.
  CgExperience experience{};
};

/// z = P r, P an approximation of the inverse.
using Preconditioner = std::function<void(const VecIn& r, VecOut z)>;

/// Vectors that cg() needs; keep one between calls and nothing is allocated.
struct CgWorkspace {
  Vec r, z, p, Ap;
  CgExperience seen;  ///< in the last call
};

/// Improves x, which holds the initial guess. Stops with not_positive_definite as soon as a
/// direction of non-positive curvature shows that A is not SPD.
SolveReport cg(const LinearOperator& A, const Preconditioner& precondition, const VecIn& b,
               VecOut x, const CgSettings& settings, const Reducer& reducer, CgWorkspace& work);

/// CG with the diagonal as preconditioner behind the solver interface.
std::unique_ptr<LinearSolver> make_cg_solver(const Reducer& reducer);

}  // namespace sinew::la
