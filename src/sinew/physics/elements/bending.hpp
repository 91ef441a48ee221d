// SPDX-License-Identifier: Apache-2.0
// Elements that resist bending, W = k/2 (angle - rest angle)^2:
//  - BendAngle, of a chain a - b - c: the angle by which it turns at b, from 0 (straight) to pi;
//  - BendHinge, of two triangles with a common edge: the signed angle between their normals.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include <sinew/physics/elements/element_set.hpp>

namespace sinew::physics {

struct BendAngle {
  std::array<int, 3> vertices{};  ///< along the chain
  double stiffness = 0.0;         ///< k [N m]
  double rest = 0.0;              ///< [rad]
};

struct BendHinge {
  std::array<int, 4> vertices{};  ///< the edge, then what is left of (0, 1, 2) and of (1, 0, 3)
  double stiffness = 0.0;         ///< k [N m]
  double rest = 0.0;              ///< [rad]
};

double turning_angle(const std::array<Vec3, 3>& chain);
double hinge_angle(const std::array<Vec3, 4>& corners);

/// `parts`: boundaries of the vertex order, from la::banded_parts over all elements.
std::unique_ptr<ElementSet> make_bend_angles(std::vector<BendAngle> elements,
                                             std::span<const int> parts);
std::unique_ptr<ElementSet> make_bend_hinges(std::vector<BendHinge> elements,
                                             std::span<const int> parts);

/// The stiffness of the rest shape, for damping: W = 1/2 x^T H x with H of the rest shape. Its
/// force is linear, so velocities may stand in for positions. `rest`: positions of all vertices.
std::unique_ptr<ElementSet> make_angles_about_rest(const std::vector<BendAngle>& elements,
                                                   std::span<const Vec3> rest,
                                                   std::span<const int> parts);
std::unique_ptr<ElementSet> make_hinges_about_rest(const std::vector<BendHinge>& elements,
                                                   std::span<const Vec3> rest,
                                                   std::span<const int> parts);

}  // namespace sinew::physics
