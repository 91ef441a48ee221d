// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include <sinew/integrators/parts/implicit_stage.hpp>

namespace sinew::integrators {

std::vector<OptionInfo> newton_options() {
  const StageSettings defaults;
  return {{.name = "tolerance",
           .summary = "Newton stops at this error of the velocity, relative to the speed [-]",
           .default_value = defaults.tolerance},
          {.name = "contact_tolerance",
           .summary = "the same with contacts, if that is more [-]",
           .default_value = defaults.contact_tolerance},
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
  settings.contact_tolerance = options.number("contact_tolerance");
  settings.residual_tolerance = options.number("residual_tolerance");
  settings.newton.max_iterations = static_cast<int>(options.integer("max_newton"));
  return settings;
}

/// Where something is in the way, iterates keep a distance from it.
double shortened(double admissible) {
  constexpr double share = 0.8;
  return admissible < 1.0 ? share * admissible : 1.0;
}

// An estimate of the error need not be better.
constexpr double enough_for_estimates = 1e-3;
// Solves without symmetry are few and short: rough ones cost more iterations of Newton's method.
constexpr double enough_for_unsymmetric = 1e-4;

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
                       dynamics::ForceForm::potential_and_dissipation) {
    stage_.trial_ = now;
    stage_.trial_.t = stage_.t;
    // the total mass in the M-norm of the all-ones field turns M-norms into root-mean-square speeds
    stage_.difference_.setOnes(now.v.size());
    mass_ = squared_norm(stage_.difference_);
  }

