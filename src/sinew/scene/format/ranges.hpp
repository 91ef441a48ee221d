// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>

namespace sinew::scene {

/// Limits of a number, checked by the parser and written to the schema.
struct Range {
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool exclusive = false;  ///< the limits themselves are not allowed

  static constexpr Range positive() { return {.minimum = 0.0, .exclusive = true}; }
  static constexpr Range not_negative() { return {.minimum = 0.0}; }

  /// Not for values that are not finite.
  bool contains(double value) const;
  /// "above 0 and below 0.5"; empty when everything is allowed.
  std::string to_string() const;
};

inline constexpr Range young_range = Range::positive();
inline constexpr Range poisson_range{.minimum = -1.0, .maximum = 0.5, .exclusive = true};
inline constexpr Range density_range = Range::positive();
inline constexpr Range stiffness_range = Range::positive();
inline constexpr Range mass_range = Range::positive();

}  // namespace sinew::scene
