// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/petsc/scene_part.hpp>
#include <sinew/petsc/shared_modes.hpp>

namespace sinew::petsc {

std::vector<Problem> not_shared_yet(const scene::SceneSpec& scene) {
  std::vector<Problem> problems;
  const auto refuse = [&](bool is_there, const std::string& where, const std::string& what) {
    if (is_there)
      problems.push_back({.file = scene.source,
                          .where = where,
                          .what = what + " not shared by several processes yet",
                          .hint = "leave it out, or use one process"});
  };
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const std::string pointer = fmt::format("/bodies/{}", b);
    refuse(scene.bodies[b].type == "springs", pointer + "/type", "bodies of springs are");
    refuse(scene.bodies[b].mass == "consistent", pointer + "/mass", "a consistent mass is");
  }
  refuse(!scene.attachments.empty(), "/attachments", "attachments are");
  refuse(!scene.interactions.empty(), "/interactions", "interactions of particles are");
  refuse(scene.contact.has_value() || !scene.obstacles.empty(),
         scene.contact ? "/contact" : "/obstacles", "contact and obstacles are");
  refuse(!scene.cuts.empty(), "/cuts", "cuts are");
  refuse(!scene.fracture.empty(), "/fracture", "fracture is");
  refuse(scene.settle.has_value(), "/settle", "settling before the run is");
  for (std::size_t k = 0; k < scene.motion.size(); ++k)
    refuse(std::isfinite(scene.motion[k].until), fmt::format("/motion/{}/until", k),
           "letting vertices go is");
  for (std::size_t k = 0; k < scene.loads.size(); ++k) {
    const std::vector<std::string> known = scene::builtin_load_types();
    refuse(std::find(known.begin(), known.end(), scene.loads[k].type) == known.end(),
           fmt::format("/loads/{}/type", k), "loads that a program adds are");
  }
  for (const char* method : {"ceti", "imex", "equilibrium"})
    refuse(scene.integrator.name == method, "/integrator/name", std::string(method) + " is");
  return problems;
}

ScenePart::ScenePart(const Processes& processes, const la::Reducer& reducer,
                     const scene::SceneSpec& scene, const scene::Catalog& catalog)
    : processes_(processes), reducer_(reducer), scene_(scene) {
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    shares_.push_back(share_body(processes, take_slice(processes, scene, scene.bodies[b], catalog),
                                 static_cast<int>(b) % processes.count()));
    const BodyShare& share = shares_.back();
    for (const std::int64_t vertex : share.vertices)
      numbers_.vertices.push_back(all_vertices_ + vertex);
    numbers_.owners.insert(numbers_.owners.end(), share.owners.begin(), share.owners.end());
    numbers_.counts.insert(numbers_.counts.end(), share.counts.begin(), share.counts.end());
    all_vertices_ += share.all_vertices;
  }
  const bool has_any = std::find(numbers_.owners.begin(), numbers_.owners.end(),
                                 processes.rank()) != numbers_.owners.end();
  if (reducer.any(!has_any))
    throw InputError({.file = scene.source,
                      .what = fmt::format("{} vertices are too few for {} processes", all_vertices_,
                                          processes.count()),
                      .hint = "use fewer processes"});
  for (std::size_t b = 0; b < scene_.bodies.size(); ++b)
    for (std::size_t r = 0; r < scene_.bodies[b].regions.size(); ++r)
      translate(scene_.bodies[b].regions[r].select, scene_.bodies[b].name,
                fmt::format("/bodies/{}/regions/{}", b, r));
  for (std::size_t k = 0; k < scene_.fixed.size(); ++k)
    translate(scene_.fixed[k].select, scene_.fixed[k].body, fmt::format("/fixed/{}", k));
  for (std::size_t k = 0; k < scene_.motion.size(); ++k)
    translate(scene_.motion[k].select, scene_.motion[k].body, fmt::format("/motion/{}", k));
  for (std::size_t k = 0; k < scene_.loads.size(); ++k)
    translate(scene_.loads[k].select, scene_.loads[k].body, fmt::format("/loads/{}", k));
  for (std::size_t k = 0; k < scene_.output.probes.size(); ++k) {
    scene::ProbeSpec& probe = scene_.output.probes[k];
    if (probe.vertex) probe.select.vertices = {*probe.vertex};
    probe.vertex.reset();
    translate(probe.select, probe.body, fmt::format("/output/probes/{}", k));
  }
}

