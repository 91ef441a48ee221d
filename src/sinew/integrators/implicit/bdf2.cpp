// SPDX-License-Identifier: Apache-2.0
// With w = h / (the step before) and u = (q, v), u' = F:
//   u1 = ((1 + w)^2 u0 - w^2 u_-1)/(1 + 2w) + h (1 + w)/(1 + 2w) F1,
// which for equal steps is u1 = u0 + (u0 - u_-1 + 2 h F1)/3. Order 2, L-stable for steps that do
// not grow too fast. The first step is one of sdirk2.
#include <sinew/integrators/implicit/sdirk2.hpp>
#include <sinew/integrators/methods.hpp>
#include <sinew/integrators/parts/history.hpp>

namespace sinew::integrators {
namespace {

class Bdf2 final : public TwoStepIntegrator {
 public:
  Bdf2(const StageSettings& settings, const Services& services)
      : TwoStepIntegrator(services), solver_(add_solver()), stage_(settings) {}

 private:
  void prepare(const dynamics::DynamicalSystem& system) override {
    stage_.prepare(system);
    start_.prepare(system);
  }

  StepStatus do_step(StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    history_.begin(step.dt);
    if (history_.is_empty()) return start_.run(step, stage_, solver_, now, next);
    const auto [old, c] = bdf2_weights(step.dt, history_.dt());
    const double recent = 1.0 + old;
    stage_.start_from(now, c);
    stage_.t = now.t + step.dt;
    stage_.q_hat = recent * now.q - old * history_.q();
    stage_.v_hat = recent * now.v - old * history_.v();
    return stage_.solve(step, solver_, now, next);
  }

  la::LinearSolver& solver_;
  ImplicitStage stage_;
  Sdirk2Step start_;
};

}  // namespace

IntegratorEntry bdf2() {
  return {
      .traits = {.name = "bdf2",
                 .title = "second backward differentiation formula",
                 .equation = "u1 = u0 + (u0 - u_-1 + 2 h F1)/3",
                 .order = 2,
                 .is_implicit = true,
                 .l_stable = true,
                 .multistep = true,
                 .keeps_linear_momentum = true,
                 .cost = "per Newton iteration 1 force, 1 tangent, 1 factorisation, 1 solve",
                 .reference = "ascher2022"},
      .options = newton_options(),
      .make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
        return std::make_unique<Bdf2>(stage_settings(options), services);
      }};
}

}  // namespace sinew::integrators
