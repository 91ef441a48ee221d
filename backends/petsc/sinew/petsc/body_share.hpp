// SPDX-License-Identifier: Apache-2.0
// Which vertices of a body a process owns, and the part of its mesh that goes with them.
#pragma once

#include <cstdint>
#include <vector>

#include <sinew/petsc/mesh_slice.hpp>

namespace sinew::petsc {

struct BodyShare {
  std::int64_t all_vertices = 0, all_tets = 0;
  bool is_quadratic = false;           ///< of all of it, wherever it is
  mesh::TetMesh mesh;                  ///< all tets with an owned vertex
  std::vector<std::int64_t> vertices;  ///< number in the body of each vertex, ascending
  std::vector<int> owners;             ///< rank of each
  std::vector<char> counts;            ///< per tet: this process answers for it
};

/// Divides a body so that parts are of one size and few tets lie between them (PT-Scotch). Small
/// bodies stay whole, with the process of this rank.
BodyShare share_body(const Processes& processes, MeshSlice slice, int rank_if_small);

/// Ranks of the vertices of the own slice, in `parts` parts.
std::vector<int> partition(const Processes& processes, const MeshSlice& slice, int parts);

}  // namespace sinew::petsc
