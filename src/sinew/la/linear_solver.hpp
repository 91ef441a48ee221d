// SPDX-License-Identifier: Apache-2.0
// Solves A X = B for many right-hand sides and a sequence of matrices. The symbolic work is done
// again only when the sparsity pattern changes, and the report says so.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include <sinew/la/linear_operator.hpp>

namespace sinew::la {

enum class SolveStatus { ok, not_converged, not_positive_definite, not_finite };

std::string_view to_string(SolveStatus status);

struct [[nodiscard]] FactorReport {
  SolveStatus status = SolveStatus::ok;
  bool analysed = false;  ///< the symbolic phase was (re)done
};

struct [[nodiscard]] SolveReport {
  SolveStatus status = SolveStatus::ok;
  int iterations = 0;  ///< 0 for direct solvers
  double relative_residual = 0.0;
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;

  /// Takes the matrix in; direct solvers factorise. A must outlive the solves of an iterative one.
  virtual FactorReport factorize(const LinearOperator& A) = 0;

  /// One column per right-hand side; no aliasing. On entry X holds the initial guess, which direct
  /// solvers ignore. Call only after a successful factorize().
  virtual SolveReport solve(const MatIn& B, MatOut X) = 0;
};

/// One row of the table of solvers.
struct SolverEntry {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<LinearSolver> (*make)();
};

/// Every solver of this build; the first one is the default.
std::span<const SolverEntry> solvers();

/// The dense kernels below the default solver, for the record.
std::string_view blas_name();

}  // namespace sinew::la
