// SPDX-License-Identifier: Apache-2.0
#include <sinew/physics/materials/entries.hpp>
#include <sinew/physics/materials/material_entry.hpp>
#include <sinew/physics/materials/neo_hookean.hpp>

namespace sinew::physics {

MaterialEntry neo_hookean_entry() {
  return material_entry<NeoHookean>(
      {.name = "neo-hookean",
       .title = "neo-Hookean with a logarithmic barrier",
       .formula = "psi = mu/2 (|F|^2 - 3) - mu ln detF + lambda/2 (ln detF)^2",
       .remark = "no energy for flat or inverted elements: use be, whose line search avoids them",
       .reference = "bonet2008",
       .allows_inversion = false});
}

}  // namespace sinew::physics
