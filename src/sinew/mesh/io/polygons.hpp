// SPDX-License-Identifier: Apache-2.0
// Polygons and polylines of files become triangles and bars.
#pragma once

#include <span>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh::io {

/// Adds the triangles that fan out from the first corner; none for fewer than three corners.
inline void add_polygon(std::span<const int> corners, TetMesh& mesh) {
  for (std::size_t i = 2; i < corners.size(); ++i)
    mesh.triangles.push_back({corners[0], corners[i - 1], corners[i]});
}

/// Adds the bars between neighbours.
inline void add_polyline(std::span<const int> points, TetMesh& mesh) {
  for (std::size_t i = 1; i < points.size(); ++i) mesh.bars.push_back({points[i - 1], points[i]});
}

}  // namespace sinew::mesh::io
