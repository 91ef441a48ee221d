// SPDX-License-Identifier: Apache-2.0
// Which values colours stand for.
#pragma once

#include <span>
#include <string>

#include <sinew/output/record/surface_frames.hpp>

namespace sinew::output {

struct ColourRange {
  double low = 0.0, high = 0.0;
  bool exceeds_low = false, exceeds_high = false;  ///< whether there are values beyond

  /// From 0 to 1 between the two.
  double place(double value) const { return high > low ? (value - low) / (high - low) : 0.0; }
};

/// All values of these fields but the outermost hundredth on either side, so that a few peaks do
/// not leave everything else dark. Quantities that are not negative begin at 0.
ColourRange robust_range(std::span<const SurfaceField* const> fields);

/// These limits, and whether the fields go beyond.
ColourRange given_range(double low, double high, std::span<const SurfaceField* const> fields);

/// A field's name as people say it.
std::string field_title(const std::string& name);

/// Speed if anything moves, else displacement if anything is displaced, else nothing: what tells
/// most about motion without knowing the scene. Fields that some of those with frames lack
/// are left out.
std::string field_of_motion(std::span<const SurfaceFrames* const> surfaces);

/// The field of this name; nullptr if there is none.
const SurfaceField* find_field(const SurfaceFrames& surface, const std::string& name);

}  // namespace sinew::output
