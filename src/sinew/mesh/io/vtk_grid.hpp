// SPDX-License-Identifier: Apache-2.0
// What the legacy and the XML form of VTK unstructured grids have in common.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh::io {

inline constexpr int vtk_vertex_type = 1;
inline constexpr int vtk_line_type = 3;
inline constexpr int vtk_polyline_type = 4;
inline constexpr int vtk_triangle_type = 5;
inline constexpr int vtk_polygon_type = 7;
inline constexpr int vtk_quad_type = 9;
inline constexpr int vtk_tet_type = 10;
inline constexpr int vtk_quadratic_tet_type = 24;

/// A number type of either form.
struct VtkType {
  std::string_view legacy_name;  ///< such as "double"
  std::string_view xml_name;     ///< such as "Float64"
  std::size_t size = 0;          ///< [bytes]
  bool is_integer = false;
  double (*to_double)(const char*, std::endian) = nullptr;
  std::int64_t (*to_integer)(const char*, std::endian) = nullptr;  ///< null for fractions
};

/// Null for an unknown name; case does not matter.
const VtkType* find_vtk_type(std::string_view name);

/// A scalar per cell.
struct VtkCellArray {
  std::string name;
  std::vector<double> values;
};

struct VtkGrid {
  std::vector<Vec3> points;
  std::vector<std::int64_t> connectivity;  ///< the corners of all cells, one after another
  std::vector<std::int64_t> ends;          ///< where each cell's corners end in it
  std::vector<std::int64_t> types;         ///< VTK cell types
  std::vector<VtkCellArray> cell_arrays;
};

/// Whether meshing programs use this name for regions.
bool may_hold_regions(std::string_view name);

/// Keeps the tets, or where there are none, lines as bars and triangles, quads and polygons as
/// triangles, and skips what is left; throws InputError for other volume cells and for inconsistent
/// lists. Whole numbers in a cell array called "region", "gmsh:physical" or the like become the
/// regions.
TetMesh to_tet_mesh(VtkGrid grid, const std::string& file);

/// Tets, triangles and bars as cells, with the array "region"; particles without any as vertices.
VtkGrid to_vtk_grid(const TetMesh& mesh);

/// The cells of one type, with N corners each, and their numbers among all cells. Throws InputError
/// for inconsistent lists.
template <std::size_t N>
struct VtkCells {
  std::vector<std::array<int, N>> corners;
  std::vector<int> numbers;
};
VtkCells<2> lines_of(const VtkGrid& grid, const std::string& file);
VtkCells<3> triangles_of(const VtkGrid& grid, const std::string& file);
VtkCells<4> tets_of(const VtkGrid& grid, const std::string& file);
/// Vertices in the order of mesh/quadratic.hpp.
VtkCells<10> quadratic_tets_of(const VtkGrid& grid, const std::string& file);

}  // namespace sinew::mesh::io
