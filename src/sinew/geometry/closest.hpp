// SPDX-License-Identifier: Apache-2.0
// The shortest way between two features: points, edges, triangles, planes. With r(x, s) the way
// between two points of them, linear in the corners x and in the places s on the features,
//
//   r = sum_i w_i(s) x_i,      d = min over s of |r|,      dd/dx_i = w_i n,   n = r / d.
//
// The places that are not at an end of their range are free; they and their directions e_k =
// dr/ds_k are what second derivatives need beside w and n. Where the shortest way leads to an edge
// or a corner of a triangle fewer places are free, and the corners beyond have no weight.
#pragma once

#include <array>

#include <sinew/core/types.hpp>

namespace sinew::geometry {

/// One column per corner.
using Corners = Eigen::Matrix<double, 3, 4>;
using Weights = Eigen::Vector4d;

/// Two features, of which the first has the first corners.
enum class Feature { point_point, point_edge, point_triangle, edge_edge, point_plane };

struct Closest {
  double distance = 0.0;             ///< d; negative behind a plane only [m]
  Vec3 way = Vec3::Zero();           ///< r [m]
  Vec3 normal = Vec3::UnitZ();       ///< n = r/d; any direction where features touch
  Weights weights{0, 0, 0, 0};       ///< w; they add up to zero
  int num_free = 0;                  ///< places that are not at an end
  std::array<Weights, 2> slopes{};   ///< dw/ds_k
  std::array<Vec3, 2> directions{};  ///< e_k [m]
};

/// Corners 0 and 1.
Closest point_point(const Corners& x);
/// The point is corner 0.
Closest point_edge(const Corners& x);
Closest point_triangle(const Corners& x);
/// Through the last three corners, without end. Positive on the side from which they are seen
/// counter-clockwise.
Closest point_plane(const Corners& x);
/// From corners 0, 1 to corners 2, 3.
Closest edge_edge(const Corners& x);

Closest closest(Feature kind, const Corners& x);

}  // namespace sinew::geometry
