// SPDX-License-Identifier: Apache-2.0
// A run whose mesh changes on the way: a bar held at one end breaks in two, one of two springs of a
// chain beside it goes, and later the end of the piece that falls is taken away.
#pragma once

#include <filesystem>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <sinew/core/error.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/mesh/generators.hpp>
#include <sinew/output/record/energy_writer.hpp>
#include <sinew/output/record/manifest_writer.hpp>
#include <sinew/output/record/probe_writer.hpp>
#include <sinew/output/record/steps_writer.hpp>
#include <sinew/output/record/vtu_writer.hpp>
#include <sinew/physics/bodies.hpp>
#include <sinew/sim/simulation.hpp>

namespace sinew::test {

constexpr double bar_length = 1.2, bar_break = 0.6, bar_end = 1.0;  // [m]
constexpr double bar_breaks_at = 0.1, end_goes_at = 0.3;            // [s]

/// The two bodies as they are before or after an edit.
struct BreakingBodies {
  physics::BodiesSpec spec;
  std::vector<int> origin;  ///< vertex before the edit that each continues
};

inline BreakingBodies whole_bodies() {
  physics::Body chain;
  chain.name = "chain";
  chain.mesh.vertices = {{0.0, -0.3, 0.0}, {0.3, -0.3, 0.0}, {0.6, -0.3, 0.0}};
  for (const std::array<int, 2> ends : {std::array{0, 1}, std::array{1, 2}})
    chain.springs.push_back({.vertices = ends, .stiffness = 500.0, .rest_length = 0.3});
  chain.points.assign(3, {.mass = 0.2});
  physics::Body bar;
  bar.name = "bar";
  bar.mesh = mesh::make_bar({.size = {bar_length, 0.2, 0.2}, .cells = {12, 2, 2}});
  bar.tets.assign(bar.mesh.tets.size(), {.material = physics::find_material("stable-neo-hookean"),
                                         .moduli = physics::moduli(4e5, 0.4),
                                         .density = 1000.0});
  BreakingBodies bodies;
  bodies.spec.gravity = {0.0, 0.0, -9.81};
  bodies.spec.fixed.push_back(0);
  for (int v = 0; v < bar.mesh.num_vertices(); ++v)
    if (bar.mesh.vertices[static_cast<std::size_t>(v)][0] < 1e-9)
      bodies.spec.fixed.push_back(3 + v);
  bodies.spec.bodies = {std::move(chain), std::move(bar)};
  for (int v = 0; v < 3 + bodies.spec.bodies[1].mesh.num_vertices(); ++v)
    bodies.origin.push_back(v);
  return bodies;
}

inline double middle(const mesh::TetMesh& mesh, const mesh::Tet& tet) {
  double x = 0.0;
  for (const int v : tet) x += 0.25 * mesh.vertices[static_cast<std::size_t>(v)][0];
  return x;
}

/// Vertices on the plane of the break exist twice from then on; the new ones are the last.
inline BreakingBodies broken_bodies() {
  BreakingBodies bodies = whole_bodies();
  bodies.spec.bodies[0].springs.pop_back();
  mesh::TetMesh& mesh = bodies.spec.bodies[1].mesh;
  std::vector<int> twin(mesh.vertices.size());
  for (std::size_t v = 0; v < twin.size(); ++v) {
    twin[v] = static_cast<int>(v);
    if (std::abs(mesh.vertices[v][0] - bar_break) > 1e-9) continue;
    twin[v] = mesh.num_vertices();
    mesh.vertices.push_back(Vec3(mesh.vertices[v]));
    bodies.origin.push_back(3 + static_cast<int>(v));
  }
  for (mesh::Tet& tet : mesh.tets)
    if (middle(mesh, tet) > bar_break)
      for (int& v : tet) v = twin[static_cast<std::size_t>(v)];
  return bodies;
}

/// Fewer cells, and fewer vertices: those that are left are numbered anew.
inline BreakingBodies shortened_bodies() {
  BreakingBodies bodies = broken_bodies();
  physics::Body& bar = bodies.spec.bodies[1];
  mesh::TetMesh mesh;
  std::vector<int> number(bar.mesh.vertices.size(), -1);
  bodies.origin = {0, 1, 2};
  for (std::size_t v = 0; v < number.size(); ++v) {
    if (bar.mesh.vertices[v][0] > bar_end + 1e-9) continue;
    number[v] = mesh.num_vertices();
    mesh.vertices.push_back(bar.mesh.vertices[v]);
    bodies.origin.push_back(3 + static_cast<int>(v));
  }
  for (mesh::Tet tet : bar.mesh.tets) {
    if (middle(bar.mesh, tet) > bar_end) continue;
    for (int& v : tet) v = number[static_cast<std::size_t>(v)];
    mesh.tets.push_back(tet);
    mesh.regions.push_back(0);
  }
  bar.mesh = std::move(mesh);
  bar.tets.resize(bar.mesh.tets.size());
  bodies.spec.fixed = {0};
  for (int v = 0; v < bar.mesh.num_vertices(); ++v)
    if (bar.mesh.vertices[static_cast<std::size_t>(v)][0] < 1e-9)
      bodies.spec.fixed.push_back(3 + v);
  return bodies;
}

class BreakingEdits final : public sim::EditSource {
 public:
  double next_time(double t) const override {
    return t < bar_breaks_at ? bar_breaks_at
           : t < end_goes_at ? end_goes_at
                             : std::numeric_limits<double>::infinity();
  }
  sim::Edit apply(const dynamics::DynamicalSystem& system, const dynamics::State& state,
                  double) override {
    const auto& before = dynamic_cast<const physics::TermSystem&>(system);
    const BreakingBodies bodies = ++stage_ == 1 ? broken_bodies() : shortened_bodies();
    auto after = std::make_unique<physics::TermSystem>(physics::to_terms(bodies.spec));
    sim::Edit edit;
    edit.state = after->rest_state();
    edit.state.t = state.t;
    edit.map.source.assign(static_cast<std::size_t>(after->num_dofs()), -1);
    for (int v = 0; v < after->num_vertices(); ++v) {
      const int old = bodies.origin[static_cast<std::size_t>(v)];
      const Index to = after->dof_of_vertex(v), from = before.dof_of_vertex(old);
      if (to < 0) continue;
      edit.state.q.segment<3>(to) = before.vertex_position(old, state);
      edit.state.v.segment<3>(to) = before.vertex_velocity(old, state);
      for (Index c = 0; c < 3; ++c) edit.map.source[static_cast<std::size_t>(to + c)] = from + c;
    }
    edit.system = std::move(after);
    return edit;
  }
  std::string description() const override { return std::to_string(stage_); }
  std::unique_ptr<dynamics::DynamicalSystem> restore(const std::string& description) override {
    std::istringstream(description) >> stage_;
    return std::make_unique<physics::TermSystem>(
        physics::to_terms((stage_ == 0   ? whole_bodies()
                           : stage_ == 1 ? broken_bodies()
                                         : shortened_bodies())
                              .spec));
  }

