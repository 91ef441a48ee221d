// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include <sinew/core/error.hpp>
#include <sinew/scene/compile/release_schedule.hpp>

namespace sinew::scene {

double ReleaseSchedule::next_time(double t) const {
  double next = std::numeric_limits<double>::infinity();
  for (const double time : times_)
    if (time > t) next = std::min(next, time);
  return next;
}

sim::Edit ReleaseSchedule::apply(const dynamics::DynamicalSystem& system,
                                 const dynamics::State& state, double time) {
  const auto* before = dynamic_cast<const physics::TermSystem*>(&system);
  SINEW_ASSERT(before != nullptr, "releases are for elastic systems");
  for (std::size_t k = times_.size(); k-- > 0;)
    if (times_[k] <= time) {
      times_.erase(times_.begin() + static_cast<std::ptrdiff_t>(k));
      spec_.moved.erase(spec_.moved.begin() + static_cast<std::ptrdiff_t>(k));
    }

  auto after = std::make_unique<physics::TermSystem>(physics::to_terms(spec_), executor_);
  sim::Edit edit;
  edit.state = after->rest_state();
  edit.state.t = state.t;
  edit.state.internal = state.internal;
  edit.map.source.assign(static_cast<std::size_t>(after->num_dofs()), -1);
  for (int vertex = 0; vertex < after->num_vertices(); ++vertex) {
    const Index dof = after->dof_of_vertex(vertex);
    if (dof < 0) continue;
    edit.state.q.segment<3>(dof) = before->vertex_position(vertex, state);
    edit.state.v.segment<3>(dof) = before->vertex_velocity(vertex, state);
    if (const Index old = before->dof_of_vertex(vertex); old >= 0)
      for (Index c = 0; c < 3; ++c) edit.map.source[static_cast<std::size_t>(dof + c)] = old + c;
  }
  edit.system = std::move(after);
  return edit;
}

}  // namespace sinew::scene
