// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/scene/compile/edit_schedule.hpp>

namespace sinew::scene {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

const physics::TermSystem& as_terms(const dynamics::DynamicalSystem& system) {
  const auto* terms = dynamic_cast<const physics::TermSystem*>(&system);
  SINEW_ASSERT(terms != nullptr, "edits of scenes are for systems of terms");
  return *terms;
}

std::vector<Vec3> positions(const physics::TermSystem& system, const dynamics::State& state) {
  std::vector<Vec3> x;
  x.reserve(static_cast<std::size_t>(system.num_vertices()));
  for (int v = 0; v < system.num_vertices(); ++v) x.push_back(system.vertex_position(v, state));
  return x;
}

/// What a blade that waits for the body to come to it may have passed without cutting [m].
double overlap_of(const mesh::TetMesh& mesh) {
  double sum = 0.0;
  for (int t = 0; t < mesh.num_tets(); ++t)
    sum += std::cbrt(std::abs(mesh::signed_volume(mesh, t)));
  return 2.0 * sum / std::max(1, mesh.num_tets());
}

}  // namespace

bool EditPlan::is_empty() const {
  const bool releases = std::any_of(release_times.begin(), release_times.end(),
                                    [](double time) { return std::isfinite(time); });
  return !releases && cuts.empty() && fractures.empty();
}

EditSchedule::EditSchedule(physics::BodiesSpec spec, EditPlan plan, const core::Executor& executor)
    : bodies_(std::move(spec)), plan_(std::move(plan)), executor_(executor) {
  for (std::size_t k = 0; k < bodies_.spec().moved.size(); ++k) held_.push_back(k);
  progress_.resize(plan_.cuts.size());
}

double EditSchedule::next_time(double t) const {
  double next = infinity;
  const auto consider = [&](double time) {
    if (time > t) next = std::min(next, time);
  };
  for (const std::size_t group : held_) consider(plan_.release_times[group]);
  for (std::size_t k = 0; k < plan_.cuts.size(); ++k)
    if (!progress_[k].is_done)
      consider(plan_.cuts[k].takes_time() ? plan_.cuts[k].until : plan_.cuts[k].at);
  return next;
}

std::unique_ptr<physics::TermSystem> EditSchedule::make_system() const {
  physics::BodiesSpec spec = bodies_.spec();
  std::vector<physics::MovedVertices> moved;
  for (const std::size_t group : held_) moved.push_back(std::move(spec.moved[group]));
  spec.moved = std::move(moved);
  return std::make_unique<physics::TermSystem>(physics::to_terms(spec), executor_);
}

std::vector<Vec3> EditSchedule::places_of(std::size_t body, bool in_world,
                                          const Places& now) const {
  const mesh::TetMesh& mesh = bodies_.spec().bodies[body].mesh;
  if (!in_world) return mesh.vertices;
  const physics::BodyNumbers number = bodies_.numbers_of(body);
  std::vector<Vec3> places;
  places.reserve(mesh.vertices.size());
  for (int v = 0; v < mesh.num_vertices(); ++v)
    places.push_back(now[static_cast<std::size_t>(number(v))]);
  return places;
}

double EditSchedule::front_of(const PlannedCut& cut, double t,
                              const std::vector<Vec3>& places) const {
  if (!cut.takes_time() || t >= cut.until) return infinity;
  double low = 0.0, high = cut.blade->length().value_or(0.0);
  if (!cut.blade->length()) {
    low = infinity, high = -infinity;
    for (const Vec3& place : places) {
      const double s = cut.blade->progress(place);
      low = std::min(low, s);
      high = std::max(high, s);
    }
  }
  return low + (t - cut.at) / (cut.until - cut.at) * (high - low);
}

mesh::CutSurface cut_surface(const PlannedCut& cut, std::span<const Vec3> places) {
  mesh::CutSurface surface{.places = places, .snap = cut.snap};
  surface.sides.reserve(places.size());
  for (const Vec3& place : places) surface.sides.push_back(cut.blade->side(place));
  surface.is_open = [blade = cut.blade, box = cut.box](const Vec3& place) {
    if (box && !((place.array() >= (*box)[0].array().min((*box)[1].array())).all() &&
                 (place.array() <= (*box)[0].array().max((*box)[1].array())).all()))
      return false;
    return blade->covers(place);
  };
  return surface;
}

