// SPDX-License-Identifier: Apache-2.0
// The faces of all tets, sorted so that the copies of one face lie side by side.
#pragma once

#include <vector>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh {

struct TetFace {
  Triangle vertices;  ///< in ascending order, the same for every tet that has the face
  int tet = 0;
  int side = 0;  ///< row of tet_faces
};

/// Four per tet, ordered by vertices, then by tet. O(n log n).
std::vector<TetFace> sorted_faces(const std::vector<Tet>& tets);

}  // namespace sinew::mesh
