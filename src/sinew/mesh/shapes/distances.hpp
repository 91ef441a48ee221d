// SPDX-License-Identifier: Apache-2.0
// Signed distances to simple shapes, negative inside. Exact unless they say otherwise.
#pragma once

#include <sinew/core/types.hpp>

namespace sinew::mesh {

/// To a ball that moves from one place to another while its radius changes: of its radii, none may
/// differ by as much as the places do.
double capsule_distance(const Vec3& x, const Vec3& from, const Vec3& to, double from_radius,
                        double to_radius);

/// To a box around the origin whose edges are rounded.
double box_distance(const Vec3& x, const Vec3& size, double rounding);

/// To a cylinder with flat ends whose edges are rounded.
double cylinder_distance(const Vec3& x, const Vec3& from, const Vec3& to, double radius,
                         double rounding);

/// To a ring around the z axis.
double torus_distance(const Vec3& x, double major_radius, double minor_radius);

/// To a flat band around the z axis that turns over `half_turns` times on its way around. Close to
/// the distance as long as the band is much narrower than its radius.
double band_distance(const Vec3& x, double radius, double width, double thickness, int half_turns);

/// To walls between hexagons in the xy plane, `cell` apart, without an end along z.
double honeycomb_distance(const Vec3& x, double cell, double thickness);

/// To round bars along x, y and z through all points of a cubic grid.
double bars_distance(const Vec3& x, double cell, double thickness);

/// To a gyroid as thick as this on average; not exact.
double gyroid_distance(const Vec3& x, double cell, double thickness);

/// The smaller of two distances, or less where they differ by less than `blend`: a fillet.
double blended_min(double a, double b, double blend);

}  // namespace sinew::mesh
