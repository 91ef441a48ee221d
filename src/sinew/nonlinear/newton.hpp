// SPDX-License-Identifier: Apache-2.0
// Newton's method with a backtracking line search on a merit function: the energy where there is
// one (then every accepted step lowers it), the size of the residual otherwise.
//
// An energy is a sum of large terms that nearly cancel, so close to the solution its differences
// are rounding long before the residual is. There a full step is accepted as well when it halves
// the residual, and an update of the size of rounding that can improve neither ends the iteration.
//
// What is missing after an update follows from how fast updates fall: never slower from one to the
// next where Newton converges, so they leave at most the tail of a geometric series, and what the
// linear solver left out of the last one. The first update alone tells nothing, so it counts as
// missing itself. Linear systems are solved as well as that asks for and no better (inexact
// Newton).
#pragma once

#include <string_view>
#include <vector>

#include <sinew/core/types.hpp>
#include <sinew/la/reducer.hpp>
#include <sinew/la/solvers/linear_solver.hpp>

namespace sinew::nonlinear {

/// What the matrix of a direction is to the derivative of g.
enum class Tangent {
  exact,
  stiffer,  ///< by as much as size() makes good
  changed,  ///< in a way that size() cannot tell: convergence is linear
};

/// g(z) = 0, with everything the method needs to know about it.
class NewtonProblem {
 public:
  virtual ~NewtonProblem() = default;

  /// What the line search lowers; not finite where z is not admissible.
  virtual double merit(const Vec& z) = 0;
  virtual void residual(const Vec& z, Vec& g) = 0;
  /// Whether a residual is small enough to stop, beside the test on the update.
  virtual bool is_solved(const Vec& /*g*/) { return false; }
  /// Solves H(z) d = -g with a positive definite H; a relative error of `enough` does no harm.
  virtual la::SolveStatus direction(const Vec& z, const Vec& g, double enough, Vec& d) = 0;
  /// Derivative of the merit along d.
  virtual double slope(const Vec& g, const Vec& d) = 0;
  /// Size of an update, in the physical unit of tolerance(). Where H was made stiffer than the
  /// derivative of g, the size that the update would have without that.
  virtual double size(const Vec& d) = 0;
  /// Of the last direction.
  virtual Tangent tangent() { return Tangent::exact; }
  /// The iteration ends when what is missing is at most this.
  virtual double tolerance(const Vec& z) = 0;
  /// Largest admissible fraction of the update.
  virtual double max_step(const Vec& /*z*/, const Vec& /*d*/) { return 1.0; }
  /// Size of a residual, in any norm.
  virtual double residual_size(const Vec& g) = 0;
  /// Updates below this are rounding of the unknown itself, in the unit of size().
  virtual double resolution() = 0;
};

struct NewtonSettings {
  int max_iterations = 50;
  int max_halvings = 40;              ///< of the step, before the line search gives up
  double sufficient_decrease = 1e-4;  ///< Armijo's constant
};

enum class NewtonStatus {
  converged,
  too_many_iterations,
  line_search_failed,
  solve_failed,
  inadmissible_start,  ///< the merit of the initial guess is not finite
};

struct [[nodiscard]] NewtonReport {
  NewtonStatus status = NewtonStatus::converged;
  la::SolveStatus solve_status = la::SolveStatus::ok;
  int iterations = 0;
  int halvings = 0;
  double last_update = 0.0;  ///< in the unit of NewtonProblem::size
};

/// Vectors kept between calls, and the sizes of the updates of the last call.
struct NewtonWorkspace {
  Vec g, d, trial, trial_g;
  std::vector<double> updates;
};

/// Improves z, which holds the initial guess.
NewtonReport newton(NewtonProblem& problem, Vec& z, const NewtonSettings& settings,
                    NewtonWorkspace& work);

}  // namespace sinew::nonlinear
