// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <sinew/physics/bodies.hpp>
#include <sinew/scene/catalog.hpp>
#include <sinew/scene/compile/diagnostics.hpp>
#include <sinew/scene/compile/formula_watch.hpp>
#include <sinew/scene/compile/sharing.hpp>
#include <sinew/scene/format/scene_spec.hpp>

namespace sinew::scene {

/// Finds the vertices of a selection in a body by its name; numbers run through all bodies.
using FindVertices = std::function<std::vector<int>(
    const std::string& body, const mesh::Selection& select, const std::string& pointer)>;

/// Adds the loads of a scene to a specification whose bodies are complete, and the formulas that
/// a run will evaluate to `watch`. `sharing`: nullptr if one process has everything.
void compile_loads(const std::vector<LoadSpec>& loads, const FindVertices& find_vertices,
                   const Sharing* sharing, const Catalog& catalog, physics::BodiesSpec& spec,
                   FormulaWatch& watch, Diagnostics& diagnostics);

}  // namespace sinew::scene
