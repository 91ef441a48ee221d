// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/surface.hpp>
#include <sinew/physics/cut_bodies.hpp>

namespace sinew::physics {
namespace {

std::array<int, 3> sorted(std::array<int, 3> face) {
  std::sort(face.begin(), face.end());
  return face;
}

}  // namespace

CutBodies::CutBodies(BodiesSpec original)
    : original_(std::move(original)),
      spec_(original_),
      descent_(original_.bodies.size()),
      num_vertices_(static_cast<int>(physics::num_vertices(original_.bodies))) {
  for (std::size_t b = 0; b < descent_.size(); ++b) {
    const std::size_t count = original_.bodies[b].mesh.vertices.size();
    for (std::size_t v = 0; v < count; ++v) descent_[b].roots.push_back({static_cast<int>(v)});
    descent_[b].is_opened.assign(count, 0);
  }
}

BodyNumbers CutBodies::numbers_of(std::size_t body) const {
  int first = 0;
  for (std::size_t b = 0; b < body; ++b) first = BodyNumbers(spec_.bodies[b], first).end();
  return {spec_.bodies[body], first};
}

void CutBodies::add_vertex(std::size_t body, const mesh::AddedVertex& added) {
  Descent& descent = descent_[body];
  const auto a = static_cast<std::size_t>(added.from[0]);
  const auto b = static_cast<std::size_t>(added.from[1]);
  std::vector<int> roots;
  std::set_union(descent.roots[a].begin(), descent.roots[a].end(), descent.roots[b].begin(),
                 descent.roots[b].end(), std::back_inserter(roots));
  descent.roots.push_back(std::move(roots));
  const bool is_copy = a == b;
  descent.is_opened.push_back(is_copy ? 1 : 0);
  if (is_copy) descent.is_opened[a] = 1;
  descent.added.push_back(added);
  spec_.bodies[body].added.push_back(num_vertices_++);
}

CutChange CutBodies::cut(std::size_t body, const mesh::CutSurface& surface) {
  CutChange change{.body = body};
  Body& whole = spec_.bodies[body];
  const mesh::CutReport report = mesh::cut_mesh(whole.mesh, surface);
  if (!report.changed_anything()) return change;
  for (const mesh::AddedVertex& added : report.added) add_vertex(body, added);
  const BodyNumbers number = numbers_of(body);
  const int first = whole.mesh.num_vertices() - static_cast<int>(report.added.size());
  for (std::size_t k = 0; k < report.added.size(); ++k) {
    const auto& [from, weight] = report.added[k];
    change.added.push_back(
        {number(first + static_cast<int>(k)), {number(from[0]), number(from[1])}, weight});
  }
  for (int v = 0; v < whole.mesh.num_vertices(); ++v)
    if (report.is_changed[static_cast<std::size_t>(v)]) change.changed.push_back(number(v));
  Descent& descent = descent_[body];
  if (descent.ancestors.empty()) {
    descent.ancestors.resize(original_.bodies[body].mesh.tets.size());
    std::iota(descent.ancestors.begin(), descent.ancestors.end(), 0);
  }
  std::vector<int> ancestors;
  ancestors.reserve(report.parents.size());
  for (const int parent : report.parents)
    ancestors.push_back(descent.ancestors[static_cast<std::size_t>(parent)]);
  descent.ancestors = std::move(ancestors);
  follow();
  return change;
}

std::vector<int> CutBodies::follow_vertices(const std::vector<int>& original) const {
  const std::set<int> chosen(original.begin(), original.end());
  std::vector<int> vertices = original;
  for (std::size_t b = 0; b < spec_.bodies.size(); ++b) {
    const std::vector<int>& numbers = spec_.bodies[b].added;
    if (numbers.empty()) continue;
    const BodyNumbers number = numbers_of(b);
    const std::size_t first = descent_[b].roots.size() - numbers.size();
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const std::vector<int>& roots = descent_[b].roots[first + k];
      if (std::all_of(roots.begin(), roots.end(),
                      [&](int root) { return chosen.contains(number(root)); }))
        vertices.push_back(numbers[k]);
    }
  }
  return vertices;
}

void CutBodies::follow_faces(LoadedFaces& loaded, std::size_t body) const {
  auto* flat = std::get_if<std::vector<std::array<int, 3>>>(&loaded);
  if (!flat) return;  // of a body of second order, which is not cut
  std::vector<std::array<int, 3>>& faces = *flat;
  const BodyNumbers number = numbers_of(body);
  const Descent& descent = descent_[body];
  const int begin = number(0), end = number.end();
  std::set<std::array<int, 3>> chosen;  // those of this body
  std::vector<std::array<int, 3>> followed;
  for (const auto& face : faces) {
    if (face[0] >= begin && face[0] < end)
      chosen.insert(sorted(face));
    else
      followed.push_back(face);
  }
  if (chosen.empty()) return;
  for (const mesh::Triangle& face : mesh::extract_surface(spec_.bodies[body].mesh).triangles) {
    std::set<int> roots;
    for (const int vertex : face)
      for (const int root : descent.roots[static_cast<std::size_t>(vertex)])
        roots.insert(number(root));
    if (roots.size() != 3) continue;
    std::array<int, 3> from{};
    std::copy(roots.begin(), roots.end(), from.begin());
    if (chosen.contains(from))
      followed.push_back({number(face[0]), number(face[1]), number(face[2])});
  }
  faces = std::move(followed);
}

