// SPDX-License-Identifier: Apache-2.0
// Solids made from solids.
#pragma once

#include <vector>

#include <sinew/mesh/shapes/shape_part.hpp>
#include <sinew/mesh/stuffing.hpp>

namespace sinew::mesh {

enum class Operation { unite, intersect, subtract };

struct Member {
  Solid solid;
  Operation operation = Operation::unite;
  double blend = 0.0;  ///< [m]
};

Solid placed(const Solid& solid, const Placement& placement);
Solid grown(Solid solid, double distance);
/// With its image behind the plane through the origin.
Solid mirrored(const Solid& solid, const Vec3& normal);
Solid repeated(const Solid& solid, const Repetition& repetition);
/// From the first to the last; the first one is united with nothing.
Solid combined(std::vector<Member> members);

/// The axis-aligned box that everything is in.
BoundingBox endless_box();
bool is_endless(const BoundingBox& box);

}  // namespace sinew::mesh
