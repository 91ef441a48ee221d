// SPDX-License-Identifier: Apache-2.0
// The one table of mesh file formats, and reading and writing by file extension.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <sinew/mesh/tet_mesh.hpp>
#include <sinew/mesh/validate.hpp>

namespace sinew::mesh {

/// What the files of a format are written with.
enum class MeshContent { tets, particles, both };

struct MeshFormat {
  std::string name;
  std::vector<std::string> extensions;  ///< with the dot, in lower case
  std::string summary;
  TetMesh (*read)(const std::filesystem::path&) = nullptr;
  void (*write)(const std::filesystem::path&, const TetMesh&) = nullptr;  ///< null if read-only
  MeshContent written = MeshContent::tets;  ///< particles: vertices, triangles and bars
};

/// Every format there is.
std::span<const MeshFormat> mesh_formats();

/// The mesh as the file has it, not validated: tets, or else triangles and bars. Throws InputError
/// if the file cannot be understood.
TetMesh read_mesh(const std::filesystem::path& path);

struct LoadOptions {
  bool repair = false;  ///< mend what can be mended before validating
  Torn torn = Torn::refused;
};

/// Reads, repairs if asked to, and validates. `report`, if given, receives what was repaired.
TetMesh load_mesh(const std::filesystem::path& path, const LoadOptions& options = {},
                  RepairReport* report = nullptr);

/// Writes a mesh with one region per tet in the format of the extension; throws InputError if that
/// is unknown or cannot hold tets, triangles or bars that there are, or if the file cannot be
/// written.
void write_mesh(const std::filesystem::path& path, const TetMesh& mesh);

}  // namespace sinew::mesh
