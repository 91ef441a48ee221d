// SPDX-License-Identifier: Apache-2.0
// Backward Euler with the velocity v1 as unknown and q1 = q0 + h v1:
//   g(v1) = M (v1 - v0) - h f(q1, v1, t1) = 0
// Where f = -grad W - D v this is the minimiser of the incremental potential
//   1/2 |v1 - v0|_M^2 + W(q1, t1) + h/2 v1^T D v1,
// which the line search lowers; otherwise it lowers 1/2 g^T M^-1 g. The Newton matrix is
// M + h D + h^2 K(q1). If it is not positive definite a multiple of M is added until it is, and the
// step report counts it; the solution does not change, only the way to it.
// Order 1, L-stable; the same damping as si on linear problems.
#include <algorithm>
#include <cmath>

#include <sinew/integrators/be.hpp>
#include <sinew/nonlinear/newton.hpp>

namespace sinew::integrators {
namespace {

struct BeSettings {
  double tolerance = 1e-6;  ///< Newton update relative to the speed of the body [-]
  nonlinear::NewtonSettings newton;
};

/// What the Newton iteration of one body keeps between steps.
struct BeWorkspace {
  std::unique_ptr<la::LinearSolver> solver;
  std::unique_ptr<dynamics::Linearization> linearization;
  dynamics::State trial, further;
  Vec f, Mx, difference, rhs;
  nonlinear::NewtonWorkspace newton;
};

class BackwardEulerProblem final : public nonlinear::NewtonProblem {
 public:
  BackwardEulerProblem(StepContext& step, const dynamics::State& now, double tolerance,
                       BeWorkspace& work)
      : step_(step),
        now_(now),
        tolerance_(tolerance),
        work_(work),
        has_potential_(step.system().force_form() ==
                       dynamics::ForceForm::potential_and_linear_damping) {
    work_.trial = now;
    work_.trial.t = now.t + step.dt;
    // the total mass in the M-norm of the all-ones field turns M-norms into root-mean-square speeds
    work_.difference.setOnes(now.v.size());
    mass_ = squared_norm(work_.difference);
  }

  double merit(const Vec& v) override {
    if (!has_potential_) {
      residual(v, work_.rhs);
      step_.divide_by_mass(work_.rhs, work_.Mx);
      return 0.5 * step_.reducer.dot(work_.rhs, work_.Mx);
    }
    move_to(v);
    work_.difference = v - now_.v;
    return 0.5 * squared_norm(work_.difference) + step_.potential(work_.trial) +
           step_.dt * step_.dissipation(work_.trial);
  }

  void residual(const Vec& v, Vec& g) override {
    move_to(v);
    step_.force(work_.trial, work_.f);
    work_.difference = v - now_.v;
    g.resize(v.size());
    step_.apply(step_.system().mass(), work_.difference, g);
    g -= step_.dt * work_.f;
  }

  la::SolveStatus direction(const Vec& v, const Vec& g, Vec& d) override {
    move_to(v);
    step_.linearize(work_.trial, *work_.linearization);
    ++step_.report().profile.counts.newton;
    work_.rhs = -g;
    // a negative eigenvalue lambda of K needs a shift of h^2 |lambda|; far above 1 means that dt is
    // far too large, and halving it is the better answer
    static constexpr double first_shift = 0.25, largest_shift = 1e6;
    for (double shift = 0.0;; shift = shift == 0.0 ? first_shift : 4.0 * shift) {
      const la::SolveStatus status = solve_shifted(shift, d);
      if (status != la::SolveStatus::not_positive_definite || shift > largest_shift) return status;
      if (shift == 0.0) ++step_.report().regularised;
    }
  }

  double slope(const Vec& g, const Vec& d) override {
    // g is the gradient of the potential; along a Newton direction 1/2 |g|^2 falls by |g|^2
    if (has_potential_) return step_.reducer.dot(g, d);
    step_.divide_by_mass(g, work_.Mx);
    return -step_.reducer.dot(g, work_.Mx);
  }

  double size(const Vec& d) override { return std::sqrt(squared_norm(d) / mass_); }

  double tolerance(const Vec& v) override {
    work_.difference = v - now_.v;
    return tolerance_ * (size(v) + size(work_.difference));
  }

  double residual_size(const Vec& g) override {
    step_.divide_by_mass(g, work_.Mx);
    return std::sqrt(std::abs(step_.reducer.dot(g, work_.Mx)));
  }

