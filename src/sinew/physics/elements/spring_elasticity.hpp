// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include <sinew/physics/elements/element_set.hpp>

namespace sinew::physics {

/// One spring of the whole system.
struct SpringElement {
  std::array<int, 2> vertices{};        ///< ascending, in the order of the system
  Vec3 rest_direction = Vec3::UnitX();  ///< from the first end to the second
  double stiffness = 0.0;               ///< [N/m]
  double rest_length = 0.0;             ///< [m]
  int cell = -1;                        ///< of the geometry; -1: not shown as a line
};

/// Sorts the ends; the rest direction comes from their positions, which must differ.
SpringElement make_spring_element(std::array<int, 2> vertices, const std::array<Vec3, 2>& rest,
                                  double stiffness, double rest_length);

/// W = k/2 (l - L)^2 of a spring whose length is l.
struct LinearSpring {
  static double energy(const SpringElement& spring, double length) {
    const double stretch = length - spring.rest_length;
    return 0.5 * spring.stiffness * stretch * stretch;
  }
  /// dW/dl [N]
  static double tension(const SpringElement& spring, double length) {
    return spring.stiffness * (length - spring.rest_length);
  }
  /// d^2 W/dl^2 [N/m]
  static double stiffness(const SpringElement& spring, double /*length*/) {
    return spring.stiffness;
  }
};

/// `parts`: boundaries of the vertex order, from la::banded_parts over all elements.
template <class Law>
std::unique_ptr<ElementSet> make_spring_elasticity(std::vector<SpringElement> springs,
                                                   std::span<const int> parts);

/// The stiffness of the rest shape, for damping: W = k/2 (d0 . e)^2 with the rest direction d0 and
/// the vector e between the ends. Linear in e, so velocities may stand in for positions.
template <class Law>
std::unique_ptr<ElementSet> make_rest_springs(std::vector<SpringElement> springs,
                                              std::span<const int> parts);

}  // namespace sinew::physics
