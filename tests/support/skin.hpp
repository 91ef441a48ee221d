// SPDX-License-Identifier: Apache-2.0
// What is drawn of a system is what touches: surfaces of tets, triangles.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include <sinew/mesh/surface.hpp>
#include <sinew/scene/compile/compile.hpp>

#include <support/exact_intersection.hpp>

namespace sinew::test {

struct Skin {
  explicit Skin(const scene::CompiledScene& scene) {
    const dynamics::Geometry& geometry = scene.system().observables().geometry();
    std::map<std::array<int, 3>, std::pair<std::array<int, 3>, int>> faces;
    int begin = 0;
    for (const int end : geometry.offsets) {
      const int* c = geometry.connectivity.data() + begin;
      if (end - begin == 3) triangles.push_back({c[0], c[1], c[2]});
      if (end - begin == 4)
        for (const auto& [i, j, k] : mesh::tet_faces) {
          std::array<int, 3> sorted{c[i], c[j], c[k]};
          std::sort(sorted.begin(), sorted.end());
          auto& face = faces[sorted];
          face.first = {c[i], c[j], c[k]};
          ++face.second;
        }
      begin = end;
    }
    for (const auto& [sorted, face] : faces)
      if (face.second == 1) triangles.push_back(face.first);
    std::set<std::array<int, 2>> unique;
    for (const auto& t : triangles)
      for (std::size_t k = 0; k < 3; ++k)
        unique.insert({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
    edges.assign(unique.begin(), unique.end());
  }

  std::vector<std::array<int, 3>> triangles;
  std::vector<std::array<int, 2>> edges;
};

/// But for what cannot move, such as a bowl that stands in a table.
inline bool is_free_of_intersections(const Skin& skin, const scene::CompiledScene& scene,
                                     const dynamics::State& state) {
  std::vector<Vec3> x;
  for (int v = 0; v < scene.system().num_vertices(); ++v)
    x.push_back(scene.system().vertex_position(v, state));
  const auto is_held = [&](const auto& corners) {
    return std::all_of(corners.begin(), corners.end(),
                       [&](int v) { return scene.system().dof_of_vertex(v) < 0; });
  };
  const auto triangle = [&](int t) { return skin.triangles[static_cast<std::size_t>(t)]; };
  const Intersections found = find_intersections(x, skin.triangles, skin.edges);
  const auto counts = [&](const auto& first, const std::array<int, 3>& second) {
    return !is_held(first) || !is_held(second);
  };
  return std::none_of(found.triangles.begin(), found.triangles.end(),
                      [&](const auto& p) { return counts(triangle(p[0]), triangle(p[1])); }) &&
         std::none_of(found.edges.begin(), found.edges.end(), [&](const auto& p) {
           return counts(skin.edges[static_cast<std::size_t>(p[0])], triangle(p[1]));
         });
}

}  // namespace sinew::test
