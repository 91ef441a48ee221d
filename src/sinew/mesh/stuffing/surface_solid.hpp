// SPDX-License-Identifier: Apache-2.0
// The inside of a surface of triangles, to be stuffed. What is inside is decided by generalised
// winding numbers (Jacobson, Kavan and Sorkine-Hornung 2013), so the surface may have holes, touch
// itself and overlap; far triangles of open ones count as dipoles (Barill et al. 2018).
#pragma once

#include <span>

#include <sinew/mesh/stuffing.hpp>

namespace sinew::mesh {

/// Part of the whole sphere of directions that a surface covers, seen from x; 1 inside of a closed
/// surface that is seen counter-clockwise from outside, 0 outside. Exact: looks at all triangles.
double winding_number(std::span<const Vec3> vertices, std::span<const Triangle> triangles,
                      const Vec3& x);

/// Where the winding number is above one half, or below minus one half if the surface faces inwards
/// as a whole. phi is the distance to the surface, negative inside. Keeps copies of what it needs.
/// There must be a triangle.
Solid solid_inside(std::span<const Vec3> vertices, std::span<const Triangle> triangles);

}  // namespace sinew::mesh
