// SPDX-License-Identifier: Apache-2.0
//   v1 = v0 + h M^-1 f(q0, v0, t0)
//   q1 = q0 + h v1
// Order 1, symplectic, stable for h omega < 2. Momentum of a free body is kept exactly, angular
// momentum too: q1 x v1 = q0 x v1.
#include <sinew/integrators/methods.hpp>

namespace sinew::integrators {
namespace {

class SymplecticEuler final : public Integrator {
 public:
  explicit SymplecticEuler(const Services& services) : Integrator(services) {}

 private:
  void prepare(const dynamics::DynamicalSystem& system) override {
    f_.resize(system.num_dofs());
    a_.resize(system.num_dofs());
  }

  StepStatus do_step(StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    step.force(now, f_);
    step.divide_by_mass(f_, a_);
    next.v = now.v + step.dt * a_;
    next.q = now.q + step.dt * next.v;
    return StepStatus::accepted;
  }

  Vec f_, a_;
};

}  // namespace

IntegratorEntry symplectic_euler() {
  return {.traits = {.name = "symplectic-euler",
                     .title = "symplectic (semi-implicit in the old sense) Euler",
                     .equation = "v1 = v0 + h M^-1 f(q0, v0, t0);  q1 = q0 + h v1",
                     .order = 1,
                     .symplectic = true,
                     .keeps_linear_momentum = true,
                     .keeps_angular_momentum = true,
                     .cost = "1 force",
                     .reference = "fierz2011"},
          .options = {},
          .make = [](const Options&, const Services& services) -> std::unique_ptr<Integrator> {
            return std::make_unique<SymplecticEuler>(services);
          }};
}

}  // namespace sinew::integrators
