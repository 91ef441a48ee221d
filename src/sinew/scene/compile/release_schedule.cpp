// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <sstream>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/scene/compile/release_schedule.hpp>

namespace sinew::scene {

double ReleaseSchedule::next_time(double t) const {
  double next = std::numeric_limits<double>::infinity();
  for (const std::size_t group : held_)
    if (times_[group] > t) next = std::min(next, times_[group]);
  return next;
}

std::unique_ptr<physics::TermSystem> ReleaseSchedule::make_system() {
  spec_.moved.clear();
  for (const std::size_t group : held_) spec_.moved.push_back(all_[group]);
  return std::make_unique<physics::TermSystem>(physics::to_terms(spec_), executor_);
}

std::string ReleaseSchedule::description() const {
  return fmt::format("{}", fmt::join(held_, " "));
}

std::unique_ptr<dynamics::DynamicalSystem> ReleaseSchedule::restore(
    const std::string& description) {
  held_.clear();
  std::istringstream words(description);
  for (std::size_t group = 0; words >> group;) {
    if (group >= all_.size())
      throw InputError(Problem{.what = "the checkpoint belongs to another scene: it has other "
                                       "vertices to release",
                               .hint = "resume with the scene the run was started with"});
    held_.push_back(group);
  }
  return make_system();
}

sim::Edit ReleaseSchedule::apply(const dynamics::DynamicalSystem& system,
                                 const dynamics::State& state, double time) {
  const auto* before = dynamic_cast<const physics::TermSystem*>(&system);
  SINEW_ASSERT(before != nullptr, "releases are for systems of terms");
  std::erase_if(held_, [&](std::size_t group) { return times_[group] <= time; });
  auto after = make_system();
  sim::Edit edit;
  edit.state = after->rest_state();
  edit.state.t = state.t;
  SINEW_ASSERT(after->has_internal_of(*before),
               "a term must have as many internal variables after vertices are let go as before");
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
