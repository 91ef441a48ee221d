// SPDX-License-Identifier: Apache-2.0
// Trigonometric method with a linear part that stays the same: K of the rest shape, or of the
// beginning where a system knows none. Stiff forces that are linear cost no accuracy at any step;
// what bodies that turn or strain far add to them is treated explicitly, and limits the step.
#include <sinew/integrators/methods.hpp>
#include <sinew/integrators/parts/trigonometric_method.hpp>

namespace sinew::integrators {
namespace {

class LinearTrigonometric final : public TrigonometricMethod {
 public:
  LinearTrigonometric(const Options& options, const Services& services)
      : TrigonometricMethod(options, services) {
    keeps_linear_part_ = true;
  }

 private:
  StepStatus choose_linear_part(StepContext& step, const dynamics::State& now) override {
    if (!has_linear_part()) set_linear_part_at_rest(step, now);
    return StepStatus::accepted;
  }
};

}  // namespace

IntegratorEntry eti() {
  return {
      .traits = {.name = "eti",
                 .title = "exponential time integrator, fixed linear part",
                 .equation = "q1 = 2 cos(h Omega) q0 - q_-1 + h^2 psi(h Omega) g(phi(h Omega) q0)",
                 .order = 2,
                 .is_exponential = true,
                 .uses_rest_tangent = true,
                 .keeps_energy = true,
                 .symplectic = true,
                 .exact_for_linear = true,
                 .keeps_linear_momentum = true,
                 .cost = "1 force, about 2 h omega_max products; small systems: products with "
                         "full matrices",
                 .reference = "michels2014"},
      .options = with_trigonometric_options(),
      .make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
        return std::make_unique<LinearTrigonometric>(options, services);
      },
      .has_history = is_two_step};
}

}  // namespace sinew::integrators