  double resolution() override {
    // a few thousand roundings of the largest coordinate, travelled in one step
    constexpr double position_resolution = 1e-12;
    return position_resolution * step_.reducer.max_abs(now_.q) / step_.dt;
  }

  double max_step(const Vec& v, const Vec& d) override {
    move_to(v);
    work_.further = work_.trial;
    work_.further.q += step_.dt * d;
    return step_.max_step(work_.trial, work_.further);
  }

 private:
  /// ((1 + shift) M + h D + h^2 K) d = rhs. Iterative solvers find out about indefinite matrices
  /// here.
  la::SolveStatus solve_shifted(double shift, Vec& d) {
    const double h = step_.dt;
    const la::SolveStatus status =
        step_.factorize(*work_.solver, work_.linearization->combine(1.0 + shift, h, h * h));
    if (status != la::SolveStatus::ok) return status;
    d.setZero(work_.rhs.size());
    return step_.solve(*work_.solver, work_.rhs, d);
  }

  void move_to(const Vec& v) {
    work_.trial.v = v;
    work_.trial.q = now_.q + step_.dt * v;
  }

  double squared_norm(const Vec& x) {
    step_.apply(step_.system().mass(), x, work_.Mx);
    return step_.reducer.dot(x, work_.Mx);
  }

  StepContext& step_;
  const dynamics::State& now_;
  const double tolerance_;
  BeWorkspace& work_;
  const bool has_potential_;
  double mass_ = 1.0;
};

class BackwardEuler final : public Integrator {
 public:
  BackwardEuler(const BeSettings& settings, const Services& services)
      : Integrator(services), settings_(settings) {
    work_.solver = services.make_linear_solver();
  }

 private:
  void prepare(const dynamics::DynamicalSystem& system) override {
    work_.linearization = system.make_linearization();
    for (Vec* vector : {&work_.f, &work_.Mx, &work_.difference, &work_.rhs})
      vector->resize(system.num_dofs());
  }

  StepStatus do_step(StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    BackwardEulerProblem problem(step, now, settings_.tolerance, work_);
    // start from free flight, as far as that is admissible
    work_.further = now;
    work_.further.q += step.dt * now.v;
    work_.further.t += step.dt;
    next.v = step.max_step(now, work_.further) * now.v;
    if (!std::isfinite(problem.merit(next.v))) next.v.setZero();
    const nonlinear::NewtonReport result =
        nonlinear::newton(problem, next.v, settings_.newton, work_.newton);
    switch (result.status) {
      case nonlinear::NewtonStatus::converged:
        break;
      case nonlinear::NewtonStatus::solve_failed:
        return status_of(result.solve_status);
      case nonlinear::NewtonStatus::inadmissible_start:
        return step.reducer.all_finite(now.q) && step.reducer.all_finite(now.v)
                   ? StepStatus::newton_not_converged
                   : StepStatus::not_finite;
      case nonlinear::NewtonStatus::too_many_iterations:
      case nonlinear::NewtonStatus::line_search_failed:
        return StepStatus::newton_not_converged;
    }
    next.q = now.q + step.dt * next.v;
    return StepStatus::accepted;
  }

  BeSettings settings_;
  BeWorkspace work_;
};

}  // namespace

IntegratorEntry be() {
  const BeSettings defaults;
  return {
      .traits = {.name = "be",
                 .title = "backward Euler",
                 .equation = "M (v1 - v0) = h f(q1, v1, t1);  q1 = q0 + h v1",
                 .order = 1,
                 .is_implicit = true,
                 .keeps_linear_momentum = true,
                 .cost = "per Newton iteration 1 force, 1 tangent, 1 factorisation, 1 solve",
                 .reference = "ascher2022"},
      .options = {{.name = "tolerance",
                   .summary = "Newton stops when the update is this small against the speed [-]",
                   .default_value = defaults.tolerance},
                  {.name = "max_newton",
                   .summary = "most Newton iterations per step",
                   .default_value = static_cast<long>(defaults.newton.max_iterations),
                   .minimum = 1}},
      .make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
        BeSettings settings;
        settings.tolerance = options.number("tolerance");
        settings.newton.max_iterations = static_cast<int>(options.integer("max_newton"));
        return std::make_unique<BackwardEuler>(settings, services);
      }};
}

}  // namespace sinew::integrators
