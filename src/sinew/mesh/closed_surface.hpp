// SPDX-License-Identifier: Apache-2.0
// Whether triangles enclose a volume, and how much.
#pragma once

#include <span>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh {

/// Whether every directed edge of the triangles is there once, and its opposite once: the surface
/// has no rim, no edge with three triangles, and one orientation throughout. O(n log n).
bool is_closed(std::span<const Triangle> triangles);

/// Volume within a closed surface, positive if its triangles are counter-clockwise seen from
/// outside [m^3]
double enclosed_volume(std::span<const Vec3> vertices, std::span<const Triangle> triangles);

}  // namespace sinew::mesh
