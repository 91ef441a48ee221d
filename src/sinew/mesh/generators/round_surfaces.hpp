// SPDX-License-Identifier: Apache-2.0
// Where the surfaces of round shapes are between their vertices: what tets of second order want.
#pragma once

#include <sinew/mesh/generators.hpp>

namespace sinew::mesh {

MiddlePlace surface_of(const BallSettings& settings);
MiddlePlace surface_of(const CylinderSettings& settings);
MiddlePlace surface_of(const TorusSettings& settings);
MiddlePlace surface_of(const CoilSpringSettings& settings);

}  // namespace sinew::mesh
