// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/scene/catalog.hpp>
#include <sinew/scene/compile/diagnostics.hpp>
#include <sinew/scene/compile/edit_schedule.hpp>
#include <sinew/scene/format/scene_spec.hpp>

namespace sinew::scene {

/// Adds the cuts and fractures of a scene to a plan; complains about bodies that cannot be cut.
void compile_cuts(const SceneSpec& scene, const Catalog& catalog, const physics::BodiesSpec& spec,
                  EditPlan& plan, Diagnostics& diagnostics);

}  // namespace sinew::scene
