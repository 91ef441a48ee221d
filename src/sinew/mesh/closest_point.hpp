// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh {

/// A point of a body as a mean of a few of its vertices.
struct MeshPoint {
  std::vector<int> vertices;
  std::vector<double> weights;  ///< they add up to one; negative in tets of second order only
  double distance = 0.0;        ///< from the place asked about [m]
};

/// The points of a mesh that are nearest to given ones: inside its tets, on its triangles, on
/// `bars`, or its vertices if it has nothing else. Looks at every cell for every place.
std::vector<MeshPoint> closest_points(const TetMesh& mesh, std::span<const Edge> bars,
                                      std::span<const Vec3> places);

}  // namespace sinew::mesh
