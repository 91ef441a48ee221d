// SPDX-License-Identifier: Apache-2.0
// Scenes choose which way is up; pictures and some formats do not.
#pragma once

#include <sinew/core/types.hpp>

namespace sinew::output {

/// The shortest rotation that brings a direction to z, from coordinates of the scene to those of
/// pictures; where y is up, (x, y, z) becomes (x, -z, y).
Mat3 upright(const Vec3& up);

}  // namespace sinew::output
