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
  double decades = 0.0;    ///< powers of ten by which residuals fell, those of all columns added
};

struct CgSettings {
  double tolerance = 1e-10;
  CgTest test = CgTest::residual;
  int max_iterations = 0;  ///< 0: ten times the number of unknowns
  /// Of the same preconditioner with this matrix or one close to it: with CgTest::energy one
  /// iteration may then be enough.
  CgExperience experience{};
  const Mat* product = nullptr;  ///< A X of the initial guesses, where it is known
};

/// Z = P R, P an approximation of the inverse.
using Preconditioner = std::function<void(const MatIn& R, MatOut Z)>;

/// Vectors that cg() needs; keep one between calls and nothing is allocated.
struct CgWorkspace {
  Mat R, Z, P, AP;
  CgExperience seen;  ///< in the last call
};

/// Improves X, which holds the initial guesses. Up to eight columns at a time iterate side by side,
/// so that the matrix and the preconditioner are read once for all of them. Stops with
/// not_positive_definite as soon as a direction of non-positive curvature shows that A is not SPD.
SolveReport cg(const LinearOperator& A, const Preconditioner& precondition, const MatIn& B,
               MatOut X, const CgSettings& settings, const Reducer& reducer, CgWorkspace& work);

/// CG with the diagonal as preconditioner behind the solver interface.
std::unique_ptr<LinearSolver> make_cg_solver(const Reducer& reducer);

}  // namespace sinew::la
