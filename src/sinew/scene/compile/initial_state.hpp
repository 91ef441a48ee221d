// SPDX-License-Identifier: Apache-2.0
// How a scene begins: places and velocities that its bodies are given by formulas.
#pragma once

#include <functional>
#include <span>
#include <string>

#include <sinew/physics/body.hpp>
#include <sinew/physics/term_system.hpp>
#include <sinew/scene/catalog.hpp>
#include <sinew/scene/compile/diagnostics.hpp>
#include <sinew/scene/format/scene_spec.hpp>

namespace sinew::scene {

/// `bodies`: those of the scene, obstacles may follow. `vertex_name`: of a vertex numbered through
/// all of them, for messages.
dynamics::State initial_state(const SceneSpec& scene, std::span<const physics::Body> bodies,
                              const physics::TermSystem& system,
                              const std::function<std::string(int vertex)>& vertex_name,
                              const Catalog& catalog, Diagnostics& diagnostics);

}  // namespace sinew::scene
