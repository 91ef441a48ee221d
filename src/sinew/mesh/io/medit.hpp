// SPDX-License-Identifier: Apache-2.0
// Medit .mesh files, ASCII. Vertices and Tetrahedra are read, or where there are none, Triangles,
// Quadrilaterals (as two triangles) and Edges. The reference number of a tet or edge becomes its
// region. Other sections are skipped unless they hold volume elements.
// Format: https://www.ljll.fr/frey/publications/RT-0253.pdf
#pragma once

#include <filesystem>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh::io {

TetMesh read_medit(const std::filesystem::path& path);
void write_medit(const std::filesystem::path& path, const TetMesh& mesh);

}  // namespace sinew::mesh::io
