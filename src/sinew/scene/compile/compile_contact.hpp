// SPDX-License-Identifier: Apache-2.0
// Obstacles are bodies without elements, all of whose vertices are held or follow a script: what
// writers show of bodies they show of obstacles, and what a moving one does is booked as the work
// of a moving vertex.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <sinew/physics/bodies.hpp>
#include <sinew/physics/contact/contact_surface.hpp>
#include <sinew/scene/catalog.hpp>
#include <sinew/scene/compile/diagnostics.hpp>
#include <sinew/scene/compile/formula_watch.hpp>
#include <sinew/scene/format/scene_spec.hpp>

namespace sinew::scene {

/// Adds the obstacles of a scene after its bodies, which must be complete, and says what of both
/// others can touch: one part per body and obstacle, in their order.
std::vector<physics::ContactPart> compile_obstacles(const SceneSpec& scene, const Catalog& catalog,
                                                    physics::BodiesSpec& spec, FormulaWatch& watch,
                                                    Diagnostics& diagnostics);

/// Adds what happens where parts meet. Returns which of them must not overlap; none: they may.
std::optional<physics::ContactRules> compile_contact(const SceneSpec& scene, const Catalog& catalog,
                                                     const std::vector<physics::ContactPart>& parts,
                                                     physics::BodiesSpec& spec,
                                                     Diagnostics& diagnostics);

/// Complains about what goes through each other at the start.
void check_start(const std::vector<physics::ContactPart>& parts, const physics::ContactRules& rules,
                 const physics::TermSystem& system, const dynamics::State& state,
                 const std::function<std::string(int vertex)>& name_of, Diagnostics& diagnostics);

}  // namespace sinew::scene
