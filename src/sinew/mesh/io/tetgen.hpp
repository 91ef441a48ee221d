// SPDX-License-Identifier: Apache-2.0
// TetGen file pairs name.node and name.ele. The first attribute of a tet becomes its region;
// vertex attributes and boundary markers are ignored.
// Format: https://wias-berlin.de/software/tetgen/fformats.html
#pragma once

#include <filesystem>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh::io {

/// The path may name either file; the other one is found beside it. Vertices count from 0 or 1 as
/// the .node file's first line says; where the corners contradict it (files in circulation do:
/// they use vertex 0 of a list that starts at 1) the corners decide.
TetMesh read_tetgen(const std::filesystem::path& path);

/// Writes both files, counting from 0.
void write_tetgen(const std::filesystem::path& path, const TetMesh& mesh);

}  // namespace sinew::mesh::io
