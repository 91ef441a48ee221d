// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <sinew/core/error.hpp>
#include <sinew/integrators/integrator.hpp>

namespace sinew::integrators {

StepReport Integrator::step(const dynamics::DynamicalSystem& system, dynamics::Workspace& workspace,
                            double dt, dynamics::State& state) {
  SINEW_ASSERT(dt > 0.0, "the time step must be positive");
  SINEW_ASSERT(state.q.size() == system.num_dofs() && state.v.size() == system.num_dofs(),
               "the state does not belong to this system");
  if (prepared_for_ != system.id()) {
    prepare(system);
    prepared_for_ = system.id();
  }
  StepReport report;
  next_ = state;
  system.begin_step(state, dt, workspace);
  StepContext context(system, workspace, dt, definiteness_, *services_.reducer, report);
  report.status = do_step(context, state, next_);
  if (report.status != StepStatus::accepted) return report;
  next_.t = state.t + dt;
  system.end_step(state, next_, workspace);
  for (const Vec* part : {&next_.q, &next_.v, &next_.internal})
    if (!services_.reducer->all_finite(*part)) report.status = StepStatus::not_finite;
  if (report.status != StepStatus::accepted) return report;
  commit(state, next_);
  std::swap(state, next_);
  return report;
}

}  // namespace sinew::integrators
