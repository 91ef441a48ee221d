// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <sinew/integrators/registry.hpp>
#include <sinew/scene/compile/settle.hpp>

namespace sinew::scene {

std::string_view settling_method(const std::optional<ContactSpec>& contact) {
  const bool needs_steps =
      contact &&
      (contact->friction || (contact->model != "barrier" && contact->model != "penalty"));
  return needs_steps ? "be" : "equilibrium";
}

bool settle(const physics::BodiesSpec& spec, const integrators::IntegratorEntry& entry, double dt,
            double end, const core::Executor& executor, const physics::TermSystem& free,
            dynamics::State& state, const std::function<void(double)>& on_step) {
  const physics::TermSystem system(physics::to_terms(spec), executor);
  const auto workspace = system.make_workspace();
  const auto method = integrators::make_integrator(entry, integrators::Options(entry.options),
                                                   integrators::default_services());
  dynamics::State moved = system.rest_state();
  for (int vertex = 0; vertex < system.num_vertices(); ++vertex)
    if (const Index dof = system.dof_of_vertex(vertex); dof >= 0)
      moved.q.segment<3>(dof) = free.vertex_position(vertex, state);
  const auto steps = static_cast<long>(std::ceil(end / dt - 1e-9));
  for (long k = 0; k < steps; ++k) {
    if (method->step(system, *workspace, end / static_cast<double>(steps), moved).status !=
        integrators::StepStatus::accepted)
      return false;
    on_step(moved.t);
  }
  for (int vertex = 0; vertex < system.num_vertices(); ++vertex)
    if (const Index dof = free.dof_of_vertex(vertex); dof >= 0)
      state.q.segment<3>(dof) = system.vertex_position(vertex, moved);
  state.v.setZero();
  if (free.has_internal_of(system)) state.internal = moved.internal;
  return true;
}

}  // namespace sinew::scene
