// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <tuple>

#include <sinew/geometry/closest.hpp>
#include <sinew/physics/elements/padded_field.hpp>

namespace sinew::physics {

struct ContactPair {
  geometry::Feature feature{};
  std::array<int, 4> vertices{};  ///< those that the feature has not got repeat the last
  std::array<int, 2> parts{};
  double thickness = 0.0;  ///< both radii [m]

  auto operator<=>(const ContactPair& other) const {
    return std::tie(feature, vertices) <=> std::tie(other.feature, other.vertices);
  }
  bool operator==(const ContactPair& other) const {
    return feature == other.feature && vertices == other.vertices;
  }
};

/// The corners of a pair.
inline geometry::Corners corners_of(const ContactPair& pair, const PaddedField& x) {
  geometry::Corners corners;
  for (int k = 0; k < 4; ++k) corners.col(k) = x.vector(pair.vertices[static_cast<std::size_t>(k)]);
  return corners;
}

/// A pair that is closer than it should be.
struct Contact {
  ContactPair pair;
  geometry::Closest closest;
  double gap = 0.0;       ///< [m]
  double distance = 0.0;  ///< at which forces begin [m]
};

}  // namespace sinew::physics
