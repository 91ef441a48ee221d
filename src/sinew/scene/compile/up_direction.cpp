// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <sinew/core/expression.hpp>
#include <sinew/scene/compile/up_direction.hpp>

namespace sinew::scene {

Vec3 up_direction(const SceneSpec& scene, const Catalog& catalog) {
  Vec3 up = scene.up.value_or(Vec3::Zero());
  if (!scene.up)
    for (const LoadSpec& load : scene.loads)
      if (load.type == "gravity")
        for (std::size_t axis = 0; axis < 3; ++axis)
          up[static_cast<Index>(axis)] -=
              catalog.expression(load.value[axis])(Vec3::Zero(), load.from.value_or(0.0));
  const double length = up.stableNorm();
  if (!std::isfinite(length) || length == 0.0) return Vec3::UnitZ();
  // no zeros below zero
  return up / length + Vec3::Zero();
}

}  // namespace sinew::scene
