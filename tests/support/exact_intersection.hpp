// SPDX-License-Identifier: Apache-2.0
// Whether triangles and segments have a point in common, exactly: in rational arithmetic where
// floating-point arithmetic with a bound of its error does not know. Triangles without area and
// segments without length are what is left of them.
#pragma once

#include <array>
#include <vector>

#include <sinew/core/types.hpp>

namespace sinew::test {

using Triangle = std::array<Vec3, 3>;
using Segment = std::array<Vec3, 2>;

bool exactly_intersect(const Segment& s, const Triangle& t);
bool exactly_intersect(const Triangle& a, const Triangle& b);

struct Intersections {
  std::vector<std::array<int, 2>> triangles;  ///< first < second
  std::vector<std::array<int, 2>> edges;      ///< (edge, triangle)

  bool empty() const { return triangles.empty() && edges.empty(); }
};

/// All pairs of triangles, and of edges and triangles, that intersect and have no vertex in common.
/// Given the edges of the triangles themselves, it finds neighbours that go through each other too.
Intersections find_intersections(const std::vector<Vec3>& vertices,
                                 const std::vector<std::array<int, 3>>& triangles,
                                 const std::vector<std::array<int, 2>>& edges);

}  // namespace sinew::test
