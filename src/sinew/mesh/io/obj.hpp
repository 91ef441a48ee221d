// SPDX-License-Identifier: Apache-2.0
// Wavefront .obj files. Vertices (v) are read, faces (f) as triangles, polygons split into them,
// and lines (l) as bars. Normals, texture coordinates, groups and materials are skipped.
// Format: https://paulbourke.net/dataformats/obj/
#pragma once

#include <filesystem>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh::io {

TetMesh read_obj(const std::filesystem::path& path);

/// Writes vertices, triangles and bars; masses, species and regions are not stored.
void write_obj(const std::filesystem::path& path, const TetMesh& mesh);

}  // namespace sinew::mesh::io
