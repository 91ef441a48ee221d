// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <sinew/physics/bodies.hpp>
#include <sinew/scene/catalog.hpp>
#include <sinew/scene/compile/diagnostics.hpp>
#include <sinew/scene/format/scene_spec.hpp>

namespace sinew::scene {

/// What every tet of a body is made of: the body's own material and damping, then what its regions
/// change, formulas evaluated at the centroids. Warns about unlikely constants.
std::vector<physics::TetProperties> compile_materials(const BodySpec& body,
                                                      const mesh::TetMesh& mesh,
                                                      const std::string& pointer,
                                                      const Catalog& catalog,
                                                      Diagnostics& diagnostics);

}  // namespace sinew::scene
