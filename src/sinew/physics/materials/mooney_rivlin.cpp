// SPDX-License-Identifier: Apache-2.0
#include <sinew/physics/materials/entries.hpp>
#include <sinew/physics/materials/material_entry.hpp>
#include <sinew/physics/materials/mooney_rivlin.hpp>

namespace sinew::physics {

MaterialEntry mooney_rivlin_entry() {
  return material_entry<MooneyRivlin>(
      {.name = "mooney-rivlin",
       .title = "Mooney-Rivlin in the isochoric invariants",
       .formula = "psi = c1 (detF^(-2/3) I1 - 3) + c2 (detF^(-4/3) I2 - 3) + kappa/2 (detF - 1)^2,"
                  "  I1 = |F|^2, I2 = |cof F|^2, c1 + c2 = mu/2, kappa = lambda + 2 mu/3",
       .remark = "material.mooney is the share of c2 in c1 + c2; 0 leaves neo-Hookean",
       .reference = "mooney1940",
       .allows_inversion = false,
       .constants = {{.name = "mooney",
                      .standard = 0.2,
                      .minimum = 0.0,
                      .maximum = 1.0,
                      .summary = "share of the second invariant in the shear modulus"}}});
}

}  // namespace sinew::physics
