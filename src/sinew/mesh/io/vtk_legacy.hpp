// SPDX-License-Identifier: Apache-2.0
// Legacy VTK files (.vtk) with an unstructured grid, ASCII and binary, with cells in the classic
// layout (count and corners) or that of version 5.1 (offsets and connectivity).
// Format: https://docs.vtk.org/en/latest/vtk_file_formats/vtk_legacy_file_format.html
#pragma once

#include <filesystem>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh::io {

TetMesh read_vtk(const std::filesystem::path& path);

/// Writes ASCII of version 3.0, the most widely readable. Region names are not stored.
void write_vtk(const std::filesystem::path& path, const TetMesh& mesh);

}  // namespace sinew::mesh::io
