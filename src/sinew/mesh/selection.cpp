// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/core/nearest.hpp>
#include <sinew/mesh/selection.hpp>

namespace sinew::mesh {
namespace {

bool holds_at(const Selection& selection, const Vec3& x) {
  if (selection.box) {
    const Vec3 low = (*selection.box)[0].cwiseMin((*selection.box)[1]);
    const Vec3 high = (*selection.box)[0].cwiseMax((*selection.box)[1]);
    if ((x.array() < low.array()).any() || (x.array() > high.array()).any()) return false;
  }
  if (selection.plane) {
    const double distance = selection.plane->normal.normalized().dot(x - selection.plane->point);
    if (std::abs(distance) > selection.plane->within) return false;
  }
  if (selection.sphere && (x - selection.sphere->center).norm() > selection.sphere->radius)
    return false;
  return true;
}

int region_number(const TetMesh& mesh, const std::string& region) {
  std::vector<std::string> known;
  for (const auto& [number, name] : mesh.region_names) {
    if (name == region) return number;
    known.push_back(name);
  }
  int number = 0;
  const auto [end, error] = std::from_chars(region.data(), region.data() + region.size(), number);
  const bool is_number = error == std::errc() && end == region.data() + region.size();
  std::vector<int> numbers = mesh.regions;
  numbers.insert(numbers.end(), mesh.bar_regions.begin(), mesh.bar_regions.end());
  if (is_number && (std::find(numbers.begin(), numbers.end(), number) != numbers.end() ||
                    mesh.region_names.contains(number)))
    return number;
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  for (const int n : numbers) known.push_back(std::to_string(n));
  throw InputError({.where = "/region",
                    .what = fmt::format("the mesh has no region '{}'", region),
                    .hint = core::suggestion(region, known)});
}

std::vector<char> listed_vertices(const TetMesh& mesh, const Selection& selection) {
  std::vector<char> listed(mesh.vertices.size(), selection.vertices ? 0 : 1);
  if (!selection.vertices) return listed;
  for (const int vertex : *selection.vertices) {
    if (vertex < 0 || vertex >= mesh.num_vertices())
      throw InputError(
          {.where = "/vertices",
           .what = fmt::format("there is no vertex {}", vertex),
           .hint = fmt::format("the mesh has vertices 0 to {}", mesh.num_vertices() - 1)});
    listed[static_cast<std::size_t>(vertex)] = 1;
  }
  return listed;
}

}  // namespace

std::vector<int> select_vertices(const TetMesh& mesh, const Selection& selection) {
  std::vector<char> wanted = listed_vertices(mesh, selection);
  if (selection.region) {
    const int region = region_number(mesh, *selection.region);
    std::vector<char> touched(mesh.vertices.size(), 0);
    const auto touch = [&](const auto& vertices) {
      for (const int vertex : vertices) touched[static_cast<std::size_t>(vertex)] = 1;
    };
    for (int t = 0; t < mesh.num_tets(); ++t) {
      if (mesh.regions[t] != region) continue;
      touch(mesh.tets[t]);
      if (mesh.is_quadratic()) touch(mesh.middles[t]);
    }
    for (std::size_t b = 0; b < mesh.bar_regions.size(); ++b)
      if (mesh.bar_regions[b] == region) touch(mesh.bars[b]);
    for (std::size_t v = 0; v < wanted.size(); ++v) wanted[v] = wanted[v] && touched[v];
  }
  std::vector<int> result;
  for (int v = 0; v < mesh.num_vertices(); ++v)
    if (wanted[static_cast<std::size_t>(v)] && holds_at(selection, mesh.vertices[v]))
      result.push_back(v);
  return result;
}

std::vector<int> select_tets(const TetMesh& mesh, const Selection& selection) {
  const std::vector<char> listed = listed_vertices(mesh, selection);
  const std::optional<int> region =
      selection.region ? std::optional(region_number(mesh, *selection.region)) : std::nullopt;
  std::vector<int> result;
  for (int t = 0; t < mesh.num_tets(); ++t) {
    if (region && mesh.regions[t] != *region) continue;
    const Tet& tet = mesh.tets[t];
    const bool all_listed = std::all_of(
        tet.begin(), tet.end(), [&](int v) { return listed[static_cast<std::size_t>(v)] != 0; });
    const Vec3 centroid = (mesh.vertices[tet[0]] + mesh.vertices[tet[1]] + mesh.vertices[tet[2]] +
                           mesh.vertices[tet[3]]) /
                          4.0;
    if (all_listed && holds_at(selection, centroid)) result.push_back(t);
  }
  return result;
}

std::vector<int> select_bars(const TetMesh& mesh, std::span<const Edge> bars,
                             const Selection& selection) {
  const std::vector<char> listed = listed_vertices(mesh, selection);
  const int region = selection.region ? region_number(mesh, *selection.region) : 0;
  std::vector<int> result;
  for (std::size_t b = 0; b < bars.size(); ++b) {
    const auto& [first, second] = bars[b];
    const int own = b < mesh.bar_regions.size() ? mesh.bar_regions[b] : 0;
    if (selection.region && own != region) continue;
    if (!listed[static_cast<std::size_t>(first)] || !listed[static_cast<std::size_t>(second)])
      continue;
    if (holds_at(selection, 0.5 * (mesh.vertices[first] + mesh.vertices[second])))
      result.push_back(static_cast<int>(b));
  }
  return result;
}

}  // namespace sinew::mesh