void CutBodies::follow() {
  for (std::size_t b = 0; b < descent_.size(); ++b) {
    if (descent_[b].ancestors.empty()) continue;
    std::vector<TetProperties>& tets = spec_.bodies[b].tets;
    tets.clear();
    for (const int ancestor : descent_[b].ancestors)
      tets.push_back(original_.bodies[b].tets[static_cast<std::size_t>(ancestor)]);
  }
  spec_.fixed = follow_vertices(original_.fixed);
  for (std::size_t k = 0; k < spec_.moved.size(); ++k)
    spec_.moved[k].vertices = follow_vertices(original_.moved[k].vertices);
  for (std::size_t k = 0; k < spec_.forces.size(); ++k) {
    if (spec_.forces[k].shares == LoadShares::given) continue;
    spec_.forces[k].vertices = follow_vertices(original_.forces[k].vertices);
    share_out(spec_.bodies, spec_.forces[k]);
  }
  spec_.pressures = original_.pressures;
  spec_.winds = original_.winds;
  for (std::size_t b = 0; b < descent_.size(); ++b) {
    if (descent_[b].ancestors.empty()) continue;
    for (PressureLoad& load : spec_.pressures) follow_faces(load.faces, b);
    for (WindLoad& load : spec_.winds) follow_faces(load.faces, b);
    if (!spec_.contact) continue;
    const BodyNumbers number = numbers_of(b);
    std::vector<std::array<int, 3>>& felt = spec_.contact->parts[b].triangles;
    felt = mesh::extract_surface(spec_.bodies[b].mesh).triangles;
    for (auto& face : felt)
      for (int& vertex : face) vertex = number(vertex);
  }
}

std::string CutBodies::description() const {
  std::string text;
  const auto out = std::back_inserter(text);
  for (std::size_t b = 0; b < descent_.size(); ++b) {
    const Descent& descent = descent_[b];
    if (descent.ancestors.empty()) continue;
    fmt::format_to(out, "body {} {} {}\n", b, descent.added.size(), descent.ancestors.size());
    for (std::size_t k = 0; k < descent.added.size(); ++k)
      fmt::format_to(out, "{} {} {} {:a}\n", spec_.bodies[b].added[k], descent.added[k].from[0],
                     descent.added[k].from[1], descent.added[k].weight);
    for (std::size_t t = 0; t < descent.ancestors.size(); ++t)
      fmt::format_to(out, "{} {}\n", fmt::join(spec_.bodies[b].mesh.tets[t], " "),
                     descent.ancestors[t]);
  }
  return text;
}

void CutBodies::restore(const std::string& description) {
  *this = CutBodies(std::move(original_));
  const auto require = [](bool is_sound) {
    if (!is_sound)
      throw InputError(Problem{.what = "the checkpoint belongs to another scene: other bodies were "
                                       "cut in it",
                               .hint = "resume with the scene the run was started with"});
  };
  std::istringstream words(description);
  std::string word;
  while (words >> word) {
    std::size_t b = 0, num_added = 0, num_tets = 0;
    words >> b >> num_added >> num_tets;
    require(word == "body" && words && b < descent_.size());
    Body& body = spec_.bodies[b];
    for (std::size_t k = 0; k < num_added; ++k) {
      mesh::AddedVertex added;
      int number = 0;
      std::string weight;
      words >> number >> added.from[0] >> added.from[1] >> weight;
      const int count = body.mesh.num_vertices();
      require(words && std::min(added.from[0], added.from[1]) >= 0 &&
              std::max(added.from[0], added.from[1]) < count);
      added.weight = std::strtod(weight.c_str(), nullptr);
      body.mesh.vertices.push_back(
          mesh::between(body.mesh.vertices[static_cast<std::size_t>(added.from[0])],
                        body.mesh.vertices[static_cast<std::size_t>(added.from[1])], added.weight));
      add_vertex(b, added);
      body.added.back() = number;  // bodies may have been cut in turn
    }
    body.mesh.tets.assign(num_tets, {});
    descent_[b].ancestors.assign(num_tets, 0);
    const bool has_regions = !body.mesh.regions.empty();
    body.mesh.regions.clear();
    for (std::size_t t = 0; t < num_tets; ++t) {
      int& ancestor = descent_[b].ancestors[t];
      for (int& vertex : body.mesh.tets[t]) {
        words >> vertex;
        require(words && vertex >= 0 && vertex < body.mesh.num_vertices());
      }
      words >> ancestor;
      require(words && ancestor >= 0 && ancestor < original_.bodies[b].mesh.num_tets());
      if (has_regions)
        body.mesh.regions.push_back(
            original_.bodies[b].mesh.regions[static_cast<std::size_t>(ancestor)]);
    }
  }
  follow();
}

}  // namespace sinew::physics
