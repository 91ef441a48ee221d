// SPDX-License-Identifier: Apache-2.0
// Which atoms are bonded, judged by their distances.
#pragma once

#include <string_view>
#include <vector>

#include <sinew/mesh/chemical_elements.hpp>
#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh {

struct Atom {
  Vec3 position = Vec3::Zero();  ///< [nm]
  const ChemicalElement* element = nullptr;
};

/// Two atoms are bonded if they are closer than their covalent radii and this together [Angstrom],
inline constexpr double bond_tolerance = 0.45;
/// and farther apart than this: closer ones are two places of the same atom [Angstrom].
inline constexpr double least_bond_length = 0.4;

/// The known bonds and those by distance, each once, in ascending order. A hydrogen has one bond:
/// the known one, else the shortest. O(n log n) for atoms as dense as matter is; throws InputError
/// with `name` if they are far denser.
std::vector<Edge> find_bonds(const std::vector<Atom>& atoms, const std::vector<Edge>& known,
                             std::string_view name);

}  // namespace sinew::mesh
