// SPDX-License-Identifier: Apache-2.0
// The lowest modes by ere, everything else by tr-bdf2: at the half and at the end the modal
// coordinates are prescribed, the rest solves the equation of the stage under that condition.
// Order 2.
#include <sinew/integrators/hybrid/tr_bdf2ere.hpp>
#include <sinew/integrators/methods.hpp>
#include <sinew/integrators/parts/hybrid_implicit_method.hpp>

namespace sinew::integrators {

StepStatus constrained_tr_bdf2(StepContext& step, ImplicitStage& stage,
                               la::LinearSolver& half_solver, la::LinearSolver& end_solver,
                               const ModalPart& modal, const Vec& f0, const dynamics::State& now,
                               dynamics::State& next) {
  const double h = step.dt;
  const Vec z_q = modal.coordinates(step, now.q), z_v = modal.coordinates(step, now.v);
  const auto prescribe = [&](double c) {
    const Mat increment = modal.exact_increment(c, true);
    stage.prescribe(step.reducer, modal.modes(), z_q + increment.col(0), z_v + increment.col(1));
  };
  stage.start_from(now, h / 4);
  stage.t = now.t + h / 2;
  stage.q_hat += h / 4 * now.v;
  stage.p = h / 4 * f0;
  prescribe(0.5);
  dynamics::State half = now;
  const StepStatus status = stage.solve(step, half_solver, now, half);
  if (status != StepStatus::accepted) return status;

  stage.start_from(now, h / 3);
  stage.t = now.t + h;
  stage.q_hat = (4.0 * half.q - now.q) / 3.0;
  stage.v_hat = (4.0 * half.v - now.v) / 3.0;
  prescribe(1.0);
  next.v = 2.0 * half.v - now.v;
  return stage.solve(step, end_solver, now, next);
}

namespace {

class TrBdf2ere final : public HybridImplicitMethod {
 public:
  TrBdf2ere(const StageSettings& stage, const ModalSettings& modal, const Services& services)
      : HybridImplicitMethod(stage, modal, services),
        half_solver_(add_solver()),
        end_solver_(add_solver()) {}

 private:
  StepStatus do_step(StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    const StepStatus status = find_modes(step, now);
    if (status != StepStatus::accepted) return status;
    return constrained_tr_bdf2(step, stage_, half_solver_, end_solver_, modal_, f0_, now, next);
  }

  la::LinearSolver& half_solver_;
  la::LinearSolver& end_solver_;
};

}  // namespace

IntegratorEntry tr_bdf2ere() {
  return {
      .traits = {.name = "tr-bdf2ere",
                 .title = "tr-bdf2, lowest modes by ere",
                 .equation = "modes: ere;  rest: uh = u0 + h/4 (F0 + Fh), u1 = (4 uh - u0)/3 + "
                             "h/3 F1",
                 .order = 2,
                 .is_implicit = true,
                 .is_exponential = true,
                 .keeps_linear_momentum = true,
                 .guarded = true,
                 .cost = "1 force, 1 tangent, 1 factorisation and modes + guard vectors solves for "
                         "the modes; per Newton iteration of two stages 1 "
                         "force, 1 tangent, 1 factorisation, 1 solve",
                 .reference = "ascher2022"},
      .options = with_hybrid_implicit_options(),
      .make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
        return std::make_unique<TrBdf2ere>(stage_settings(options), modal_settings(options),
                                           services);
      }};
}

}  // namespace sinew::integrators
