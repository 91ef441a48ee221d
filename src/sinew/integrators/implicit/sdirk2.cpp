// SPDX-License-Identifier: Apache-2.0
// With g = 2 - sqrt 2, u = (q, v), u' = F:
//   um = u0 + g h/2 (F0 + Fm) at t0 + g h,    u1 = u0 + w (um - u0) + g h/2 F1,  w = sqrt(2)/(2 g)
// Order 2, L-stable, one-step. Both stages have the same matrix M + c D + c^2 K, c = g h/2, which
// is factorised once as long as that factor converges quickly.
#include <numbers>

#include <sinew/integrators/implicit/sdirk2.hpp>
#include <sinew/integrators/methods.hpp>

namespace sinew::integrators {

StepStatus Sdirk2Step::run(StepContext& step, ImplicitStage& stage, la::LinearSolver& solver,
                           const dynamics::State& now, dynamics::State& next) {
  constexpr double g = 2.0 - std::numbers::sqrt2;
  constexpr double w = 0.5 * std::numbers::sqrt2 / g;
  const double h = step.dt, c = 0.5 * g * h;
  stage.begin_step();
  step.force(now, f0_);
  stage.start_from(now, c);
  stage.t = now.t + g * h;
  stage.q_hat += c * now.v;
  stage.p = c * f0_;
  middle_ = now;
  StepStatus status = stage.solve(step, solver, now, middle_);
  if (status != StepStatus::accepted) return status;
  stage.force_at_solution(step, middle_, fm_);

  stage.start_from(now, c);
  stage.t = now.t + h;
  stage.q_hat = (1.0 - w) * now.q + w * middle_.q;
  stage.v_hat = (1.0 - w) * now.v + w * middle_.v;
  next.v = now.v + (middle_.v - now.v) / g;
  status = stage.solve(step, solver, now, next);
  if (status != StepStatus::accepted) return status;
  stage.force_at_solution(step, next, f1_);
  return error_.report(step, stage, solver, g, {now, f0_}, {middle_, fm_}, {next, f1_});
}

namespace {

class Sdirk2 final : public Integrator {
 public:
  Sdirk2(StageSettings settings, const Services& services)
      : Integrator(services), solver_(add_solver()), stage_(reusing(settings)) {}

 private:
  static StageSettings reusing(StageSettings settings) {
    settings.keep_factor = true;
    return settings;
  }

  void prepare(const dynamics::DynamicalSystem& system) override {
    stage_.prepare(system);
    step_.prepare(system);
  }

  StepStatus do_step(StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    return step_.run(step, stage_, solver_, now, next);
  }

  la::LinearSolver& solver_;
  ImplicitStage stage_;
  Sdirk2Step step_;
};

}  // namespace

IntegratorEntry sdirk2() {
  return {
      .traits = {.name = "sdirk2",
                 .title = "singly diagonally implicit Runge-Kutta",
                 .equation = "um = u0 + g h/2 (F0 + Fm);  u1 = u0 + sqrt(2)/(2 g) (um - u0) + g "
                             "h/2 F1;  g = 2 - sqrt 2",
                 .order = 2,
                 .is_implicit = true,
                 .l_stable = true,
                 .estimates_error = true,
                 .keeps_linear_momentum = true,
                 .cost = "1 force; 2 stages, each per Newton iteration 1 force, 1 solve; 1 tangent "
                         "and factorisation for both as long as it converges",
                 .reference = "ascher2022"},
      .options = newton_options(),
      .make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
        return std::make_unique<Sdirk2>(stage_settings(options), services);
      }};
}

}  // namespace sinew::integrators
