// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <sinew/integrators/parts/implicit_stage.hpp>

namespace sinew::integrators {

std::vector<OptionInfo> newton_options() {
  const StageSettings defaults;
  return {{.name = "tolerance",
           .summary = "Newton stops at this error of the velocity, relative to the speed [-]",
           .default_value = defaults.tolerance},
          {.name = "residual_tolerance",
           .summary = "Newton stops as well when the residual is below this; 0: never [kg m/s]",
           .default_value = defaults.residual_tolerance},
          {.name = "max_newton",
           .summary = "most Newton iterations per stage",
           .default_value = static_cast<long>(defaults.newton.max_iterations),
           .minimum = 1}};
}

std::vector<OptionInfo> with_newton_options(std::vector<OptionInfo> own) {
  for (OptionInfo& option : newton_options()) own.push_back(std::move(option));
  return own;
}

StageSettings stage_settings(const Options& options) {
  StageSettings settings;
  settings.tolerance = options.number("tolerance");
  settings.residual_tolerance = options.number("residual_tolerance");
  settings.newton.max_iterations = static_cast<int>(options.integer("max_newton"));
  return settings;
}

// An estimate of the error need not be better.
constexpr double enough_for_estimates = 1e-3;

/// The stage's equation as a Newton problem in v.
class ImplicitStage::Problem final : public nonlinear::NewtonProblem {
 public:
  Problem(ImplicitStage& stage, StepContext& step, la::LinearSolver& solver,
          const dynamics::State& now)
      : stage_(stage),
        step_(step),
        solver_(solver),
        now_(now),
        has_potential_(step.system().traits().form ==
                       dynamics::ForceForm::potential_and_linear_damping) {
    stage_.trial_ = now;
    stage_.trial_.t = stage_.t;
    // the total mass in the M-norm of the all-ones field turns M-norms into root-mean-square speeds
    stage_.difference_.setOnes(now.v.size());
    mass_ = squared_norm(stage_.difference_);
  }

  double merit(const Vec& v) override {
    if (!has_potential_) {
      residual(v, stage_.rhs_);
      step_.divide_by_mass(stage_.rhs_, stage_.Mx_);
      return 0.5 * step_.reducer.dot(stage_.rhs_, stage_.Mx_);
    }
    move_to(v);
    stage_.difference_ = v - stage_.v_hat;
    return 0.5 * squared_norm(stage_.difference_) - step_.reducer.dot(stage_.p, v) +
           stage_.a / stage_.b * step_.potential(stage_.trial_) +
           stage_.a * step_.dissipation(stage_.trial_);
  }

  void residual(const Vec& v, Vec& g) override {
    move_to(v);
    step_.force(stage_.trial_, stage_.f_);
    stage_.difference_ = v - stage_.v_hat;
    g.resize(v.size());
    step_.apply(step_.system().mass(), stage_.difference_, g);
    g -= stage_.a * stage_.f_ + stage_.p;
    if (stage_.prescribed_) {
      const la::Modes& modes = *stage_.prescribed_;
      g -= modes.MU * step_.reducer.gram(modes.U, g).col(0);
    }
  }

  bool is_solved(const Vec& g) override {
    return stage_.settings_.residual_tolerance > 0.0 &&
           step_.reducer.norm(g) <= stage_.settings_.residual_tolerance;
  }

