// SPDX-License-Identifier: Apache-2.0
// Newmark with the force at the mean of both ends: af = alpha in [0, 1/3], am = 0,
// gamma = 1/2 + alpha, beta = (1 + alpha)^2/4. Order 2, stable at any step; alpha = 0 is the
// trapezoidal rule, larger alpha damps stiff motion (to 1/2 per step at most, at alpha = 1/3).
#include <sinew/integrators/methods.hpp>
#include <sinew/integrators/parts/alpha_method.hpp>

namespace sinew::integrators {
namespace {}  // namespace

IntegratorEntry hht() {
  return {
      .traits = {.name = "hht",
                 .title = "Hilber-Hughes-Taylor",
                 .equation =
                     "Newmark with M A1 = f at (1 - alpha) of the new and alpha of the old state",
                 .order = 2,
                 .is_implicit = true,
                 .multistep = true,
                 .keeps_linear_momentum = true,
                 .cost = "per Newton iteration 1 force, 1 tangent, 1 factorisation, 1 solve",
                 .reference = "hilber1977"},
      .options = with_newton_options({{.name = "alpha",
                                       .summary = "damping, 0 to 1/3 [-]",
                                       .default_value = 0.1,
                                       .maximum = 1.0 / 3.0}}),
      .make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
        const double alpha = options.number("alpha");
        return std::make_unique<AlphaMethod>(
            AlphaCoefficients{.am = 0.0,
                              .af = alpha,
                              .beta = 0.25 * (1.0 + alpha) * (1.0 + alpha),
                              .gamma = 0.5 + alpha},
            stage_settings(options), services);
      }};
}

}  // namespace sinew::integrators
