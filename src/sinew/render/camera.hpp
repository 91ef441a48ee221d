// SPDX-License-Identifier: Apache-2.0
// A pinhole camera that frames a box, with z up.
#pragma once

#include <sinew/core/types.hpp>
#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::render {

struct Camera {
  Vec3 eye = Vec3::Zero();       ///< [m]
  Vec3 right = Vec3::UnitX();    ///< unit vectors of the picture ...
  Vec3 up = Vec3::UnitZ();       ///<
  Vec3 forward = Vec3::UnitY();  ///< ... and into it
  double tan_half_height = 0.25;
  double aspect = 16.0 / 9.0;  ///< width / height
  // what is looked at; lights, shadows and the fading of the ground are scaled by it, so that they
  // stay calm in a film whatever its bodies do
  Vec3 centre = Vec3::UnitY();  ///< [m]
  double radius = 1.0;          ///< [m]

  /// Where a point in front of the camera appears: in the picture if both numbers are in [-1, 1],
  /// x to the right and y up.
  Eigen::Vector2d project(const Vec3& point) const;
};

struct Framing {
  /// From the camera into the scene, of any length: a three-quarter view with x to the right.
  Vec3 view_direction{-0.45, 0.85, -0.42};
  double margin = 0.08;         ///< share of the picture that stays free at each side
  double field_of_view = 26.0;  ///< of the picture's height [degrees]
};

/// The nearest camera of that direction whose picture holds the whole box. A box without a size is
/// given one; a box that is not finite is an internal error.
Camera frame_box(const mesh::BoundingBox& box, double aspect = 16.0 / 9.0,
                 const Framing& framing = {});

/// The same lens and lights from another place, with z up as far as that goes. The eye must not be
/// where it looks.
Camera aim(const Camera& camera, const Vec3& eye, const Vec3& target);

}  // namespace sinew::render