void ScenePart::complete(integrators::Services& services) const {
  services.find_modes = find_shared_modes;
}

std::int64_t ScenePart::all_tets() const {
  std::int64_t sum = 0;
  for (const BodyShare& share : shares_) sum += share.all_tets;
  return sum;
}

void ScenePart::translate(mesh::Selection& select, const std::string& body,
                          const std::string& pointer) const {
  if (!select.vertices) return;
  std::size_t b = 0;
  while (b + 1 < shares_.size() && scene_.bodies[b].name != body) ++b;
  const BodyShare& share = shares_[b];
  std::vector<int> here;
  for (const int vertex : *select.vertices) {
    if (vertex < 0 || vertex >= share.all_vertices)
      throw InputError(
          {.file = scene_.source,
           .where = pointer + "/select/vertices",
           .what = fmt::format("there is no vertex {}", vertex),
           .hint = fmt::format("the mesh has vertices 0 to {}", share.all_vertices - 1)});
    const auto found = std::lower_bound(share.vertices.begin(), share.vertices.end(), vertex);
    if (found != share.vertices.end() && *found == vertex)
      here.push_back(static_cast<int>(found - share.vertices.begin()));
  }
  select.vertices = std::move(here);
}

namespace {

/// Some of the vertices of a part, and how they are counted among themselves.
class Subset {
 public:
  explicit Subset(std::size_t all) : place_(all, -1) {}

  void add(int vertex) { place_[static_cast<std::size_t>(vertex)] = 0; }
  void close() {
    for (std::size_t v = 0; v < place_.size(); ++v)
      if (place_[v] >= 0) {
        place_[v] = static_cast<int>(vertices_.size());
        vertices_.push_back(static_cast<int>(v));
      }
  }
  bool has(int vertex) const { return place_[static_cast<std::size_t>(vertex)] >= 0; }
  int operator()(int vertex) const { return place_[static_cast<std::size_t>(vertex)]; }
  const std::vector<int>& vertices() const { return vertices_; }

 private:
  std::vector<int> place_, vertices_;
};

}  // namespace

