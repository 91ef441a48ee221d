// SPDX-License-Identifier: Apache-2.0
// Where all forces cancel at the end of the step: f(q1, 0, t1) = 0. No row of the table of methods,
// since nothing moves by itself: t is a parameter of loads and scripts.
//
// Newton's method needs a good guess, and what begins to buckle has none. So the way there is that
// of backward Euler steps of a length L that have no velocity to begin with and nothing to do with
// dt,
//   M (q' - q)/L^2 = f(q', (q' - q)/L, t1),
// repeated until nothing moves (pseudo-transient continuation): for long ones this is Newton's
// method on the energy, with its line search, and inertia keeps the matrix regular. Where one fails
// shorter ones take over, which go downhill as heavy damping does, and grow again.
#include <algorithm>

#include <sinew/integrators/methods.hpp>
#include <sinew/integrators/parts/implicit_stage.hpp>

namespace sinew::integrators {
namespace {

class Equilibrium final : public Integrator {
 public:
  Equilibrium(const StageSettings& settings, double longest, const Services& services)
      : Integrator(services),
        solver_(add_solver()),
        stage_(settings),
        tolerance_(settings.tolerance),
        longest_(longest) {}

 private:
  void prepare(const dynamics::DynamicalSystem& system) override { stage_.prepare(system); }

  StepStatus do_step(StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    constexpr int most_rounds = 200;
    constexpr double shortest_share = 1e-8, growth = 10.0;
    double length = longest_;
    here_ = now;
    here_.v.setZero();
    for (int round = 0; round < most_rounds; ++round) {
      stage_.start_from(here_, length);
      stage_.t = now.t + step.dt;
      next = here_;
      if (const StepStatus status = stage_.solve(step, solver_, here_, next);
          status != StepStatus::accepted) {
        length /= growth * growth;
        if (length < shortest_share * longest_) return status;
        continue;
      }
      const double moved = step.reducer.norm(next.q - here_.q),
                   moved_in_all = step.reducer.norm(next.q - now.q);
      next.v.setZero();
      if (length == longest_ && moved <= tolerance_ * moved_in_all) return StepStatus::accepted;
      length = std::min(growth * length, longest_);
      here_ = next;
    }
    return StepStatus::newton_not_converged;
  }

  la::LinearSolver& solver_;
  ImplicitStage stage_;
  double tolerance_, longest_;
  dynamics::State here_;
};

}  // namespace

IntegratorEntry equilibrium() {
  return {
      .traits = {.name = "equilibrium",
                 .title = "static equilibrium",
                 .equation = "f(q1, 0, t1) = 0;  v1 = 0",
                 .order = 0,
                 .is_implicit = true,
                 .cost = "two Newton solves or more, some iterations each",
                 .reference = "kelley1998"},
      .options = with_newton_options(
          {{.name = "pseudo_step",
            .summary = "length of the steps of backward Euler that lead to equilibrium, far above "
                       "the slowest period [s]",
            .default_value = 1e4}}),
      .make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
        return std::make_unique<Equilibrium>(stage_settings(options), options.number("pseudo_step"),
                                             services);
      }};
}

}  // namespace sinew::integrators
