// SPDX-License-Identifier: Apache-2.0
//   M (v1 - v0) = h/2 (f(q0, v0, t0) + f(q1, v1, t1)),   q1 = q0 + h/2 (v0 + v1)
// Order 2, symmetric; keeps the energy of linear problems, on which it equals the midpoint rule.
// Stable at any step, but infinitely stiff motion is not damped: it changes sign from step to step.
#include <sinew/integrators/methods.hpp>
#include <sinew/integrators/parts/implicit_stage.hpp>

namespace sinew::integrators {
namespace {

class Trapezoidal final : public Integrator {
 public:
  Trapezoidal(const StageSettings& settings, const Services& services)
      : Integrator(services), solver_(add_solver()), stage_(settings) {}

 private:
  void prepare(const dynamics::DynamicalSystem& system) override {
    stage_.prepare(system);
    f_.resize(system.num_dofs());
  }

  StepStatus do_step(StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    const double half = 0.5 * step.dt;
    step.force(now, f_);
    stage_.start_from(now, half);
    stage_.t = now.t + step.dt;
    stage_.q_hat += half * now.v;
    stage_.p = half * f_;
    return stage_.solve(step, solver_, now, next);
  }

  la::LinearSolver& solver_;
  ImplicitStage stage_;
  Vec f_;
};

}  // namespace

IntegratorEntry trapezoidal() {
  return {
      .traits = {.name = "trapezoidal",
                 .title = "trapezoidal rule",
                 .equation = "M (v1 - v0) = h/2 (f0 + f1);  q1 = q0 + h/2 (v0 + v1)",
                 .order = 2,
                 .is_implicit = true,
                 .keeps_energy = true,
                 .keeps_linear_momentum = true,
                 .cost =
                     "1 force; per Newton iteration 1 force, 1 tangent, 1 factorisation, 1 solve",
                 .reference = "ascher2022"},
      .options = newton_options(),
      .make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
        return std::make_unique<Trapezoidal>(stage_settings(options), services);
      }};
}

}  // namespace sinew::integrators
