// SPDX-License-Identifier: Apache-2.0
// Half a step of the trapezoidal rule, then BDF2 over both halves, u = (q, v), u' = F:
//   uh = u0 + h/4 (F0 + Fh),    u1 = (4 uh - u0)/3 + h/3 F1
// Order 2, L-stable, one-step: amplification (1 + 5z/12)/((1 - z/4)(1 - z/3)). Its damping is far
// below that of bdf2 where h omega is of order one. The half step overshoots on very stiff motion.
#include <sinew/integrators/methods.hpp>
#include <sinew/integrators/parts/error_estimate.hpp>
#include <sinew/integrators/parts/implicit_stage.hpp>

namespace sinew::integrators {
namespace {

class TrBdf2 final : public Integrator {
 public:
  TrBdf2(const StageSettings& settings, const Services& services)
      : Integrator(services),
        trapezoidal_solver_(add_solver()),
        bdf_solver_(add_solver()),
        stage_(settings) {}

 private:
  void prepare(const dynamics::DynamicalSystem& system) override {
    stage_.prepare(system);
    f0_.resize(system.num_dofs());
  }

  StepStatus do_step(StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    const double h = step.dt;
    step.force(now, f0_);
    stage_.start_from(now, h / 4);
    stage_.t = now.t + h / 2;
    stage_.q_hat += h / 4 * now.v;
    stage_.p = h / 4 * f0_;
    half_ = now;
    StepStatus status = stage_.solve(step, trapezoidal_solver_, now, half_);
    if (status != StepStatus::accepted) return status;
    stage_.force_at_solution(step, half_, fh_);

    stage_.start_from(now, h / 3);
    stage_.t = now.t + h;
    stage_.q_hat = (4.0 * half_.q - now.q) / 3.0;
    stage_.v_hat = (4.0 * half_.v - now.v) / 3.0;
    next.v = 2.0 * half_.v - now.v;
    status = stage_.solve(step, bdf_solver_, now, next);
    if (status != StepStatus::accepted) return status;
    stage_.force_at_solution(step, next, f1_);
    return error_.report(step, stage_, bdf_solver_, 0.5, {now, f0_}, {half_, fh_}, {next, f1_});
  }

  la::LinearSolver& trapezoidal_solver_;
  la::LinearSolver& bdf_solver_;
  ImplicitStage stage_;
  ThreePointError error_;
  dynamics::State half_;
  Vec f0_, fh_, f1_;
};

}  // namespace

IntegratorEntry tr_bdf2() {
  return {
      .traits = {.name = "tr-bdf2",
                 .title = "trapezoidal rule and BDF2 in one step",
                 .equation = "uh = u0 + h/4 (F0 + Fh);  u1 = (4 uh - u0)/3 + h/3 F1",
                 .order = 2,
                 .is_implicit = true,
                 .l_stable = true,
                 .estimates_error = true,
                 .keeps_linear_momentum = true,
                 .cost = "1 force; 2 stages, each per Newton iteration 1 force, 1 tangent, 1 "
                         "factorisation, 1 solve",
                 .reference = "ascher2022"},
      .options = newton_options(),
      .make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
        return std::make_unique<TrBdf2>(stage_settings(options), services);
      }};
}

}  // namespace sinew::integrators
