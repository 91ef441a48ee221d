// SPDX-License-Identifier: Apache-2.0
// Stereolithography files (.stl), ASCII and binary: triangles. Corners at exactly the same place
// are one vertex; normals, colours and names are skipped.
// Format: https://paulbourke.net/dataformats/stl/
#pragma once

#include <filesystem>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh::io {

TetMesh read_stl(const std::filesystem::path& path);

}  // namespace sinew::mesh::io
