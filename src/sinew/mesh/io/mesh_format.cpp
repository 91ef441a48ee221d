// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/core/nearest.hpp>
#include <sinew/mesh/io/csv.hpp>
#include <sinew/mesh/io/gmsh.hpp>
#include <sinew/mesh/io/medit.hpp>
#include <sinew/mesh/io/mesh_format.hpp>
#include <sinew/mesh/io/obj.hpp>
#include <sinew/mesh/io/pdb.hpp>
#include <sinew/mesh/io/ply.hpp>
#include <sinew/mesh/io/stl.hpp>
#include <sinew/mesh/io/tetgen.hpp>
#include <sinew/mesh/io/vtk_legacy.hpp>
#include <sinew/mesh/io/vtu.hpp>
#include <sinew/mesh/io/xyz.hpp>

namespace sinew::mesh {
namespace {

const MeshFormat& format_of(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::vector<std::string> known;
  for (const MeshFormat& format : mesh_formats()) {
    for (const std::string& candidate : format.extensions) {
      if (candidate == extension) return format;
      known.push_back(candidate);
    }
  }
  const std::string what = extension.empty()
                               ? std::string("a mesh file needs an extension that names its format")
                               : fmt::format("unknown mesh format '{}'", extension);
  throw InputError({path.string(), "", what, core::suggestion(extension, known)});
}

void require_holdable(const MeshFormat& format, const std::filesystem::path& path,
                      const TetMesh& mesh) {
  const bool has_particles =
      !mesh.triangles.empty() || !mesh.bars.empty() || is_made_of_particles(mesh);
  if (!mesh.tets.empty() && format.written == MeshContent::particles)
    throw InputError(
        {path.string(), "",
         fmt::format("{} files hold no tets, and this mesh has {}", format.name, mesh.num_tets()),
         "write .vtu, .vtk, .msh or .mesh"});
  if (has_particles && format.written == MeshContent::tets)
    throw InputError({path.string(), "",
                      fmt::format("{} files are written with tets only, and this mesh has {} "
                                  "triangles and {} bars",
                                  format.name, mesh.triangles.size(), mesh.bars.size()),
                      "write .vtu, .vtk, .obj or .ply"});
}

}  // namespace

std::span<const MeshFormat> mesh_formats() {
  static const std::vector<MeshFormat> table{
      {"gmsh",
       {".msh"},
       "Gmsh 2.x and 4.1, ASCII or binary; written as 2.2 ASCII",
       io::read_gmsh,
       io::write_gmsh},
      {"medit", {".mesh"}, "Medit ASCII", io::read_medit, io::write_medit},
      {"vtk",
       {".vtk"},
       "legacy VTK unstructured grid, ASCII or binary; written as ASCII",
       io::read_vtk,
       io::write_vtk,
       MeshContent::both},
      {"vtu",
       {".vtu"},
       "VTK XML unstructured grid in any encoding; written as raw appended data",
       io::read_vtu,
       io::write_vtu,
       MeshContent::both},
      {"tetgen",
       {".node", ".ele"},
       "TetGen pair name.node and name.ele; name either",
       io::read_tetgen,
       io::write_tetgen},
      {"obj",
       {".obj"},
       "Wavefront surface or lines: triangles and bars",
       io::read_obj,
       io::write_obj,
       MeshContent::particles},
      {"ply",
       {".ply"},
       "polygon file, ASCII or binary: triangles and bars; written as ASCII",
       io::read_ply,
       io::write_ply,
       MeshContent::particles},
      {"stl", {".stl"}, "stereolithography, ASCII or binary: triangles", io::read_stl},
      {"pdb", {".pdb", ".ent"}, "Protein Data Bank: atoms and bonds", io::read_pdb},
      {"xyz", {".xyz"}, "atoms in Angstrom, with bonds by distance", io::read_xyz},
      {"csv", {".csv"}, "table of particles: x, y, z and mass", io::read_csv},
  };
  return table;
}

TetMesh read_mesh(const std::filesystem::path& path) {
  return format_of(path).read(path);
}

TetMesh load_mesh(const std::filesystem::path& path, const LoadOptions& options,
                  RepairReport* report) {
  TetMesh mesh = read_mesh(path);
  if (options.repair) {
    RepairReport done = repair(mesh);
    if (report) *report = std::move(done);
  }
  require_valid(mesh, path.string(), options.torn);
  return mesh;
}

void write_mesh(const std::filesystem::path& path, const TetMesh& mesh) {
  SINEW_ASSERT(mesh.regions.size() == mesh.tets.size(), "one region number per tet");
  const MeshFormat& format = format_of(path);
  if (format.write == nullptr)
    throw InputError({path.string(), "", fmt::format("{} files can only be read", format.name),
                      "choose another extension"});
  require_holdable(format, path, mesh);
  format.write(path, mesh);
}

}  // namespace sinew::mesh
