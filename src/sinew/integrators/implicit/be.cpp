// SPDX-License-Identifier: Apache-2.0
// Backward Euler with the velocity v1 as unknown and q1 = q0 + h v1:
//   M (v1 - v0) = h f(q1, v1, t1),
// the minimiser of 1/2 |v1 - v0|_M^2 + W(q1, t1) + h/2 v1^T D v1 where f = -grad W - D v.
// Order 1, L-stable; the same damping as si on linear problems.
#include <sinew/integrators/methods.hpp>
#include <sinew/integrators/parts/implicit_stage.hpp>

namespace sinew::integrators {
namespace {

class BackwardEuler final : public Integrator {
 public:
  BackwardEuler(const StageSettings& settings, const Services& services)
      : Integrator(services), solver_(add_solver()), stage_(settings) {}

 private:
  void prepare(const dynamics::DynamicalSystem& system) override { stage_.prepare(system); }

  StepStatus do_step(StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    stage_.start_from(now, step.dt);
    return stage_.solve(step, solver_, now, next);
  }

  la::LinearSolver& solver_;
  ImplicitStage stage_;
};

}  // namespace

IntegratorEntry be() {
  return {
      .traits = {.name = "be",
                 .title = "backward Euler",
                 .equation = "M (v1 - v0) = h f(q1, v1, t1);  q1 = q0 + h v1",
                 .order = 1,
                 .is_implicit = true,
                 .l_stable = true,
                 .keeps_linear_momentum = true,
                 .serves_as = Rung::nonlinear,
                 .cost = "per Newton iteration 1 force, 1 tangent, 1 factorisation, 1 solve",
                 .reference = "ascher2022"},
      .options = newton_options(),
      .make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
        return std::make_unique<BackwardEuler>(stage_settings(options), services);
      }};
}

}  // namespace sinew::integrators
