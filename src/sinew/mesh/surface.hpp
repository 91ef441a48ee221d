// SPDX-License-Identifier: Apache-2.0
// The boundary of a tet mesh: the faces that belong to one tet only. Curved faces, of tets of
// second order, are four triangles each between their six vertices.
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

/// Corners of a face, counter-clockwise seen from outside, and the vertices on its sides 01,
/// 12, 20.
using CurvedFace = std::array<int, 6>;

/// The same boundary as whole faces, of a mesh of second order.
std::vector<CurvedFace> extract_curved_faces(const TetMesh& mesh);

}  // namespace sinew::mesh
