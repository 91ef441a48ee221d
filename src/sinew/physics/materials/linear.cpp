// SPDX-License-Identifier: Apache-2.0
#include <sinew/physics/materials/entries.hpp>
#include <sinew/physics/materials/linear.hpp>
#include <sinew/physics/materials/material_entry.hpp>

namespace sinew::physics {

MaterialEntry linear_entry() {
  return material_entry<Linear>({.name = "linear",
                                 .title = "linear elasticity",
                                 .formula = "psi = mu |e|^2 + lambda/2 tr(e)^2,  e = sym(F - I)",
                                 .remark = "constant stiffness; for small rotations only",
                                 .reference = "bonet2008",
                                 .keeps_rotations = false});
}

}  // namespace sinew::physics
