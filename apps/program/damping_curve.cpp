// SPDX-License-Identifier: Apache-2.0
#include "damping_curve.hpp"

#include <cmath>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/core/nearest.hpp>
#include <sinew/integrators/numerical_damping.hpp>
#include <sinew/integrators/registry.hpp>

namespace sinew::cli {

output::Curve damping_curve(const std::string& method) {
  const integrators::IntegratorEntry* entry = integrators::find_integrator(method);
  if (!entry)
    throw InputError({.what = fmt::format("there is no integrator '{}'", method),
                      .hint = core::suggestion(method, integrators::integrator_names())});
  integrators::Options options(entry->options);
  if (options.values().contains("tolerance")) options.set("tolerance", 1e-14);
  output::Curve curve{.name = method,
                      .x = {},
                      .y = {},
                      .family = fmt::format("{} methods", integrators::family_of(entry->traits))};
  const long last = std::lround(points_per_decade * std::log10(highest_h_omega / lowest_h_omega));
  for (long k = 0; k <= last; ++k) {
    const double h_omega =
        lowest_h_omega * std::pow(10.0, static_cast<double>(k) / points_per_decade);
    curve.x.push_back(h_omega);
    curve.y.push_back(
        integrators::measure_amplification(*entry, options, h_omega).damping(h_omega));
  }
  return curve;
}

}  // namespace sinew::cli
