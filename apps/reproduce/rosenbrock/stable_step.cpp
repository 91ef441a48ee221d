// SPDX-License-Identifier: Apache-2.0
#include "stable_step.hpp"

#include <cmath>

#include <sinew/la/phi/phi_action.hpp>
#include <sinew/scene/compile/compile.hpp>
#include <sinew/scene/format/builtin_scenes.hpp>

namespace sinew::cli {

double stable_rk4_step(const std::string& scene, const Changes& changes) {
  const scene::CompiledScene compiled = scene::compile(scene::find_scene(scene, changes));
  const physics::TermSystem& system = compiled.system();
  const auto workspace = system.make_workspace();
  const auto linearization = system.make_linearization();
  system.linearize(compiled.simulation->state(), {}, *workspace, *linearization);
  const la::SpectralBounds bounds =
      la::estimate_spectrum({linearization->stiffness(), system.mass(), system.mass_inverse()},
                            compiled.simulation->reducer(), 60);
  return 2.0 * std::sqrt(2.0 / bounds.high);
}

}  // namespace sinew::cli
