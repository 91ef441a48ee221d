// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <sinew/core/types.hpp>

namespace sinew::physics {

/// Replaces every matrix by the rotation nearest to it, four at a time.
void replace_by_nearest_rotations(std::span<Mat3> matrices);

}  // namespace sinew::physics
