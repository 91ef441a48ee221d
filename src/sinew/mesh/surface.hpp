// SPDX-License-Identifier: Apache-2.0
// The boundary of a tet mesh: the faces that belong to one tet only.
#pragma once

#include <vector>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh {

struct Surface {
  std::vector<Triangle> triangles;  ///< counter-clockwise seen from outside
  std::vector<int> tets;            ///< the tet behind each triangle

  int num_triangles() const { return static_cast<int>(triangles.size()); }
};

/// Boundary triangles of a valid mesh, ordered by tet and then by face of the tet.
Surface extract_surface(const TetMesh& mesh);

}  // namespace sinew::mesh
