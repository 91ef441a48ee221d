// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <limits>

#include <sinew/core/types.hpp>

namespace sinew::physics {

/// What a law may know beside stiffness and rest length.
inline constexpr std::size_t max_law_constants = 2;
using LawConstants = std::array<double, max_law_constants>;

/// One spring of the whole system.
struct SpringElement {
  std::array<int, 2> vertices{};        ///< ascending, in the order of the system
  std::array<int, 2> cells{-1, -1};     ///< of the geometry that show it; -1: none
  Vec3 rest_direction = Vec3::UnitX();  ///< from the first end to the second
  double stiffness = 0.0;               ///< of small stretches [N/m]
  double rest_length = 0.0;             ///< [m]
  LawConstants constants{};             ///< of its law
  double section = 0.0;                 ///< area, for stresses; 0: not known [m^2]
  double yield = std::numeric_limits<double>::infinity();  ///< strain where it gives way for good
  double hardening = 0.0;  ///< stretch that the threshold gains per lasting stretch
  double weight = 1.0;     ///< factor of energy, tension and stiffness: a coefficient of damping
};

/// Sorts the ends; the rest direction comes from their positions, which must differ.
SpringElement make_spring_element(std::array<int, 2> vertices, const std::array<Vec3, 2>& rest,
                                  double stiffness, double rest_length);

/// Where a spring is now. Where the ends coincide there is no direction; the spring then pushes
/// along its rest direction, and its length is one that can still be divided by.
struct SpringAxis {
  static double shortest(const SpringElement& spring) { return 1e-9 * spring.rest_length; }

  SpringAxis(const SpringElement& spring, const Vec3& between_ends) : length(between_ends.norm()) {
    if (length > shortest(spring)) {
      direction = between_ends / length;
    } else {
      direction = spring.rest_direction;
      length = shortest(spring);
    }
  }
  double length;
  Vec3 direction;
};

}  // namespace sinew::physics