mesh::CutSurface EditSchedule::surface_of(const PlannedCut& cut, const Progress& progress,
                                          double front, const std::vector<Vec3>& places) const {
  mesh::CutSurface surface = cut_surface(cut, places);
  for (const int vertex : progress.on) surface.sides[static_cast<std::size_t>(vertex)] = 0.0;
  if (!cut.takes_time()) return surface;
  // in the rest shape everything behind the front stays where it was cut; in the world it moves on,
  // and must not be cut again when it comes back
  const double behind = cut.in_world && std::isfinite(progress.front)
                            ? progress.front - overlap_of(bodies_.spec().bodies[cut.body].mesh)
                            : -infinity;
  surface.is_open = [is_part = surface.is_open, blade = cut.blade, behind,
                     front](const Vec3& place) {
    if (!is_part(place)) return false;
    const double s = blade->progress(place);
    return s >= behind && s <= front;
  };
  return surface;
}

std::vector<physics::Crack> EditSchedule::cracks_of(const PlannedFracture& fracture,
                                                    const physics::TermSystem& system,
                                                    const dynamics::State& state,
                                                    dynamics::Workspace& workspace) const {
  const std::vector<physics::Body>& bodies = bodies_.spec().bodies;
  std::size_t cell = 0;
  for (std::size_t b = 0; b < fracture.body; ++b)
    cell += static_cast<std::size_t>(physics::num_cells(bodies[b]));
  const mesh::TetMesh& mesh = bodies[fracture.body].mesh;
  Vec stress(6 * system.num_cells());
  system.observables().evaluate_field("cauchy_stress", state, workspace, stress);
  return physics::find_cracks(
      mesh,
      std::span<const double>(stress.data(), static_cast<std::size_t>(stress.size()))
          .subspan(6 * cell, 6 * mesh.tets.size()),
      bodies_.is_opened(fracture.body), fracture.strength);
}

bool EditSchedule::is_due(const dynamics::DynamicalSystem& system, const dynamics::State& state,
                          dynamics::Workspace& workspace) const {
  Places now;
  const auto places = [&](std::size_t body, bool in_world) {
    if (now.empty()) now = positions(as_terms(system), state);
    return places_of(body, in_world, now);
  };
  for (std::size_t k = 0; k < plan_.cuts.size(); ++k) {
    const PlannedCut& cut = plan_.cuts[k];
    if (progress_[k].is_done || !cut.takes_time() || state.t < cut.at || state.t >= cut.until)
      continue;
    const std::vector<Vec3> at = places(cut.body, cut.in_world);
    if (mesh::meets(bodies_.spec().bodies[cut.body].mesh,
                    surface_of(cut, progress_[k], front_of(cut, state.t, at), at)))
      return true;
  }
  for (const PlannedFracture& fracture : plan_.fractures) {
    if (state.t < fracture.from) continue;
    const mesh::TetMesh& mesh = bodies_.spec().bodies[fracture.body].mesh;
    for (const physics::Crack& crack : cracks_of(fracture, as_terms(system), state, workspace)) {
      const std::vector<Vec3> at = places(fracture.body, true);
      if (mesh::meets(mesh, physics::surface_of(crack, mesh, at, fracture.snap))) return true;
    }
  }
  return false;
}

void EditSchedule::perform(physics::CutChange change, Places& now,
                           std::vector<physics::CutChange>& changes) {
  now.resize(static_cast<std::size_t>(bodies_.num_vertices()));
  for (const physics::CutChange::Vertex& added : change.added)
    now[static_cast<std::size_t>(added.number)] =
        mesh::between(now[static_cast<std::size_t>(added.from[0])],
                      now[static_cast<std::size_t>(added.from[1])], added.weight);
  changes.push_back(std::move(change));
}

void EditSchedule::advance(std::size_t cut, double time, Places& now,
                           std::vector<physics::CutChange>& changes) {
  const PlannedCut& planned = plan_.cuts[cut];
  Progress& progress = progress_[cut];
  const std::vector<Vec3> at = places_of(planned.body, planned.in_world, now);
  const double front = front_of(planned, time, at);
  const auto first = static_cast<int>(at.size());
  perform(bodies_.cut(planned.body, surface_of(planned, progress, front, at)), now, changes);
  progress.front = front;
  progress.is_done = front == infinity;
  if (progress.is_done) {
    progress.on.clear();
    return;
  }
  const int end = bodies_.spec().bodies[planned.body].mesh.num_vertices();
  const std::vector<mesh::AddedVertex>& added = bodies_.added(planned.body);
  for (int vertex = first; vertex < end; ++vertex) {
    progress.on.push_back(vertex);
    const auto& [a, b] = added[added.size() - static_cast<std::size_t>(end - vertex)].from;
    if (a == b && a < first) progress.on.push_back(a);
  }
}

