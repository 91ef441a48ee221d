// SPDX-License-Identifier: Apache-2.0
// What is needed of chemical elements to make a body of atoms.
#pragma once

#include <string_view>

namespace sinew::mesh {

struct ChemicalElement {
  std::string_view symbol;
  double mass = 0.0;             ///< standard atomic weight [u]
  double covalent_radius = 0.0;  ///< of single bonds [Angstrom]

  bool is_hydrogen() const { return symbol == "H" || symbol == "D"; }
};

/// Null for an unknown symbol; case does not matter. D is deuterium.
const ChemicalElement* find_chemical_element(std::string_view symbol);

}  // namespace sinew::mesh
