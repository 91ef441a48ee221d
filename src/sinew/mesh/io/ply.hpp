// SPDX-License-Identifier: Apache-2.0
// Polygon files (.ply), ASCII and binary of either byte order. Of the elements "vertex" (x, y, z),
// "face" (vertex_indices or vertex_index) become triangles, polygons split into them, and "edge"
// (vertex1, vertex2) bars; other elements and properties are skipped.
// Format: https://paulbourke.net/dataformats/ply/
#pragma once

#include <filesystem>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh::io {

TetMesh read_ply(const std::filesystem::path& path);

/// Writes ASCII with vertices, faces and edges; masses, species and regions are not stored.
void write_ply(const std::filesystem::path& path, const TetMesh& mesh);

}  // namespace sinew::mesh::io
