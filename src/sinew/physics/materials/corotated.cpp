// SPDX-License-Identifier: Apache-2.0
#include <sinew/physics/materials/corotated.hpp>
#include <sinew/physics/materials/entries.hpp>
#include <sinew/physics/materials/material_entry.hpp>

namespace sinew::physics {

MaterialEntry corotated_entry() {
  return material_entry<Corotated>(
      {.name = "corotated",
       .title = "rotation-extracted linear elasticity",
       .formula = "psi = mu sum (s_i - 1)^2 + lambda/2 (s_0 + s_1 + s_2 - 3)^2",
       .remark = "linear elasticity in the frame of the nearest rotation",
       .reference = "fierz2011"});
}

}  // namespace sinew::physics
