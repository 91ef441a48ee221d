// SPDX-License-Identifier: Apache-2.0
// Obstacles as triangles, so that everything in a picture is drawn in one way.
#pragma once

#include <sinew/render/picture.hpp>

namespace sinew::render {

/// `plane_half_size` is for planes that do not say how large they are [m].
Surface tessellate(const Obstacle& obstacle, double plane_half_size);

}  // namespace sinew::render
