// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include <sinew/core/expression.hpp>
#include <sinew/physics/bodies.hpp>
#include <sinew/scene/compile/formula_watch.hpp>
#include <sinew/scene/compile/initial_state.hpp>

namespace sinew::scene {
namespace {

/// Values of a formula at the free vertices of a body at t = 0.
class Values {
 public:
  Values(std::span<const Vec3> rest, int first, const physics::TermSystem& system,
         const std::function<std::string(int)>& vertex_name)
      : rest_(rest), first_(first), system_(system), vertex_name_(vertex_name) {}

  /// Complains about the first that is not finite.
  std::vector<Vec3> of(const Formulas& texts, const std::string& place, const Catalog& catalog,
                       Diagnostics& diagnostics) const {
    const auto formulas = parse_expressions(texts, place, catalog, diagnostics);
    std::vector<Vec3> values(rest_.size(), Vec3::Zero());
    for (std::size_t v = 0; v < rest_.size(); ++v) {
      const int vertex = first_ + static_cast<int>(v);
      if (system_.dof_of_vertex(vertex) < 0) continue;
      for (std::size_t k = 0; k < 3; ++k) {
        double& value = values[v][static_cast<Index>(k)] = formulas[k](rest_[v], 0.0);
        if (std::isfinite(value)) continue;
        diagnostics.error(
            fmt::format("{}/{}", place, k),
            fmt::format("{} ({})", core::describe_not_finite(formulas[k], {value, rest_[v], 0.0}),
                        vertex_name_(vertex)),
            "look for a division by zero or a root of a negative number");
        return values;
      }
    }
    return values;
  }

 private:
  std::span<const Vec3> rest_;
  int first_;
  const physics::TermSystem& system_;
  const std::function<std::string(int)>& vertex_name_;
};

}  // namespace

dynamics::State initial_state(const SceneSpec& scene, std::span<const physics::Body> bodies,
                              const physics::TermSystem& system,
                              const std::function<std::string(int vertex)>& vertex_name,
                              const Catalog& catalog, Diagnostics& diagnostics) {
  dynamics::State state = system.rest_state();
  // vertices that are one share what their bodies say by mass, so that momentum is kept
  const std::vector<double> masses = physics::vertex_shares(bodies, physics::ShareBy::mass);
  std::vector<double> total(static_cast<std::size_t>(system.num_dofs() / 3), 0.0);
  int first = 0;
  for (std::size_t b = 0; b < scene.bodies.size(); first += bodies[b++].mesh.num_vertices())
    for (int vertex = first; vertex < first + bodies[b].mesh.num_vertices(); ++vertex)
      if (const Index dof = system.dof_of_vertex(vertex); dof >= 0)
        total[static_cast<std::size_t>(dof / 3)] += masses[static_cast<std::size_t>(vertex)];
  first = 0;
  for (std::size_t b = 0; b < scene.bodies.size(); first += bodies[b++].mesh.num_vertices()) {
    const std::string pointer = fmt::format("/bodies/{}", b);
    const Values values(bodies[b].mesh.vertices, first, system, vertex_name);
    const auto displacement = values.of(scene.bodies[b].displacement,
                                        pointer + "/initial/displacement", catalog, diagnostics);
    const auto velocity =
        values.of(scene.bodies[b].velocity, pointer + "/velocity", catalog, diagnostics);
    for (std::size_t v = 0; v < displacement.size(); ++v) {
      const int vertex = first + static_cast<int>(v);
      const Index dof = system.dof_of_vertex(vertex);
      if (dof < 0) continue;
      const double share =
          masses[static_cast<std::size_t>(vertex)] / total[static_cast<std::size_t>(dof / 3)];
      state.q.segment<3>(dof) += share * displacement[v];
      state.v.segment<3>(dof) += share * velocity[v];
    }
  }
  return state;
}

}  // namespace sinew::scene
