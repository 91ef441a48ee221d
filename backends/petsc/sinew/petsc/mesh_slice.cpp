// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/quadratic.hpp>
#include <sinew/petsc/mesh_slice.hpp>
#include <sinew/scene/compile/body_mesh.hpp>

namespace sinew::petsc {
namespace {

struct Head {
  std::int64_t all_vertices, all_tets;
  int nodes_per_tet;
};

/// The same numbers for all regions, so that a part without one of them knows it.
std::map<int, std::string> named_regions(const mesh::TetMesh& mesh) {
  std::map<int, std::string> names = mesh.region_names;
  for (const int region : std::set<int>(mesh.regions.begin(), mesh.regions.end()))
    names.emplace(region, std::to_string(region));
  return names;
}

std::map<int, std::string> names_from_first(const Processes& processes,
                                            const std::map<int, std::string>& names) {
  std::string text;
  for (const auto& [number, name] : names) text += fmt::format("{} {}\n", number, name);
  text = processes.from_first(text);
  std::map<int, std::string> result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t space = text.find(' ', at), end = text.find('\n', at);
    result[std::stoi(text.substr(at, space - at))] = text.substr(space + 1, end - space - 1);
    at = end + 1;
  }
  return result;
}

template <class T>
std::vector<T> deal_out(const Processes& processes, std::span<const T> all, std::int64_t count,
                        std::int64_t width) {
  std::vector<std::vector<T>> lists(static_cast<std::size_t>(processes.count()));
  if (processes.is_first())
    for (int p = 0; p < processes.count(); ++p)
      lists[static_cast<std::size_t>(p)].assign(
          all.begin() + width * slice_begin(count, p, processes.count()),
          all.begin() + width * slice_begin(count, p + 1, processes.count()));
  return std::move(all_to_all(processes, lists)[0]);
}

/// What the first process has of a mesh, to all.
MeshSlice deal_out(const Processes& processes, const mesh::TetMesh& mesh) {
  Head head{static_cast<std::int64_t>(mesh.vertices.size()),
            static_cast<std::int64_t>(mesh.tets.size()), mesh.is_quadratic() ? 10 : 4};
  MPI_Bcast(&head, sizeof head, MPI_BYTE, 0, processes.comm());
  MeshSlice slice;
  slice.all_vertices = head.all_vertices;
  slice.all_tets = head.all_tets;
  slice.nodes_per_tet = head.nodes_per_tet;
  slice.first_tet = slice_begin(head.all_tets, processes.rank(), processes.count());
  std::vector<std::int64_t> nodes;
  for (int t = 0; t < mesh.num_tets(); ++t) {
    const auto add = [&](const auto& of_tet) {
      nodes.insert(nodes.end(), of_tet.begin(), of_tet.end());
    };
    if (mesh.is_quadratic())
      add(mesh::quadratic_tet(mesh, t));
    else
      add(mesh.tets[static_cast<std::size_t>(t)]);
  }
  std::vector<int> regions = mesh.regions;
  regions.resize(mesh.tets.size(), 0);
  std::vector<std::array<double, 3>> places;
  for (const Vec3& x : mesh.vertices) places.push_back({x[0], x[1], x[2]});
  for (const auto& x : deal_out<std::array<double, 3>>(processes, places, head.all_vertices, 1))
    slice.vertices.emplace_back(x[0], x[1], x[2]);
  slice.nodes = deal_out<std::int64_t>(processes, nodes, head.all_tets, head.nodes_per_tet);
  slice.regions = deal_out<int>(processes, regions, head.all_tets, 1);
  slice.region_names = names_from_first(processes, named_regions(mesh));
  return slice;
}

/// Of boxes every process makes its own slice.
std::optional<MeshSlice> make_box_slice(const Processes& processes, const scene::BodySpec& body,
                                        const scene::Catalog& catalog) {
  if (!body.mesh.file.empty() || body.mesh.generator != "bar" || body.mesh.order.value_or(1) != 1)
    return std::nullopt;
  for (const mesh::GeneratorEntry& generator : catalog.generators()) {
    if (generator.name != "bar") continue;
    mesh::GeneratorValues values = generator.default_values();
    for (const auto& [name, value] : body.mesh.parameters) values[name] = value;
    mesh::BarSettings settings;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      settings.size[axis] = values.at("size")[axis];
      settings.cells[axis] = static_cast<int>(values.at("cells")[axis]);
    }
    const std::int64_t cells = mesh::num_bar_cells(settings);
    const std::int64_t vertices = mesh::num_bar_vertices(settings);
    const int rank = processes.rank(), count = processes.count();
    MeshSlice slice;
    slice.all_vertices = vertices;
    slice.all_tets = mesh::tets_per_cell * cells;
    // tets come in whole cells; who has them for the moment does not matter
    const std::int64_t begin = slice_begin(cells, rank, count);
    slice.first_tet = mesh::tets_per_cell * begin;
    mesh::make_bar_slice(settings, slice_begin(vertices, rank, count),
                         slice_begin(vertices, rank + 1, count), slice.vertices, begin,
                         slice_begin(cells, rank + 1, count), slice.nodes);
    slice.regions.assign(slice.nodes.size() / 4, 0);
    slice.region_names = {{0, "0"}};
    scene::place(body.transform, slice.vertices);
    return slice;
  }
  return std::nullopt;
}

}  // namespace

MeshSlice take_slice(const Processes& processes, const scene::SceneSpec& scene,
                     const scene::BodySpec& body, const scene::Catalog& catalog) {
  // where all generate, all complain alike
  if (std::optional<MeshSlice> own = make_box_slice(processes, body, catalog))
    return std::move(*own);
  mesh::TetMesh mesh;
  std::optional<InputError> failure;
  if (processes.is_first()) {
    try {
      mesh = scene::body_mesh(scene, body, catalog);
      if (mesh.tets.empty())
        throw InputError({.file = body.mesh.file,
                          .what = fmt::format("the body '{}' has no tets, and only solids are "
                                              "shared by processes yet",
                                              body.name),
                          .hint = "run this scene in one process"});
    } catch (const InputError& error) {
      failure = error;
    }
  }
  const bool has_failed = !processes.from_first(failure ? "failed" : "").empty();
  if (failure) throw InputError(*failure);
  if (has_failed) throw InputError(std::vector<Problem>{});
  return deal_out(processes, mesh);
}

}  // namespace sinew::petsc