  void set_time(double time) { stage_.trial_.t = time; }

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
    // Contacts that push have negative curvature along the surface. Far from the solution it is in
    // the way; close to it, Newton's method converges as it should with the exact matrix.
    const bool has_contacts = step_.system().traits().has_contacts;
    const bool is_exact = !has_contacts || last_size_ <= exact_below_;
    step_.linearize_iterate(stage_.trial_, !is_exact, *stage_.linearization_);
    la::SolveStatus status = solve_shifted(first_try(), d);
    if (status != la::SolveStatus::not_positive_definite) return took(first_try(), status);
    if (has_contacts && is_exact) {
      exact_below_ = 0.1 * last_size_;
      step_.linearize_iterate(stage_.trial_, true, *stage_.linearization_);
      status = solve_shifted(first_try(), d);
      if (status != la::SolveStatus::not_positive_definite) return took(first_try(), status);
    }
    // a negative eigenvalue lambda of K needs a shift of a b |lambda|; far above 1 means that dt is
    // far too large, and halving it is the better answer
    static constexpr double largest_shift = 1e6;
    double shift = first_try();
    do {
      shift = shift == 0.0 ? first_shift : 4.0 * shift;
      status = solve_shifted(shift, d);
    } while (status == la::SolveStatus::not_positive_definite && shift <= largest_shift);
    return took(shift, status);
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
    last_size_ = (1.0 + stage_.factor_shift_) * speed(d);
    return last_size_;
  }

  nonlinear::Tangent tangent() override {
    using enum nonlinear::Tangent;
    if (stage_.linearization_->report.projected > 0) return changed;
    return stage_.factor_shift_ > 0.0 || has_kept_factor() ? stiffer : exact;
  }

  double tolerance(const Vec& v) override {
    stage_.difference_ = v - now_.v;
    const StageSettings& settings = stage_.settings_;
    const double relative = step_.system().traits().has_contacts
                                ? std::max(settings.tolerance, settings.contact_tolerance)
                                : settings.tolerance;
    return relative * (speed(v) + speed(stage_.difference_));
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
    return shortened(step_.max_step(stage_.trial_, stage_.further_));
  }

 private:
  static constexpr double first_shift = 0.25;

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

  /// What the last iteration needed this one will hardly do without.
  double first_try() const {
    return stage_.factor_shift_ > first_shift ? 0.25 * stage_.factor_shift_ : 0.0;
  }

  /// Keeps what a direction was found with.
  la::SolveStatus took(double shift, la::SolveStatus status) {
    if (status == la::SolveStatus::ok) {
      stage_.factor_shift_ = shift;
      if (stage_.settings_.keep_factor) {
        stage_.factor_a_ = stage_.a;
        stage_.factor_b_ = stage_.b;
      }
    }
    if (shift > 0.0) ++step_.report().regularised;
    return status;
  }

  /// ((1 + shift) M + a D + a b K) d = rhs. Iterative solvers find out about indefinite matrices
  /// here.
  la::SolveStatus solve_shifted(double shift, Vec& d) {
    const la::LinearOperator& S =
        stage_.linearization_->combine(1.0 + shift, stage_.a, stage_.a * stage_.b);
    const la::SolveStatus status = step_.factorize(solver_, S, stage_.trial_);
    return status == la::SolveStatus::ok ? solve_with_factor(d, &S) : status;
  }

  /// `S`: what was factorised, where it is at hand.
  la::SolveStatus solve_with_factor(Vec& d, const la::LinearOperator* S = nullptr) {
    d.setZero(stage_.rhs_.size());
    const la::SolveStatus status =
        S && step_.system().traits().is_unsymmetric
            ? step_.solve_unsymmetric(solver_, *S, stage_.a * stage_.b, stage_.trial_, stage_.rhs_,
                                      d, std::min(enough_, enough_for_unsymmetric))
            : step_.solve(solver_, stage_.rhs_, d, enough_);
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
  double last_size_ = 0.0;
  // updates below this have exact contacts
  double exact_below_ = std::numeric_limits<double>::infinity();
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

bool ImplicitStage::advance_part(StepContext& step, double part) {
  constexpr double least = 1e-6;
  const dynamics::State from = here_;
  for (; part > least; part *= 0.5) {
    here_.q = from.q + part * (further_.q - from.q);
    here_.t = from.t + part * (further_.t - from.t);
    if (step.max_step(from, here_) == 1.0) return true;
  }
  return false;
}

bool ImplicitStage::make_way(StepContext& step, Problem& problem, const dynamics::State& now,
                             Vec& v) {
  constexpr int most_rounds = 100, iterations_per_round = 3;
  const double end = t;
  here_ = now;
  further_ = now;
  further_.q = q_hat + b * v;
  further_.t = end;
  bool is_there = false;
  for (int round = 0; round < most_rounds; ++round) {
    const double part = shortened(step.max_step(here_, further_));
    is_there = part == 1.0;
    if (is_there) {
      v = (further_.q - q_hat) / b;
      break;
    }
    if (!step.system().traits().depends_on_time) {
      v = (here_.q + part * (further_.q - here_.q) - q_hat) / b;
      is_there = true;
      break;
    }
    // what moves by itself need not be on the straight way to where it will be
    if (!advance_part(step, part)) break;
    v = (here_.q - q_hat) / b;
    t = here_.t;
    problem.set_time(t);
    nonlinear::NewtonSettings some = settings_.newton;
    some.max_iterations = iterations_per_round;
    static_cast<void>(nonlinear::newton(problem, v, some, newton_));
    here_.q = q_hat + b * v;
    // from now on it is pushed only
    further_ = here_;
    further_.t = end;
  }
  t = end;
  problem.set_time(t);
  return is_there;
}

StepStatus ImplicitStage::solve(StepContext& step, la::LinearSolver& solver,
                                const dynamics::State& now, dynamics::State& out) {
  // a step must not depend on what was tried before it, only on a factor that it goes on using
  if (factor_a_ != a || factor_b_ != b) factor_shift_ = 0.0;
  Problem problem(*this, step, solver, now);
  meet_prescription(step.reducer, out.v);
  if (!make_way(step, problem, now, out.v)) return StepStatus::not_admissible;
  const auto is_free = [&](const dynamics::State& from) {
    further_ = from;
    further_.q = q_hat + b * out.v;
    further_.t = t;
    return step.max_step(from, further_) == 1.0;
  };
  // back to the beginning, or to where the modes are: not without asking
  if (!std::isfinite(problem.merit(out.v))) {
    out.v = (now.q - q_hat) / b;
    if (!is_free(now)) return StepStatus::not_admissible;
  }
  if (prescribed_) {
    here_ = now;
    here_.q = q_hat + b * out.v;
    here_.t = t;
    meet_prescription(step.reducer, out.v);
    if (!is_free(here_)) return StepStatus::not_admissible;
  }
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
  step.reached(out);
  return StepStatus::accepted;
}

}  // namespace sinew::integrators
