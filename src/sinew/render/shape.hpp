// SPDX-License-Identifier: Apache-2.0
// A surface made ready for tracing: single precision around the camera's centre, without broken
// triangles, with a normal at every corner of every triangle.
#pragma once

#include <array>
#include <vector>

#include <sinew/render/picture.hpp>

namespace sinew::render {

using Vec3f = Eigen::Vector3f;

struct Shape {
  std::vector<Vec3f> positions;  ///< one more than there are vertices: Embree reads 16 bytes each
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::array<Vec3f, 3>> normals;  ///< per corner; smooth, except over sharp edges
  std::vector<float> values;                  ///< per vertex, or none
  Vec3f albedo = Vec3f::Zero();               ///< linear light
  float opacity = 1.0f;
};

/// Positions become (position - centre) / scale. Triangles without an area, with a corner that is
/// not finite, or a million times farther away than the scale, are left out.
Shape make_shape(const Surface& surface, const Vec3& centre, double scale);

}  // namespace sinew::render