sim::Edit EditSchedule::apply(const dynamics::DynamicalSystem& system, const dynamics::State& state,
                              double time) {
  const physics::TermSystem& before = as_terms(system);
  Places now = positions(before, state);
  std::vector<physics::CutChange> changes;
  std::erase_if(held_, [&](std::size_t group) { return plan_.release_times[group] <= time; });
  // cracks first: stresses are those of the bodies before any cut
  const auto workspace = before.make_workspace();
  std::vector<std::vector<physics::Crack>> cracks;
  for (const PlannedFracture& fracture : plan_.fractures)
    cracks.push_back(time < fracture.from ? std::vector<physics::Crack>{}
                                          : cracks_of(fracture, before, state, *workspace));
  for (std::size_t k = 0; k < plan_.fractures.size(); ++k) {
    const PlannedFracture& fracture = plan_.fractures[k];
    int count = 0;
    std::vector<char> is_changed(static_cast<std::size_t>(before.num_vertices()), 0);
    for (const physics::Crack& crack : cracks[k]) {
      if (count == fracture.at_once) break;
      const physics::BodyNumbers number = bodies_.numbers_of(fracture.body);
      if (is_changed[static_cast<std::size_t>(number(crack.vertex))]) continue;
      const std::vector<Vec3> at = places_of(fracture.body, true, now);
      physics::CutChange change = bodies_.cut(
          fracture.body,
          physics::surface_of(crack, bodies_.spec().bodies[fracture.body].mesh, at, fracture.snap));
      if (change.added.empty()) continue;
      ++count;
      for (const int vertex : change.changed)
        if (vertex < before.num_vertices()) is_changed[static_cast<std::size_t>(vertex)] = 1;
      perform(std::move(change), now, changes);
    }
  }
  for (std::size_t k = 0; k < plan_.cuts.size(); ++k)
    if (!progress_[k].is_done && time >= plan_.cuts[k].at) advance(k, time, now, changes);
  auto after = make_system();
  physics::CarriedState carried = physics::carry_over(before, state, *after, changes);
  return {
      .system = std::move(after), .state = std::move(carried.state), .map = std::move(carried.map)};
}

std::string EditSchedule::description() const {
  std::string text = fmt::format("held {} {}\n", held_.size(), fmt::join(held_, " "));
  text += fmt::format("cuts {}", progress_.size());
  for (const Progress& progress : progress_)
    text += fmt::format(" {} {:a} {} {}", progress.is_done ? 1 : 0, progress.front,
                        progress.on.size(), fmt::join(progress.on, " "));
  return text + "\n" + bodies_.description();
}

std::unique_ptr<dynamics::DynamicalSystem> EditSchedule::restore(const std::string& description) {
  const auto require = [](bool is_sound, const char* what) {
    if (!is_sound)
      throw InputError(
          Problem{.what = fmt::format("the checkpoint belongs to another scene: {}", what),
                  .hint = "resume with the scene the run was started with"});
  };
  std::istringstream words(description);
  std::string word;
  std::size_t count = 0;
  words >> word >> count;
  require(word == "held" && count <= plan_.release_times.size(),
          "it has other vertices to release");
  held_.assign(count, 0);
  for (std::size_t& group : held_) {
    words >> group;
    require(words && group < plan_.release_times.size(), "it has other vertices to release");
  }
  words >> word >> count;
  require(words && word == "cuts" && count == progress_.size(), "it has other cuts");
  for (Progress& progress : progress_) {
    int is_done = 0;
    words >> is_done >> word;
    require(static_cast<bool>(words), "it has other cuts");
    progress = {.is_done = is_done != 0, .front = std::strtod(word.c_str(), nullptr)};
    words >> count;
    require(static_cast<bool>(words), "it has other cuts");
    for (; count > 0; --count) {
      words >> progress.on.emplace_back();
      require(words && progress.on.back() >= 0, "it has other cuts");
    }
  }
  std::string rest;
  std::getline(words, rest);  // the end of the line
  bodies_.restore(description.substr(words.eof() ? description.size()
                                                 : static_cast<std::size_t>(words.tellg())));
  for (std::size_t k = 0; k < progress_.size(); ++k)
    for (const int vertex : progress_[k].on)
      require(vertex < bodies_.spec().bodies[plan_.cuts[k].body].mesh.num_vertices(),
              "it has other cuts");
  return make_system();
}

}  // namespace sinew::scene
