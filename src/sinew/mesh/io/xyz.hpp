// SPDX-License-Identifier: Apache-2.0
// Molecules in .xyz files: a count, a comment, then a symbol and coordinates in Angstrom per line.
// Further columns and all frames but the first are skipped. Bonds are those by distance.
#pragma once

#include <filesystem>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh::io {

/// Positions in nm, masses in u.
TetMesh read_xyz(const std::filesystem::path& path);

}  // namespace sinew::mesh::io
