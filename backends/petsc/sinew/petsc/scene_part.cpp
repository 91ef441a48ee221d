// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/petsc/scene_part.hpp>
#include <sinew/petsc/shared_modes.hpp>
#include <sinew/petsc/surplus.hpp>

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
  const auto& options = scene.integrator.options.values();
  for (const char* kernel : {"dense", "skew"})
    if (const auto found = options.find("kernel"); found != options.end())
      refuse(found->second == integrators::OptionValue(std::string(kernel)), "/integrator/kernel",
             fmt::format("the kernel {} is", kernel));
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
    if (share.is_quadratic != shares_.front().is_quadratic)
      throw InputError({.file = scene.source,
                        .where = fmt::format("/bodies/{}/mesh/order", b),
                        .what = "tets with four and with ten nodes are not shared together by "
                                "several processes yet",
                        .hint = "use one order for all bodies, or one process"});
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

std::string ScenePart::heard(const std::string& text) const {
  std::string first;
  for (const std::string& said : processes_.to_first(text))
    if (first.empty()) first = said;
  return processes_.from_first(first);
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

std::unique_ptr<dynamics::DynamicalSystem> ScenePart::share(
    std::unique_ptr<physics::TermSystem> part, const physics::BodiesSpec& spec,
    dynamics::State& begin) const {
  Surplus surplus = make_surplus(spec, numbers_, processes_.rank(), part->sum().executor());
  auto system = std::make_unique<SharedSystem>(processes_, reducer_, std::move(part),
                                               std::move(surplus), numbers_);
  begin = system->owned_part(begin);
  return system;
}

}  // namespace sinew::petsc
