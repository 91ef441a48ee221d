// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <sinew/core/types.hpp>

namespace sinew::physics {

/// Of a sum of deformation gradients that shows a plane or a line only, as those of cloth and ropes
/// do: adds what the missing directions must do, so that there is one nearest rotation. Out of a
/// plane there is no choice; about a line, the rotation that turns least. Others stay as they are.
void fill_missing_directions(Mat3& gradient);

/// Replaces every matrix by the rotation nearest to it, four at a time.
void replace_by_nearest_rotations(std::span<Mat3> matrices);

}  // namespace sinew::physics
