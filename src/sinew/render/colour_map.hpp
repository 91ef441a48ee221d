// SPDX-License-Identifier: Apache-2.0
// Numbers as colours, from dark violet over teal to yellow. The control points are our own rounded
// approximation of matplotlib's viridis: evenly spaced to the eye and readable without colour.
#pragma once

#include <sinew/render/image.hpp>

namespace sinew::render {

/// The colour of a number in [0, 1]; numbers outside take the nearest end, NaN a neutral grey.
Colour map_colour(double value);

}  // namespace sinew::render
