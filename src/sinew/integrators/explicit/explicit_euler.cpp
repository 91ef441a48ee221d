// SPDX-License-Identifier: Apache-2.0
//   v1 = v0 + h M^-1 f(q0, v0, t0),   q1 = q0 + h v0
// Order 1. Undamped motion grows by sqrt(1 + (h omega)^2) per step at any step size: here for
// comparison, not for use.
#include <sinew/integrators/methods.hpp>

namespace sinew::integrators {
namespace {

class ExplicitEuler final : public Integrator {
 public:
  explicit ExplicitEuler(const Services& services) : Integrator(services) {}

 private:
  void prepare(const dynamics::DynamicalSystem& system) override {
    f_.resize(system.num_dofs());
    a_.resize(system.num_dofs());
  }

  StepStatus do_step(StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    step.force(now, f_);
    step.divide_by_mass(f_, a_);
    next.q = now.q + step.dt * now.v;
    next.v = now.v + step.dt * a_;
    return StepStatus::accepted;
  }

  Vec f_, a_;
};

}  // namespace

IntegratorEntry explicit_euler() {
  return {.traits = {.name = "explicit-euler",
                     .title = "explicit Euler",
                     .equation = "v1 = v0 + h M^-1 f(q0, v0, t0);  q1 = q0 + h v0",
                     .order = 1,
                     .gains_energy = true,
                     .keeps_linear_momentum = true,
                     .cost = "1 force",
                     .reference = "ascher2022"},
          .options = {},
          .make = [](const Options&, const Services& services) -> std::unique_ptr<Integrator> {
            return std::make_unique<ExplicitEuler>(services);
          }};
}

}  // namespace sinew::integrators