 private:
  int stage_ = 0;
};

/// Half a second in 26 frames. The probes are a vertex that stays and one that goes at the end.
/// `kept` gets the surface that was kept on the way.
inline sim::RunSummary run_breaking_bar(const std::filesystem::path& path,
                                        std::optional<output::SurfaceFrames>* kept = nullptr) {
  auto system = std::make_unique<physics::TermSystem>(physics::to_terms(whole_bodies().spec));
  const int last = system->num_vertices() - 1;
  const dynamics::State start = system->rest_state();
  sim::Simulation simulation(std::move(system), start, integrators::make_integrator("be"),
                             {.dt = 0.01, .end = 0.5, .fps = 50.0});
  simulation.set_edits(std::make_unique<BreakingEdits>());
  const bool may_replace = true;  // the one of the last time the tests ran
  const output::RunDirectory directory = output::RunDirectory::create(path, may_replace);
  output::EnergyWriter energy(directory, false);
  output::StepsWriter steps(directory, false);
  output::ProbeWriter probes(directory, {{"chain", {2}}, {"tip", {last}}}, false);
  output::VtuWriter frames(directory, false, kept != nullptr);
  output::ManifestWriter manifest(
      directory, {.scene_json = R"({ "name": "breaking-bar" })", .integrator = "be", .dt = 0.01});
  for (sim::Observer* observer :
       std::initializer_list<sim::Observer*>{&energy, &steps, &probes, &frames, &manifest})
    simulation.add_observer(*observer);
  sim::RunSummary summary = simulation.run();
  if (kept) *kept = frames.take_surface();
  return summary;
}

}  // namespace sinew::test
