// SPDX-License-Identifier: Apache-2.0
// Where all forces cancel at the end of the step: f(q1, 0, t1) = 0. No row of the table of methods,
// since nothing moves by itself: t is a parameter of loads and scripts.
//
// Newton's method needs a good guess, and what begins to buckle has none. So the way there is that
// of backward Euler steps of a length L that have no velocity to begin with and nothing to do with
// dt,
//   M (q' - q)/L^2 = f(q', (q' - q)/L, t1),
// repeated until forces are balanced (pseudo-transient continuation): for long ones this is
// Newton's method on the energy, with its line search, and inertia keeps the matrix regular. Where
// one fails shorter ones take over, which go downhill as heavy damping does, and grow again.
#include <algorithm>
#include <cmath>

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
    constexpr int most_rounds = 300, most_polishing = 3;
    constexpr double shortest_share = 1e-8, growth = 10.0, relaxation = 1.5;
    here_ = now;
    here_.v.setZero();
    here_.t = now.t + step.dt;
    const double unbalanced = acceleration(step, here_);
    here_.t = now.t;
    double length = longest_, too_long = growth * longest_;
    int polished = 0;
    for (int round = 0; round < most_rounds; ++round) {
      stage_.start_from(here_, length);
      stage_.t = now.t + step.dt;
      next = here_;
      if (const StepStatus status = stage_.solve(step, solver_, here_, next);
          status != StepStatus::accepted) {
        too_long = length;
        length /= growth;
        if (length < shortest_share * longest_) return status;
        continue;
      }
      const double moved = step.reducer.norm(next.q - here_.q),
                   moved_in_all = step.reducer.norm(next.q - now.q);
      next.v.setZero();
      // what inertia holds back is all that is not balanced; free motion may go on for ever
      const bool is_balanced = acceleration(step, next) <= tolerance_ * unbalanced;
      // where nothing has changed there is no imbalance to compare with but rounding
      constexpr double rounding = 1e-12;  // of positions
      if (length == longest_ && moved <= rounding * step.reducer.norm(next.q))
        return StepStatus::accepted;
      if (is_balanced && (moved <= tolerance_ * moved_in_all || polished++ >= most_polishing))
        return StepStatus::accepted;
      // not at once to where it failed
      too_long *= relaxation;
      length = std::min({growth * length, longest_, too_long / growth});
      here_ = next;
      here_.t = now.t;
    }
    return StepStatus::newton_not_converged;
  }

  /// Root-mean-square, weighted by mass, of what forces would do to a body at rest [m/s^2].
  double acceleration(StepContext& step, const dynamics::State& at) {
    f_.resize(at.q.size());
    a_.resize(at.q.size());
    step.force(at, f_);
    step.divide_by_mass(f_, a_);
    return std::sqrt(std::max(0.0, step.reducer.dot(f_, a_)));
  }

  la::LinearSolver& solver_;
  ImplicitStage stage_;
  double tolerance_, longest_;
  dynamics::State here_;
  Vec f_, a_;
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
            .summary = "longest of the steps of backward Euler that lead to equilibrium; best far "
                       "above the slowest period [s]",
            .default_value = 100.0}}),
      .make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
        return std::make_unique<Equilibrium>(stage_settings(options), options.number("pseudo_step"),
                                             services);
      }};
}

}  // namespace sinew::integrators
