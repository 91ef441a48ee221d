// SPDX-License-Identifier: Apache-2.0
// Gmsh .msh files, versions 2.x and 4.1, ASCII and binary of either byte order.
// Format: https://gmsh.info/doc/texinfo/gmsh.html#Gmsh-file-formats
//
// Tets are kept, or where there are none, triangles, quadrangles (as two triangles) and lines;
// other volume elements are an error, and what is left is skipped. The physical group of a tet or
// line becomes its region; where the file has no such groups at all, the geometric entity does.
#pragma once

#include <filesystem>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh::io {

TetMesh read_gmsh(const std::filesystem::path& path);

/// Writes version 2.2 ASCII, which every tool that knows Gmsh can read.
void write_gmsh(const std::filesystem::path& path, const TetMesh& mesh);

}  // namespace sinew::mesh::io
