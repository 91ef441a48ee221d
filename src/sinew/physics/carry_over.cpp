// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>

#include <Eigen/Dense>

#include <sinew/core/error.hpp>
#include <sinew/physics/carry_over.hpp>

namespace sinew::physics {
namespace {

/// Gives the changed vertices of one body the angular momentum back that lumping took.
void restore_spin(const TermSystem& before, const dynamics::State& then, const TermSystem& after,
                  const std::set<int>& changed, dynamics::State& now) {
  const Vec *old_mass = before.mass().diagonal_only(), *new_mass = after.mass().diagonal_only();
  if (!old_mass || !new_mass) return;  // consistent masses keep it
  Vec3 missing = Vec3::Zero(), moment = Vec3::Zero();
  double total = 0.0;
  for (const int vertex : changed) {
    const Index dof = after.dof_of_vertex(vertex);
    if (dof < 0) return;  // what is held takes momentum anyway
    const double mass = (*new_mass)[dof];
    const Vec3 x = now.q.segment<3>(dof), v = now.v.segment<3>(dof);
    missing -= mass * x.cross(v);
    moment += mass * x;
    total += mass;
    if (vertex >= before.num_vertices()) continue;
    const Index old = before.dof_of_vertex(vertex);
    if (old < 0) return;
    missing += (*old_mass)[old] * Vec3(then.q.segment<3>(old)).cross(Vec3(then.v.segment<3>(old)));
  }
  const Vec3 centre = moment / total;
  Mat3 inertia = Mat3::Zero();
  for (const int vertex : changed) {
    const Index dof = after.dof_of_vertex(vertex);
    const Vec3 r = Vec3(now.q.segment<3>(dof)) - centre;
    inertia += (*new_mass)[dof] * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
  }
  const Eigen::SelfAdjointEigenSolver<Mat3> axes(inertia);
  constexpr double least = 1e-9;  // vertices on a line cannot turn about it
  if (!(axes.eigenvalues()[0] > least * axes.eigenvalues()[2])) return;
  const Vec3 spin = axes.eigenvectors() *
                    (axes.eigenvectors().transpose() * missing).cwiseQuotient(axes.eigenvalues());
  for (const int vertex : changed) {
    const Index dof = after.dof_of_vertex(vertex);
    now.v.segment<3>(dof) += spin.cross(Vec3(now.q.segment<3>(dof)) - centre);
  }
}

}  // namespace

CarriedState carry_over(const TermSystem& before, const dynamics::State& state,
                        const TermSystem& after, std::span<const CutChange> cuts) {
  SINEW_ASSERT(after.has_internal_of(before),
               "a term must have as many internal variables after an edit as before");
  CarriedState carried{.state = after.rest_state(), .map = {}};
  carried.state.t = state.t;
  carried.state.internal = state.internal;
  const auto count = static_cast<std::size_t>(after.num_vertices());
  std::vector<Vec3> x(count), v(count);
  std::vector<char> is_changed(count, 0);
  for (int vertex = 0; vertex < before.num_vertices(); ++vertex) {
    x[static_cast<std::size_t>(vertex)] = before.vertex_position(vertex, state);
    v[static_cast<std::size_t>(vertex)] = before.vertex_velocity(vertex, state);
  }
  for (const CutChange& cut : cuts) {
    for (const CutChange::Vertex& added : cut.added) {
      const auto a = static_cast<std::size_t>(added.from[0]);
      const auto b = static_cast<std::size_t>(added.from[1]);
      x[static_cast<std::size_t>(added.number)] = mesh::between(x[a], x[b], added.weight);
      v[static_cast<std::size_t>(added.number)] = mesh::between(v[a], v[b], added.weight);
    }
    for (const int vertex : cut.changed) is_changed[static_cast<std::size_t>(vertex)] = 1;
  }
  carried.map.source.assign(static_cast<std::size_t>(after.num_dofs()), -1);
  for (int vertex = 0; vertex < after.num_vertices(); ++vertex) {
    const Index dof = after.dof_of_vertex(vertex);
    if (dof < 0) continue;
    carried.state.q.segment<3>(dof) = x[static_cast<std::size_t>(vertex)];
    carried.state.v.segment<3>(dof) = v[static_cast<std::size_t>(vertex)];
    if (is_changed[static_cast<std::size_t>(vertex)]) continue;
    if (const Index old = before.dof_of_vertex(vertex); old >= 0)
      for (Index c = 0; c < 3; ++c) carried.map.source[static_cast<std::size_t>(dof + c)] = old + c;
  }
  std::map<std::size_t, std::set<int>> changed_of_body;
  for (const CutChange& cut : cuts)
    changed_of_body[cut.body].insert(cut.changed.begin(), cut.changed.end());
  for (const auto& [body, changed] : changed_of_body)
    restore_spin(before, state, after, changed, carried.state);
  return carried;
}

}  // namespace sinew::physics
