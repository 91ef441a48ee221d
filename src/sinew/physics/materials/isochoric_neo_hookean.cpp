// SPDX-License-Identifier: Apache-2.0
#include <sinew/physics/materials/entries.hpp>
#include <sinew/physics/materials/isochoric_neo_hookean.hpp>
#include <sinew/physics/materials/material_entry.hpp>

namespace sinew::physics {

MaterialEntry isochoric_neo_hookean_entry() {
  return material_entry<IsochoricNeoHookean>(
      {.name = "isochoric-neo-hookean",
       .title = "neo-Hookean in the isochoric invariant",
       .formula = "psi = mu/2 (detF^(-2/3) |F|^2 - 3) + lambda/2 (detF - 1)^2",
       .remark = "bulk modulus lambda: small strains have mu and lambda - 2 mu/3",
       .reference = "chen2020",
       .allows_inversion = false});
}

}  // namespace sinew::physics
