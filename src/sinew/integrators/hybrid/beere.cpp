// SPDX-License-Identifier: Apache-2.0
// The lowest modes by ere, everything else by backward Euler:
//   u1 = u0 + h H(u1) + h phi_1(h J_G) G(u0),   G = P F, H = (I - P) F.
// The modal coordinates of u1 are those of ere; the rest minimises the incremental potential of
// `be` under that condition. Order 1.
#include <sinew/integrators/methods.hpp>
#include <sinew/integrators/parts/hybrid_implicit_method.hpp>

namespace sinew::integrators {
namespace {

class Beere final : public HybridImplicitMethod {
 public:
  Beere(const StageSettings& stage, const ModalSettings& modal, const Services& services)
      : HybridImplicitMethod(stage, modal, services), solver_(add_solver()) {}

 private:
  StepStatus do_step(StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    const StepStatus status = find_modes(step, now);
    if (status != StepStatus::accepted) return status;
    stage_.start_from(now, step.dt);
    prescribe(step, now, modal_.exact_increment(1.0, true));
    return stage_.solve(step, solver_, now, next);
  }

  la::LinearSolver& solver_;
};

}  // namespace

IntegratorEntry beere() {
  return {
      .traits = {.name = "beere",
                 .title = "backward Euler, lowest modes by ere",
                 .equation = "u1 = u0 + h H(u1) + h phi_1(h J_G) G(u0);  G = P F, H = (I - P) F",
                 .order = 1,
                 .is_implicit = true,
                 .is_exponential = true,
                 .keeps_linear_momentum = true,
                 .guarded = true,
                 .cost = "1 force, 1 tangent, 1 factorisation and modes + guard vectors solves for "
                         "the modes; per Newton iteration 1 force, 1 tangent, "
                         "1 factorisation, 1 solve",
                 .reference = "ascher2022"},
      .options = with_hybrid_implicit_options(),
      .make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
        return std::make_unique<Beere>(stage_settings(options), modal_settings(options), services);
      }};
}

}  // namespace sinew::integrators
