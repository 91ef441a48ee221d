// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sinew/core/types.hpp>
#include <sinew/scene/catalog.hpp>
#include <sinew/scene/format/scene_spec.hpp>

namespace sinew::scene {

/// Which way is up in pictures, a unit vector: as the scene says, else against its gravity as it
/// begins to act, else z.
Vec3 up_direction(const SceneSpec& scene, const Catalog& catalog = builtin_catalog());

}  // namespace sinew::scene
