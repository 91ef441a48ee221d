// SPDX-License-Identifier: Apache-2.0
// The function of a list of parts: negative inside of the body they make.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <sinew/mesh/shapes/shape_part.hpp>
#include <sinew/mesh/stuffing.hpp>

namespace sinew::mesh {

struct ShapeFunction {
  /// Points inside of it are of this region.
  struct Mark {
    Solid solid;
    std::string region;
  };

  Solid solid;              ///< near its surface, phi is about the distance to it [m]
  std::vector<Mark> marks;  ///< where several have a point, the last one counts

  /// Index of the mark at a place, or -1.
  int mark_at(const Vec3& x) const;
};

/// Throws InputError about what makes no sense, with its place in the list, such as
/// "/parts/2/radius".
ShapeFunction make_shape_function(std::span<const ShapePart> parts);

}  // namespace sinew::mesh
