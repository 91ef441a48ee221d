// SPDX-License-Identifier: Apache-2.0
// Molecules in Protein Data Bank files (.pdb, .ent). ATOM and HETATM records of the first model
// are read, water included; of alternate locations the first in each residue is kept.
//
// Bonds are those of the CONECT records and those by distance. The latter are always looked for,
// because CONECT lists the bonds of HETATM records and bridges only: those within amino and nucleic
// acids are understood.
// Format: https://www.wwpdb.org/documentation/file-format-content/format33/v3.3.html
#pragma once

#include <filesystem>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh::io {

/// Positions in nm, masses in u.
TetMesh read_pdb(const std::filesystem::path& path);

}  // namespace sinew::mesh::io
