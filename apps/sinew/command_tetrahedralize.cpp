// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/closed_surface.hpp>
#include <sinew/mesh/io/mesh_format.hpp>
#include <sinew/mesh/quality.hpp>
#include <sinew/mesh/stuffing/surface_solid.hpp>
#include <sinew/mesh/surface.hpp>

#include "commands.hpp"
#include "program/exit_codes.hpp"

namespace sinew::cli {
namespace {

struct TetrahedralizeArguments {
  std::string input, output;
  double cells = 0.0, size = 0.0;
  int levels = 1;
};

std::vector<mesh::Triangle> surface_of_file(const mesh::TetMesh& mesh, const std::string& file) {
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (!mesh.vertices[v].allFinite())
      throw InputError({file, fmt::format("vertex {} (counting from 0)", v),
                        "a coordinate is not finite", "export the mesh again"});
  std::vector<mesh::Triangle> triangles =
      mesh.tets.empty() ? mesh.triangles : mesh::extract_surface(mesh).triangles;
  if (triangles.empty())
    throw InputError(
        {file, "", "there are no triangles in it", "give a surface: an OBJ, STL or PLY file"});
  return triangles;
}

double size_of_cells(const TetrahedralizeArguments& asked, const mesh::BoundingBox& box) {
  if ((asked.cells > 0.0) == (asked.size > 0.0))
    throw InputError(Problem{.what = "say how large the tets are to be",
                             .hint = "one of --cells and --size is needed"});
  return asked.size > 0.0 ? asked.size : box.size().maxCoeff() / asked.cells;
}

int tetrahedralize(const TetrahedralizeArguments& asked) {
  const mesh::TetMesh surface = mesh::read_mesh(asked.input);
  const std::vector<mesh::Triangle> triangles = surface_of_file(surface, asked.input);
  const mesh::Solid solid = mesh::solid_inside(surface.vertices, triangles);
  const bool is_closed = mesh::is_closed(triangles);
  if (!is_closed)
    fmt::print(stderr,
               "{}: warning: the surface is not closed; what it surrounds for the most part counts "
               "as inside\n",
               asked.input);
  const mesh::TetMesh mesh =
      mesh::stuff(solid, {size_of_cells(asked, solid.box), asked.levels - 1});
  mesh::write_mesh(asked.output, mesh);
  const mesh::QualityReport quality = mesh::assess_quality(mesh);
  fmt::print("{}", quality.to_text());
  if (is_closed)
    fmt::print("inside      {:.6g} m^3 in the surface\n",
               std::abs(mesh::enclosed_volume(surface.vertices, triangles)));
  fmt::print("written     {}\n", asked.output);
  return exit_done;
}

}  // namespace

void add_tetrahedralize(CLI::App& mesh, int& exit_code) {
  auto asked = std::make_shared<TetrahedralizeArguments>();
  CLI::App* command = mesh.add_subcommand(
      "tetrahedralize", "fill a surface of triangles with tets of bounded angles");
  command->footer("Example: sinew mesh tetrahedralize bunny.stl -o bunny.vtu --cells 40");
  command->add_option("input", asked->input, "surface: OBJ, STL, PLY, or a mesh")->required();
  command->add_option("-o,--output", asked->output, "mesh file to write")->required();
  command->add_option("--cells", asked->cells, "cells along the longest side")
      ->check(CLI::PositiveNumber);
  command->add_option("--size", asked->size, "edge length of the cells at the surface [m]")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--levels", asked->levels,
                   "sizes of cells, each twice the one before: larger ones inside")
      ->check(CLI::Range(1, 8));
  command->callback([asked, &exit_code] { exit_code = tetrahedralize(*asked); });
}

}  // namespace sinew::cli
