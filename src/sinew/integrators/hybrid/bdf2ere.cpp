// SPDX-License-Identifier: Apache-2.0
// The lowest modes by ere, everything else by bdf2: the modal coordinates of u1 are prescribed, the
// rest solves the equation of bdf2 under that condition. Order 2. The first step is one of
// tr-bdf2ere.
//
// The variant "as-printed" is formula (21) of the survey, with the modal part of `sbdf2ere` as
// printed; it grows likewise.
#include <sinew/integrators/hybrid/tr_bdf2ere.hpp>
#include <sinew/integrators/methods.hpp>
#include <sinew/integrators/parts/history.hpp>
#include <sinew/integrators/parts/hybrid_implicit_method.hpp>
#include <sinew/integrators/parts/hybrid_method.hpp>

namespace sinew::integrators {
namespace {

class Bdf2ere final : public HybridImplicitMethod {
 public:
  Bdf2ere(const StageSettings& stage, const ModalSettings& modal, bool as_printed,
          const Services& services)
      : HybridImplicitMethod(stage, modal, services),
        solver_(add_solver()),
        as_printed_(as_printed) {}

 private:
  StepStatus do_step(StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    history_.begin(step.dt);
    const StepStatus status = find_modes(step, now);
    if (status != StepStatus::accepted) return status;
    if (history_.is_empty())
      return constrained_tr_bdf2(step, stage_, solver_, solver_, modal_, f0_, now, next);
    const auto [old, c] = bdf2_weights(step.dt, history_.dt());
    stage_.start_from(now, c);
    stage_.t = now.t + step.dt;
    stage_.q_hat = (1.0 + old) * now.q - old * history_.q();
    stage_.v_hat = (1.0 + old) * now.v - old * history_.v();
    prescribe(step, now,
              as_printed_ ? bdf2_increment_as_printed(step, modal_, history_, now)
                          : modal_.exact_increment(1.0, true));
    return stage_.solve(step, solver_, now, next);
  }
  void commit(const dynamics::State& before, const dynamics::State& after) override {
    HybridImplicitMethod::commit(before, after);
    history_.commit(before);
  }
  void on_skipped(const dynamics::State& before, const dynamics::State&, double dt) override {
    history_.skip(before, dt);
  }
  void save_history(Memory& memory) const override {
    HybridImplicitMethod::save_history(memory);
    history_.save(memory);
  }
  void restore_history(const Memory& memory) override {
    HybridImplicitMethod::restore_history(memory);
    history_.restore(memory);
  }
  void forget_history() override {
    HybridImplicitMethod::forget_history();
    history_.forget();
  }

  la::LinearSolver& solver_;
  bool as_printed_;
  TwoStepHistory history_;
};

}  // namespace

IntegratorEntry bdf2ere() {
  return {
      .traits = {.name = "bdf2ere",
                 .title = "BDF2, lowest modes by ere",
                 .equation = "modes: ere;  rest: u1 = u0 + (u0 - u_-1 + 2 h F1)/3",
                 .order = 2,
                 .is_implicit = true,
                 .is_exponential = true,
                 .multistep = true,
                 .keeps_linear_momentum = true,
                 .guarded = true,
                 .cost = "1 force, 1 tangent, 1 factorisation and modes + guard vectors solves for "
                         "the modes; per Newton iteration 1 force, 1 tangent, "
                         "1 factorisation, 1 solve",
                 .reference = "ascher2022"},
      .options = with_hybrid_implicit_options({as_printed_option("(21)")}),
      .make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
        return std::make_unique<Bdf2ere>(stage_settings(options), modal_settings(options),
                                         options.text("variant") == "as-printed", services);
      }};
}

}  // namespace sinew::integrators
