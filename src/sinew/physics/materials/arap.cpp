// SPDX-License-Identifier: Apache-2.0
#include <sinew/physics/materials/arap.hpp>
#include <sinew/physics/materials/entries.hpp>
#include <sinew/physics/materials/material_entry.hpp>

namespace sinew::physics {

MaterialEntry arap_entry() {
  return material_entry<Arap>({.name = "arap",
                               .title = "as rigid as possible",
                               .formula = "psi = mu sum (s_i - 1)^2, s the singular values of F",
                               .remark = "small strains have mu and lambda = 0",
                               .reference = "chen2020"});
}

}  // namespace sinew::physics
