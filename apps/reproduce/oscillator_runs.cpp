// SPDX-License-Identifier: Apache-2.0
#include "oscillator_runs.hpp"

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/integrators/registry.hpp>

namespace sinew::cli {

OscillatorRun run_oscillator(const dynamics::Oscillator& oscillator, const std::string& method,
                             dynamics::State state, double dt, int steps) {
  const integrators::IntegratorEntry* entry = integrators::find_integrator(method);
  if (!entry) throw InternalError(fmt::format("there is no integrator '{}'", method));
  integrators::Options options(entry->options);
  if (options.values().contains("tolerance")) options.set("tolerance", 1e-14);
  const auto integrator =
      integrators::make_integrator(*entry, options, integrators::default_services());
  const auto workspace = oscillator.make_workspace();
  OscillatorRun run;
  for (output::Curve* curve : {&run.positions, &run.velocities}) curve->name = method;
  const auto note = [&] {
    run.positions.x.push_back(state.t);
    run.positions.y.push_back(state.q[0]);
    run.velocities.x.push_back(state.t);
    run.velocities.y.push_back(state.v[0]);
  };
  note();
  for (int k = 0; k < steps; ++k) {
    const auto report = integrator->step(oscillator, *workspace, dt, state);
    if (report.status != integrators::StepStatus::accepted)
      throw InternalError(fmt::format("{}: {}", method, integrators::explanation(report.status)));
    note();
  }
  return run;
}

}  // namespace sinew::cli
