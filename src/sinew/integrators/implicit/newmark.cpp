// SPDX-License-Identifier: Apache-2.0
//   q1 = q0 + h v0 + h^2 ((1/2 - beta) A0 + beta A1),   v1 = v0 + h ((1 - gamma) A0 + gamma A1)
//   M A1 = f(q1, v1, t1)
// beta = 1/4, gamma = 1/2 is the trapezoidal rule: order 2, keeps the energy of linear problems.
// Larger gamma damps and is of order 1; 2 beta >= gamma >= 1/2 is stable at any step.
#include <sinew/integrators/methods.hpp>
#include <sinew/integrators/parts/alpha_method.hpp>

namespace sinew::integrators {
namespace {}  // namespace

IntegratorEntry newmark() {
  return {
      .traits = {.name = "newmark",
                 .title = "Newmark's method",
                 .equation = "q1 = q0 + h v0 + h^2 ((1/2 - beta) A0 + beta A1);  v1 = v0 + h ((1 - "
                             "gamma) A0 + gamma A1);  M A1 = f1",
                 .order = 2,
                 .is_implicit = true,
                 .keeps_energy = true,
                 .multistep = true,
                 .keeps_linear_momentum = true,
                 .cost = "per Newton iteration 1 force, 1 tangent, 1 factorisation, 1 solve",
                 .reference = "newmark1959"},
      .options =
          with_newton_options({{.name = "beta",
                                .summary = "weight of the new acceleration in the position [-]",
                                .default_value = 0.25,
                                .minimum = 0.05},
                               {.name = "gamma",
                                .summary = "and in the velocity; order 1 unless 0.5 [-]",
                                .default_value = 0.5,
                                .minimum = 0.05}}),
      .make = [](const Options& options, const Services& services) -> std::unique_ptr<Integrator> {
        return std::make_unique<AlphaMethod>(
            AlphaCoefficients{.beta = options.number("beta"), .gamma = options.number("gamma")},
            stage_settings(options), services);
      }};
}

}  // namespace sinew::integrators
