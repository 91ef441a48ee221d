// SPDX-License-Identifier: Apache-2.0
// The nonlinear equation that every stage of every implicit method here comes down to: find v with
//
//   M (v - v_hat) = a f(q, v, t) + p,     q = q_hat + b v.
//
// Backward Euler has a = b = h, q_hat = q0, v_hat = v0, p = 0; the others differ in these numbers.
// Where f = -grad W - D v it is the minimiser of
//   1/2 |v - v_hat|_M^2 + (a/b) W(q, t) + a/2 v^T D v - p.v,
// which the line search lowers; otherwise it lowers 1/2 g^T M^-1 g of the residual g. The Newton
// matrix is M + a D + a b K(q). If it is not positive definite a multiple of M is added until it
// is, and the step report counts it; the solution does not change, only the way to it.
//
// The coordinates of v along some modes may be prescribed. The minimiser is then sought among what
// is left: residuals count only there, and directions are kept free of the modes.
#pragma once

#include <sinew/integrators/integrator.hpp>
#include <sinew/la/eigen/ritz_space.hpp>
#include <sinew/nonlinear/newton.hpp>

namespace sinew::integrators {

struct StageSettings {
  double tolerance = 1e-6;  ///< error of the velocity relative to the speed [-]
  /// The same in systems with contacts, if that is more. They slide off each other's corners and
  /// edges, and each of these is a saddle that takes Newton's method many iterations.
  double contact_tolerance = 1e-2;
  double residual_tolerance = 0.0;  ///< stop as well when |g| is below this; 0: never [kg m/s]
  bool keep_factor = false;         ///< use a factor for later stages while it converges quickly
  nonlinear::NewtonSettings newton;
};

/// The options of every Newton-based method, and the settings they stand for.
std::vector<OptionInfo> newton_options();
/// A method's own options, then those of Newton.
std::vector<OptionInfo> with_newton_options(std::vector<OptionInfo> own);
StageSettings stage_settings(const Options& options);

class ImplicitStage {
 public:
  explicit ImplicitStage(const StageSettings& settings) : settings_(settings) {}

  void prepare(const dynamics::DynamicalSystem& system);

  // the equation; q_hat, v_hat and p have the size of the system
  double a = 0.0;    ///< [s]
  double b = 0.0;    ///< [s]
  double t = 0.0;    ///< [s]
  Vec q_hat, v_hat;  ///< [m], [m/s]
  Vec p;             ///< [kg m/s]

  /// a = b = c dt, the old position and velocity, no p: a backward Euler step of length c dt.
  void start_from(const dynamics::State& now, double length);

  /// Holds the modal coordinates of the solution at U^T M q = z_q and U^T M v = z_v; all else stays
  /// free. Call when the equation is set; `modes` must live until it is solved. start_from() ends
  /// it.
  void prescribe(const la::Reducer& reducer, const la::Modes& modes, const Vec& z_q,
                 const Vec& z_v);

  /// `out` holds a guess of v on entry, and q, v of the solution with the time t on success. `now`
  /// is the beginning of the step, from which the way to the solution must be admissible.
  StepStatus solve(StepContext& step, la::LinearSolver& solver, const dynamics::State& now,
                   dynamics::State& out);

  /// a f + p = M (v - v_hat) at the solution: the force of the stage without another evaluation.
  void force_at_solution(StepContext& step, const dynamics::State& solution, Vec& f);

  /// Multiplies (e_q, e_v) by (I - b J)^-1 with the matrix factorised last; `Me_v` is M e_v. What
  /// the step does not resolve is taken out of an error that way.
  [[nodiscard]] StepStatus damp_stiff_part(StepContext& step, la::LinearSolver& solver, Vec& e_q,
                                           const Vec& Me_v, Vec& e_v);

  /// Forgets the factor kept from another step; call at the beginning of each.
  void begin_step() { factor_a_ = 0.0; }

 private:
  class Problem;
  /// Goes from the beginning of the step towards the guess v as far as that is admissible, and
  /// makes that the guess. If what is prescribed moves into the way it goes little by little, and
  /// what it pushes gives way. False: there is no way.
  /// Moves here_ by this part of the way to further_, or less if that is not admissible; false: by
  /// nothing worth mentioning.
  bool advance_part(StepContext& step, double part);
  bool make_way(StepContext& step, Problem& problem, const dynamics::State& now, Vec& v);
  /// v += what it lacks to the prescribed coordinates.
  void meet_prescription(const la::Reducer& reducer, Vec& v) const;

  StageSettings settings_;
  std::unique_ptr<dynamics::Linearization> linearization_;
  dynamics::State trial_, further_, here_;
  Vec f_, Mx_, difference_, rhs_;
  nonlinear::NewtonWorkspace newton_;
  const la::Modes* prescribed_ = nullptr;
  Vec prescribed_v_;
  double factor_a_ = 0.0, factor_b_ = 0.0;  // of the factor that may be used again; 0: none
  double factor_shift_ = 0.0;               // of the factor in use, in multiples of M
};

}  // namespace sinew::integrators
