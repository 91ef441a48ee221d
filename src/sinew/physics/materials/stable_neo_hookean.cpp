// SPDX-License-Identifier: Apache-2.0
#include <sinew/physics/materials/entries.hpp>
#include <sinew/physics/materials/material_entry.hpp>
#include <sinew/physics/materials/stable_neo_hookean.hpp>

namespace sinew::physics {

MaterialEntry stable_neo_hookean_entry() {
  return material_entry<StableNeoHookean>(
      {.name = "stable-neo-hookean",
       .title = "stable neo-Hookean",
       .formula = "psi = mu/2 (|F|^2 - 3) - mu (detF - 1) + (lambda + mu)/2 (detF - 1)^2",
       .remark = "finite and differentiable for every F, inverted elements included",
       .reference = "smith2018"});
}

}  // namespace sinew::physics
