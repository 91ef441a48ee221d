// SPDX-License-Identifier: Apache-2.0
// What readers of molecules share. Their files are in Angstrom; meshes of atoms are in nm and u.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <sinew/mesh/bonds.hpp>
#include <sinew/mesh/io/file_cursor.hpp>

namespace sinew::mesh::io {

inline constexpr double angstroms_per_nm = 10.0;

/// The element of that symbol; fails at the cursor's place if there is none.
const ChemicalElement& require_chemical_element(std::string_view symbol, const FileCursor& cursor);

/// Vertices, masses and species of the atoms; as bars the bonds that the file names, which may
/// repeat, and those by distance.
TetMesh mesh_of_atoms(const std::vector<Atom>& atoms, const std::vector<Edge>& named_bonds,
                      const std::string& file);

}  // namespace sinew::mesh::io
