// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <sinew/physics/body.hpp>
#include <sinew/scene/catalog.hpp>
#include <sinew/scene/compile/diagnostics.hpp>
#include <sinew/scene/format/scene_spec.hpp>

namespace sinew::scene {

/// Springs, masses and resistance to bending of a body that has its mesh already: between the
/// particles listed, or along every bar and edge of the mesh. Formulas of springs are evaluated at
/// their middle.
void compile_springs(const BodySpec& spec, const std::string& pointer, const Catalog& catalog,
                     Diagnostics& diagnostics, physics::Body& body);

}  // namespace sinew::scene
