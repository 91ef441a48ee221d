// SPDX-License-Identifier: Apache-2.0
// How large explicit steps of a scene may be, and what would have to be implicit at larger ones:
// what `sinew info SCENE --stability` says, for programs.
#pragma once

#include <vector>

#include <sinew/scene/catalog.hpp>
#include <sinew/scene/format/scene_spec.hpp>

namespace sinew::study {

struct StabilityRow {
  double dt = 0.0;            ///< [s]
  int elements = 0;           ///< that ask for a smaller step by themselves
  int nodes = 0;              ///< to treat implicitly so that the others are stable
  int touched_elements = 0;   ///< that have one of these nodes
  int explicit_elements = 0;  ///< that have one of the others
  /// How many times as fast `imex` with this step should be as symplectic Euler at its limit, and
  /// as `si` with the same step: steps cost what their elements cost in a step of either.
  double over_explicit = 0.0, over_implicit = 0.0;
};

struct [[nodiscard]] SceneStability {
  int elements = 0, nodes = 0;  ///< with free nodes, and these
  double explicit_limit = 0.0;  ///< largest stable step of symplectic Euler for the whole [s]
  double element_limit = 0.0;   ///< the same as elements alone tell it; somewhat too large [s]
  double microseconds_per_element = 0.0;  ///< for the test of one element, all threads
  double explicit_seconds = 0.0;          ///< of a step of symplectic Euler for the whole
  double implicit_seconds = 0.0;          ///< of a step of si for the whole, the first ones apart
  std::vector<StabilityRow> rows;         ///< growing steps, until nothing is explicit
};

/// About the initial state. Throws InputError if the scene is broken, or has a consistent mass.
SceneStability find_scene_stability(const scene::SceneSpec& scene,
                                    const scene::Catalog& catalog = scene::builtin_catalog());

}  // namespace sinew::study
