// SPDX-License-Identifier: Apache-2.0
// Solves A X = B for many right-hand sides and a sequence of matrices. The symbolic work is done
// again only when the sparsity pattern changes, and the report says so.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/la/linear_operator.hpp>
#include <sinew/la/reducer.hpp>

namespace sinew::la {

enum class SolveStatus { ok, not_converged, not_positive_definite, not_finite };

std::string_view to_string(SolveStatus status);

struct [[nodiscard]] FactorReport {
  SolveStatus status = SolveStatus::ok;
  bool factorized = true;  ///< the numeric phase was done; false where an earlier factor serves
  bool analysed = false;   ///< the symbolic phase was (re)done
};

struct [[nodiscard]] SolveReport {
  SolveStatus status = SolveStatus::ok;
  int iterations = 0;      ///< 0 for direct solvers
  int factorizations = 0;  ///< that were found necessary on the way
  double relative_residual = 0.0;
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;

  /// Takes the matrix in; direct solvers factorise. A must outlive the solves of an iterative one.
  virtual FactorReport factorize(const LinearOperator& A) = 0;

  /// One column per right-hand side; no aliasing. On entry X holds the initial guess, which direct
  /// solvers ignore. Call only after a successful factorize(). Iterative solvers may stop at a
  /// relative error of `enough` where they would go on to less.
  SolveReport solve(const MatIn& B, MatOut X, double enough = 0.0) {
    return do_solve(B, X, enough);
  }

  /// X ~ A^-1 B as well as the factor at hand tells, without further work; exact for direct
  /// solvers.
  SolveReport precondition(const MatIn& B, MatOut X) { return do_precondition(B, X); }

  // ---- for solvers that go on using an earlier factor -------------------------------------------

  /// Where the caller of factorize() puts the rotations of the nodes first; nullptr: not wanted.
  virtual std::vector<Mat3>* frames() { return nullptr; }
  /// Where it puts the positions of the nodes, three numbers each; nullptr: not wanted.
  virtual Vec* positions() { return nullptr; }
  /// What must be kept to go on with the same bits; empty: nothing.
  virtual Vec memory() const { return {}; }
  virtual void restore(const Vec& /*memory*/) {}
  virtual void reset() {}

  /// Of solvers that choose how to solve, after factorize(): what and why.
  virtual std::string choice() const { return {}; }

  /// What a factorisation costs, in solves with it.
  virtual double factor_cost() const { return 15.0; }

 private:
  virtual SolveReport do_solve(const MatIn& B, MatOut X, double enough) = 0;
  virtual SolveReport do_precondition(const MatIn& B, MatOut X) {
    constexpr double roughly = 1e-2;
    X.setZero();
    return do_solve(B, X, roughly);
  }
};

/// One row of the table of solvers.
struct SolverEntry {
  std::string_view name;
  std::string_view summary;
  bool is_direct;  ///< solves with a factor
  /// The reducer must outlive the solver.
  std::unique_ptr<LinearSolver> (*make)(const Reducer&);
  /// The same with factors that are cheaper and only good enough to precondition; null: none.
  std::unique_ptr<LinearSolver> (*make_rough)(const Reducer&) = nullptr;
  /// One that iterates to a relative error in the norm of the matrix; null: none. A direct solver
  /// with one leaves large matrices to it where factors may be lagged.
  std::unique_ptr<LinearSolver> (*make_iterative)(const Reducer&, double tolerance) = nullptr;
  bool is_shared = false;  ///< for matrices of which several processes have parts, and no others
};

/// Every solver of this build; the first one is the default.
std::span<const SolverEntry> solvers();

/// The dense kernels below the default solver, for the record.
std::string_view blas_name();

}  // namespace sinew::la
