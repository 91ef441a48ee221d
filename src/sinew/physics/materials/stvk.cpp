// SPDX-License-Identifier: Apache-2.0
#include <sinew/physics/materials/entries.hpp>
#include <sinew/physics/materials/material_entry.hpp>
#include <sinew/physics/materials/stvk.hpp>

namespace sinew::physics {

MaterialEntry stvk_entry() {
  return material_entry<Stvk>({.name = "stvk",
                               .title = "Saint Venant-Kirchhoff",
                               .formula = "psi = mu |E|^2 + lambda/2 tr(E)^2,  E = (F^T F - I)/2",
                               .remark = "linear in the Green strain; weak in strong compression",
                               .reference = "bonet2008"});
}

}  // namespace sinew::physics