  la::SolveStatus direction(const Vec& v, const Vec& g, double enough, Vec& d) override {
    enough_ = enough;
    ++step_.report().profile.counts.newton;
    check_kept_factor(g);
    stage_.rhs_ = -g;
    if (has_kept_factor()) return solve_with_factor(d);
    move_to(v);
    step_.linearize(stage_.trial_, *stage_.linearization_);
    // a negative eigenvalue lambda of K needs a shift of a b |lambda|; far above 1 means that dt is
    // far too large, and halving it is the better answer
    static constexpr double first_shift = 0.25, largest_shift = 1e6;
    // what the last iteration needed this one will hardly do without
    const double start = stage_.factor_shift_ > first_shift ? 0.25 * stage_.factor_shift_ : 0.0;
    for (double shift = start;; shift = shift == 0.0 ? first_shift : 4.0 * shift) {
      const la::SolveStatus status = solve_shifted(shift, d);
      if (status == la::SolveStatus::ok) {
        stage_.factor_shift_ = shift;
        if (stage_.settings_.keep_factor) {
          stage_.factor_a_ = stage_.a;
          stage_.factor_b_ = stage_.b;
        }
      }
      if (status != la::SolveStatus::not_positive_definite || shift > largest_shift) {
        if (shift > 0.0) ++step_.report().regularised;
        return status;
      }
    }
  }

  double slope(const Vec& g, const Vec& d) override {
    // g is the gradient of the potential; along a Newton direction 1/2 |g|^2 falls by |g|^2
    if (has_potential_) return step_.reducer.dot(g, d);
    step_.divide_by_mass(g, stage_.Mx_);
    return -step_.reducer.dot(g, stage_.Mx_);
  }

  double size(const Vec& d) override {
    // a shift s shortens no part of an update by more than 1 + s, as long as what gives way is
    // taken as held by its mass alone
    return (1.0 + stage_.factor_shift_) * speed(d);
  }

  nonlinear::Tangent tangent() override {
    using enum nonlinear::Tangent;
    if (stage_.linearization_->report.projected > 0) return changed;
    return stage_.factor_shift_ > 0.0 || has_kept_factor() ? stiffer : exact;
  }

  double tolerance(const Vec& v) override {
    stage_.difference_ = v - now_.v;
    return stage_.settings_.tolerance * (speed(v) + speed(stage_.difference_));
  }

  double residual_size(const Vec& g) override {
    step_.divide_by_mass(g, stage_.Mx_);
    return std::sqrt(std::abs(step_.reducer.dot(g, stage_.Mx_)));
  }

  double resolution() override {
    // a few thousand roundings of the largest coordinate, travelled in the time b
    constexpr double position_resolution = 1e-12;
    return position_resolution * step_.reducer.max_abs(now_.q) / stage_.b;
  }

  double max_step(const Vec& v, const Vec& d) override {
    move_to(v);
    stage_.further_ = stage_.trial_;
    stage_.further_.q += stage_.b * d;
    return step_.max_step(stage_.trial_, stage_.further_);
  }

 private:
  bool has_kept_factor() const {
    return stage_.factor_a_ == stage_.a && stage_.factor_b_ == stage_.b;
  }

  /// A factor made elsewhere is good for as long as it brings the residual down quickly.
  void check_kept_factor(const Vec& g) {
    if (!stage_.settings_.keep_factor) return;
    constexpr double quick = 0.1;
    const double size = residual_size(g);
    if (last_residual_ > 0.0 && size > quick * last_residual_) stage_.factor_a_ = 0.0;
    last_residual_ = size;
  }

  /// ((1 + shift) M + a D + a b K) d = rhs. Iterative solvers find out about indefinite matrices
  /// here.
  la::SolveStatus solve_shifted(double shift, Vec& d) {
    const la::LinearOperator& S =
        stage_.linearization_->combine(1.0 + shift, stage_.a, stage_.a * stage_.b);
    const la::SolveStatus status = step_.factorize(solver_, S, stage_.trial_);
    return status == la::SolveStatus::ok ? solve_with_factor(d) : status;
  }

  la::SolveStatus solve_with_factor(Vec& d) {
    d.setZero(stage_.rhs_.size());
    const la::SolveStatus status = step_.solve(solver_, stage_.rhs_, d, enough_);
    // for exact modes this is the direction of Newton's method under the prescription; for others
    // it still goes downhill, since g has no part along the modes
    if (stage_.prescribed_)
      d -= stage_.prescribed_->U * step_.reducer.gram(stage_.prescribed_->MU, d).col(0);
    return status;
  }

