// SPDX-License-Identifier: Apache-2.0
// VTK's XML files of unstructured grids (.vtu).
// Format: https://docs.vtk.org/en/latest/vtk_file_formats/vtkxml_file_format.html
#pragma once

#include <filesystem>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh::io {

/// Several pieces become one mesh; their vertices are not merged.
TetMesh read_vtu(const std::filesystem::path& path);

/// Writes raw appended data, which is exact and small. Region names are not stored.
void write_vtu(const std::filesystem::path& path, const TetMesh& mesh);

}  // namespace sinew::mesh::io
