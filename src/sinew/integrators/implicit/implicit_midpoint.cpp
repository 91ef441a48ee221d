// SPDX-License-Identifier: Apache-2.0
//   M (vm - v0) = h/2 f(qm, vm, t0 + h/2),   qm = q0 + h/2 vm
//   v1 = 2 vm - v0,   q1 = q0 + h vm
// Half a step of backward Euler, then as far again. Order 2, symplectic and symmetric; keeps linear
// and angular momentum and the energy of linear problems. Stable at any step, but infinitely stiff
// motion is not damped: it changes sign from step to step.
#include <sinew/integrators/methods.hpp>
#include <sinew/integrators/parts/implicit_stage.hpp>

namespace sinew::integrators {
namespace {

class ImplicitMidpoint final : public Integrator {
 public:
  ImplicitMidpoint(const StageSettings& settings, const Services& services)
      : Integrator(services), solver_(add_solver()), stage_(settings) {}

 private:
  void prepare(const dynamics::DynamicalSystem& system) override { stage_.prepare(system); }

  StepStatus do_step(StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    stage_.start_from(now, 0.5 * step.dt);
    const StepStatus status = stage_.solve(step, solver_, now, next);
    if (status != StepStatus::accepted) return status;
    next.q = now.q + step.dt * next.v;
    next.v = 2.0 * next.v - now.v;
    return StepStatus::accepted;
  }

  la::LinearSolver& solver_;
  ImplicitStage stage_;
};

}  // namespace

IntegratorEntry implicit_midpoint() {
  return {
      .traits = {.name = "implicit-midpoint",
                 .title = "implicit midpoint rule",
                 .equation =
                     "M (v1 - v0) = h f(qm, vm, t0 + h/2);  q1 = q0 + h vm;  m: mean of both ends",
                 .order = 2,
                 .is_implicit = true,
                 .keeps_energy = true,
                 .symplectic = true,
                 .keeps_linear_momentum = true,
                 .keeps_angular_momentum = true,
                 .cost = "per Newton iteration 1 force, 1 tangent, 1 factorisation, 1 solve",
                 .reference = "hairer2006"},
      .options = newton_options(),
      .make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
        return std::make_unique<ImplicitMidpoint>(stage_settings(options), services);
      }};
}

}  // namespace sinew::integrators
