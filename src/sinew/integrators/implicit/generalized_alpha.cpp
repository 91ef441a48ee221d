// SPDX-License-Identifier: Apache-2.0
// Damping of infinitely stiff motion chosen by rho in [0, 1], the factor per step it keeps:
//   am = (2 rho - 1)/(rho + 1), af = rho/(rho + 1), gamma = 1/2 - am + af, beta = (1 - am + af)^2/4
// Order 2, stable at any step; rho = 1 keeps the energy of linear problems, rho = 0 removes the
// stiffest motion within three steps.
#include <sinew/integrators/methods.hpp>
#include <sinew/integrators/parts/alpha_method.hpp>

namespace sinew::integrators {
namespace {

AlphaCoefficients from_rho(double rho) {
  const double am = (2.0 * rho - 1.0) / (rho + 1.0), af = rho / (rho + 1.0);
  return {am, af, 0.25 * (1.0 - am + af) * (1.0 - am + af), 0.5 - am + af};
}

}  // namespace

IntegratorEntry generalized_alpha() {
  return {
      .traits = {.name = "generalized-alpha",
                 .title = "generalized-alpha",
                 .equation = "Newmark with M ((1 - am) A1 + am A0) = f at the mean of both ends, "
                             "weights (1 - af) and af",
                 .order = 2,
                 .is_implicit = true,
                 .multistep = true,
                 .keeps_linear_momentum = true,
                 .cost = "per Newton iteration 1 force, 1 tangent, 1 factorisation, 1 solve",
                 .reference = "chung1993"},
      .options = with_newton_options(
          {{.name = "rho",
            .summary = "share of infinitely stiff motion left after a step, 0 to 1 [-]",
            .default_value = 0.8,
            .maximum = 1.0}}),
      .make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
        return std::make_unique<AlphaMethod>(from_rho(options.number("rho")),
                                             stage_settings(options), services);
      }};
}

}  // namespace sinew::integrators