  void move_to(const Vec& v) {
    stage_.trial_.v = v;
    stage_.trial_.q = stage_.q_hat + stage_.b * v;
  }

  /// Root-mean-square, weighted by mass.
  double speed(const Vec& v) { return std::sqrt(squared_norm(v) / mass_); }

  double squared_norm(const Vec& x) {
    step_.apply(step_.system().mass(), x, stage_.Mx_);
    return step_.reducer.dot(x, stage_.Mx_);
  }

  ImplicitStage& stage_;
  StepContext& step_;
  la::LinearSolver& solver_;
  const dynamics::State& now_;
  const bool has_potential_;
  double mass_ = 1.0;
  double last_residual_ = 0.0;
  double enough_ = 0.0;  // error of a direction
};

void ImplicitStage::prepare(const dynamics::DynamicalSystem& system) {
  linearization_ = system.make_linearization();
  for (Vec* vector : {&q_hat, &v_hat, &p, &f_, &Mx_, &difference_, &rhs_})
    vector->setZero(system.num_dofs());
  factor_a_ = 0.0;
}

void ImplicitStage::start_from(const dynamics::State& now, double length) {
  a = b = length;
  t = now.t + length;
  q_hat = now.q;
  v_hat = now.v;
  p.setZero();
  prescribed_ = nullptr;
}

void ImplicitStage::prescribe(const la::Reducer& reducer, const la::Modes& modes, const Vec& z_q,
                              const Vec& z_v) {
  prescribed_ = &modes;
  prescribed_v_ = z_v;
  q_hat += modes.U * (z_q - b * z_v - reducer.gram(modes.MU, q_hat).col(0));
}

void ImplicitStage::meet_prescription(const la::Reducer& reducer, Vec& v) const {
  if (!prescribed_) return;
  v += prescribed_->U * (prescribed_v_ - reducer.gram(prescribed_->MU, v).col(0));
}

void ImplicitStage::force_at_solution(StepContext& step, const dynamics::State& solution, Vec& f) {
  f.resize(solution.v.size());
  difference_ = solution.v - v_hat;
  step.apply(step.system().mass(), difference_, f);
  f = (f - p) / a;
}

StepStatus ImplicitStage::damp_stiff_part(StepContext& step, la::LinearSolver& solver, Vec& e_q,
                                          const Vec& Me_v, Vec& e_v) {
  step.apply(linearization_->stiffness(), e_q, rhs_);
  rhs_ = Me_v - b * rhs_;
  e_v.setZero(e_q.size());
  const la::SolveStatus status = step.solve(solver, rhs_, e_v, enough_for_estimates);
  e_q += b * e_v;
  return status_of(status);
}

StepStatus ImplicitStage::solve(StepContext& step, la::LinearSolver& solver,
                                const dynamics::State& now, dynamics::State& out) {
  // a step must not depend on what was tried before it, only on a factor that it goes on using
  if (factor_a_ != a || factor_b_ != b) factor_shift_ = 0.0;
  Problem problem(*this, step, solver, now);
  meet_prescription(step.reducer, out.v);
  // go towards the guess as far as that is admissible, or stay where the step began
  further_ = now;
  further_.q = q_hat + b * out.v;
  further_.t = t;
  const double reach = step.max_step(now, further_);
  if (reach < 1.0) out.v = ((1.0 - reach) * now.q + reach * further_.q - q_hat) / b;
  if (!std::isfinite(problem.merit(out.v))) out.v = (now.q - q_hat) / b;
  meet_prescription(step.reducer, out.v);
  const nonlinear::NewtonReport result =
      nonlinear::newton(problem, out.v, settings_.newton, newton_);
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
  out.q = q_hat + b * out.v;
  out.t = t;
  return StepStatus::accepted;
}

}  // namespace sinew::integrators
