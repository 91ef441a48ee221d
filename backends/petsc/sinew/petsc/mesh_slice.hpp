// SPDX-License-Identifier: Apache-2.0
// Consecutive vertices and tets of a mesh, before anybody owns them: as a reader deals them out, or
// as each process generates its own.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <sinew/mesh/tet_mesh.hpp>
#include <sinew/petsc/processes.hpp>
#include <sinew/scene/catalog.hpp>
#include <sinew/scene/format/scene_spec.hpp>

namespace sinew::petsc {

/// Where share `rank` of `all` things begins.
inline std::int64_t slice_begin(std::int64_t all, int rank, int processes) {
  return all * rank / processes;
}
/// Whose share a thing is in.
inline int slice_of(std::int64_t thing, std::int64_t all, int processes) {
  auto rank = static_cast<int>(thing * processes / all);
  while (thing < slice_begin(all, rank, processes)) --rank;
  while (thing >= slice_begin(all, rank + 1, processes)) ++rank;
  return rank;
}

struct MeshSlice {
  std::int64_t all_vertices = 0, all_tets = 0;
  std::int64_t first_tet = 0;
  std::vector<Vec3> vertices;  ///< from slice_begin() of all on, in world coordinates [m]
  int nodes_per_tet = 4;
  std::vector<std::int64_t> nodes;  ///< of the tets, one after another; of second order ten each
  std::vector<int> regions;         ///< one per tet
  std::map<int, std::string> region_names;  ///< of all regions there are
};

/// A body of a scene, in slices. One process reads files and makes most shapes; boxes are made by
/// all. Throws InputError on all processes.
MeshSlice take_slice(const Processes& processes, const scene::SceneSpec& scene,
                     const scene::BodySpec& body, const scene::Catalog& catalog);

}  // namespace sinew::petsc
