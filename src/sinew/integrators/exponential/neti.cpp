// SPDX-License-Identifier: Apache-2.0
// Trigonometric method whose linear part is the secant stiffness of each step: the mean of the
// tangents between the rest shape and the present one, by which forces of bodies that strain but
// hardly turn are linear. Symplectic only as long as that stiffness does not change.
#include <sinew/integrators/methods.hpp>
#include <sinew/integrators/parts/trigonometric_method.hpp>

namespace sinew::integrators {
namespace {

class NonlinearTrigonometric final : public TrigonometricMethod {
 public:
  NonlinearTrigonometric(const Options& options, const Services& services)
      : TrigonometricMethod(options, services),
        at_filtered_(options.text("stiffness_at") == "filtered") {}

 private:
  StepStatus choose_linear_part(StepContext& step, const dynamics::State& now) override {
    set_linear_part(step, now, dynamics::Stiffness::secant);
    if (!at_filtered_) return StepStatus::accepted;
    displacement_ = now.q - centre();
    at_ = now;
    const StepStatus status = filtered(step, displacement_, at_.q);
    if (status != StepStatus::accepted) return status;
    at_.q += centre();
    set_linear_part(step, at_, dynamics::Stiffness::secant);
    return StepStatus::accepted;
  }

  bool at_filtered_;
  dynamics::State at_;
  Vec displacement_;
};

}  // namespace

IntegratorEntry neti() {
  return {
      .traits = {.name = "neti",
                 .title = "exponential time integrator, secant stiffness of each step",
                 .equation = "as eti, with Omega^2 = M^-1 K(q0), K(q) (q - rest) = f(rest) - f(q)",
                 .order = 2,
                 .is_exponential = true,
                 .keeps_energy = true,
                 .exact_for_linear = true,
                 .keeps_linear_momentum = true,
                 .cost = "2 forces, 3 tangents, about 3 h omega_max products",
                 .reference = "michels2014"},
      .options = with_trigonometric_options(
          {{.name = "stiffness_at",
            .summary = "the stiffness is that of the present shape (current), or of the shape "
                       "without its fast motion (filtered)",
            .default_value = std::string("current"),
            .choices = {"current", "filtered"}}}),
      .make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
        return std::make_unique<NonlinearTrigonometric>(options, services);
      },
      .has_history = is_two_step};
}

}  // namespace sinew::integrators
