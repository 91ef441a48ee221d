// SPDX-License-Identifier: Apache-2.0
// How the round shapes (ball, cylinder, torus) fill the space between an inner block of square
// cells and a round surface.
#pragma once

#include <vector>

namespace sinew::mesh {

// The three numbers are a compromise read off a scan (0.4..0.65, 0.2..0.7, 0.75..0.95) of the worst
// radius ratio of the default ball, cylinder and torus and of finer and coarser balls.

/// Distance of the inner block's faces from the centre, as part of the radius of the round surface.
inline constexpr double inner_block_ratio = 0.45;

/// How much the inner block bulges: 0 leaves it a cube, 1 makes it a ball. In between, the angles
/// at its corners are shared between the cells inside and those outside.
inline constexpr double inner_block_rounding = 0.6;

/// Each layer is this many times as thick as the one inside it.
inline constexpr double layer_growth = 0.85;

/// `count` + 1 fractions from 0 to exactly 1 whose steps shrink by layer_growth.
std::vector<double> graded_fractions(int count);

}  // namespace sinew::mesh