Surplus ScenePart::make_surplus(const physics::BodiesSpec& spec,
                                const core::Executor& executor) const {
  // faces count where their first vertex is owned, and loads on vertices where those are
  const auto counts = [&](const auto& face) {
    return owns(*std::min_element(face.begin(), face.end()));
  };
  const auto surplus_faces = [&](const physics::LoadedFaces& faces) {
    return std::visit(
        [&](auto list) -> physics::LoadedFaces {
          std::erase_if(list, counts);
          return list;
        },
        faces);
  };
  Subset kept(numbers_.vertices.size());
  std::size_t first_cell = 0;
  int first = 0;
  for (const physics::Body& body : spec.bodies) {
    for (int t = 0; t < body.mesh.num_tets(); ++t) {
      if (numbers_.counts[first_cell + static_cast<std::size_t>(t)]) continue;
      for (const int v : body.mesh.tets[static_cast<std::size_t>(t)]) kept.add(first + v);
      if (body.mesh.is_quadratic())
        for (const int v : body.mesh.middles[static_cast<std::size_t>(t)]) kept.add(first + v);
    }
    first_cell += body.mesh.tets.size();
    first += body.mesh.num_vertices();
  }
  for (std::size_t v = 0; v < numbers_.owners.size(); ++v)
    if (!owns(static_cast<int>(v))) kept.add(static_cast<int>(v));
  physics::BodiesSpec surplus;
  surplus.gravity = spec.gravity;
  for (const physics::PressureLoad& load : spec.pressures)
    surplus.pressures.push_back({surplus_faces(load.faces), load.pressure, load.window});
  for (const physics::WindLoad& load : spec.winds) {
    surplus.winds.push_back(load);
    surplus.winds.back().faces = surplus_faces(load.faces);
  }
  const auto each_face = [&](physics::LoadedFaces& faces, const auto& use) {
    std::visit(
        [&](auto& list) {
          for (auto& face : list)
            for (int& vertex : face) use(vertex);
        },
        faces);
  };
  const auto keep = [&](int& vertex) { kept.add(vertex); };
  for (physics::PressureLoad& load : surplus.pressures) each_face(load.faces, keep);
  for (physics::WindLoad& load : surplus.winds) each_face(load.faces, keep);
  kept.close();

  const auto renumber = [&](int& vertex) { vertex = kept(vertex); };
  for (physics::PressureLoad& load : surplus.pressures) each_face(load.faces, renumber);
  for (physics::WindLoad& load : surplus.winds) each_face(load.faces, renumber);
  first_cell = 0;
  first = 0;
  int first_kept = 0;
  for (const physics::Body& body : spec.bodies) {
    physics::Body rest;
    rest.name = body.name;
    for (int v = 0; v < body.mesh.num_vertices(); ++v)
      if (kept.has(first + v))
        rest.mesh.vertices.push_back(body.mesh.vertices[static_cast<std::size_t>(v)]);
    const auto own_number = [&](int v) { return kept(first + v) - first_kept; };
    for (std::size_t t = 0; t < body.mesh.tets.size(); ++t) {
      if (numbers_.counts[first_cell + t]) continue;
      mesh::Tet tet = body.mesh.tets[t];
      for (int& v : tet) v = own_number(v);
      rest.mesh.tets.push_back(tet);
      rest.mesh.regions.push_back(body.mesh.regions[t]);
      rest.tets.push_back(body.tets[t]);
      if (!body.mesh.is_quadratic()) continue;
      mesh::Middles middles = body.mesh.middles[t];
      for (int& v : middles) v = own_number(v);
      rest.mesh.middles.push_back(middles);
    }
    first_cell += body.mesh.tets.size();
    first += body.mesh.num_vertices();
    first_kept += rest.mesh.num_vertices();
    surplus.bodies.push_back(std::move(rest));
  }
  for (const int vertex : spec.fixed)
    if (kept.has(vertex)) surplus.fixed.push_back(kept(vertex));
  for (const physics::MovedVertices& group : spec.moved) {
    physics::MovedVertices some{.vertices = {}, .motion = group.motion};
    for (const int vertex : group.vertices)
      if (kept.has(vertex)) some.vertices.push_back(kept(vertex));
    surplus.moved.push_back(std::move(some));
  }
  for (const physics::VertexLoad& load : spec.forces) {
    physics::VertexLoad some = load;
    some.shares = physics::LoadShares::given;
    some.vertices.clear();
    some.factors.clear();
    for (std::size_t k = 0; k < load.vertices.size(); ++k) {
      if (owns(load.vertices[k])) continue;
      some.vertices.push_back(kept(load.vertices[k]));
      some.factors.push_back(load.factors[k]);
    }
    surplus.forces.push_back(std::move(some));
  }
  return {std::make_unique<physics::TermSystem>(physics::to_terms(surplus), executor),
          kept.vertices()};
}

std::unique_ptr<dynamics::DynamicalSystem> ScenePart::share(
    std::unique_ptr<physics::TermSystem> part, const physics::BodiesSpec& spec,
    dynamics::State& begin) const {
  Surplus surplus = make_surplus(spec, part->sum().executor());
  auto system = std::make_unique<SharedSystem>(processes_, reducer_, std::move(part),
                                               std::move(surplus), numbers_);
  begin = system->owned_part(begin);
  return system;
}

}  // namespace sinew::petsc
