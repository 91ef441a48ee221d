// SPDX-License-Identifier: Apache-2.0
#include <sinew/physics/materials/entries.hpp>
#include <sinew/physics/materials/fixed_corotated.hpp>
#include <sinew/physics/materials/material_entry.hpp>

namespace sinew::physics {

MaterialEntry fixed_corotated_entry() {
  return material_entry<FixedCorotated>(
      {.name = "fixed-corotated",
       .title = "fixed corotated",
       .formula = "psi = mu sum (s_i - 1)^2 + lambda/2 (detF - 1)^2",
       .remark = "corotated with a volume term that resists inversion",
       .reference = "stomakhin2012"});
}

}  // namespace sinew::physics
