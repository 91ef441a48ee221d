// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/io/file_cursor.hpp>
#include <sinew/mesh/io/middle_order.hpp>
#include <sinew/mesh/io/polygons.hpp>
#include <sinew/mesh/io/vtk_grid.hpp>

namespace sinew::mesh::io {
namespace {

template <class T>
double as_double(const char* bytes, std::endian order) {
  return static_cast<double>(load<T>(bytes, order));
}

template <class T>
std::int64_t as_integer(const char* bytes, std::endian order) {
  return static_cast<std::int64_t>(load<T>(bytes, order));
}

template <class T>
constexpr VtkType integer_type(std::string_view legacy_name, std::string_view xml_name) {
  return {legacy_name, xml_name, sizeof(T), true, as_double<T>, as_integer<T>};
}

// vtkIdType is 4 bytes wide in legacy files whatever the machine; "long" is 8 on all but Windows
constexpr VtkType types[] = {
    integer_type<std::int8_t>("char", "Int8"),
    integer_type<std::uint8_t>("unsigned_char", "UInt8"),
    integer_type<std::int16_t>("short", "Int16"),
    integer_type<std::uint16_t>("unsigned_short", "UInt16"),
    integer_type<std::int32_t>("int", "Int32"),
    integer_type<std::uint32_t>("unsigned_int", "UInt32"),
    integer_type<std::int64_t>("long", "Int64"),
    integer_type<std::uint64_t>("unsigned_long", "UInt64"),
    integer_type<std::int32_t>("vtkIdType", "Int32"),
    integer_type<std::int64_t>("vtktypeint64", "Int64"),
    integer_type<std::uint64_t>("vtktypeuint64", "UInt64"),
    {"float", "Float32", 4, false, as_double<float>, nullptr},
    {"double", "Float64", 8, false, as_double<double>, nullptr},
};

struct CellType {
  int number;
  std::string_view name;
};

constexpr CellType volume_types[] = {
    {11, "voxel"},
    {12, "hexahedron"},
    {13, "wedge"},
    {14, "pyramid"},
    {15, "pentagonal prism"},
    {16, "hexagonal prism"},
    {25, "quadratic hexahedron"},
    {26, "quadratic wedge"},
    {27, "quadratic pyramid"},
    {29, "triquadratic hexahedron"},
    {42, "polyhedron"},
    {71, "Lagrange tetrahedron"},
    {72, "Lagrange hexahedron"},
    {73, "Lagrange wedge"},
    {74, "Lagrange pyramid"},
    {78, "Bezier tetrahedron"},
    {79, "Bezier hexahedron"},
};

// vertices, lines and surface cells, linear or not
constexpr int skipped_types[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  21, 22,
                                 23, 28, 30, 34, 35, 36, 68, 69, 70, 75, 76, 77};

/// Names under which meshing programs store regions, the most specific first.
constexpr std::string_view region_names[] = {
    "region",      "regions",  "region_id", "RegionId",     "gmsh:physical",
    "PhysicalIds", "physical", "medit:ref", "tetgen:ref",   "CellEntityIds",
    "MaterialIds", "material", "cell_tags", "subdomain_id", "gmsh:geometrical"};

bool is_tet(std::int64_t type, std::size_t cell, const std::string& file) {
  if (type == vtk_tet_type || type == vtk_quadratic_tet_type) return true;
  if (std::find(std::begin(skipped_types), std::end(skipped_types), type) !=
      std::end(skipped_types))
    return false;
  const auto* volume = std::find_if(std::begin(volume_types), std::end(volume_types),
                                    [&](const CellType& known) { return known.number == type; });
  const std::string_view name = volume == std::end(volume_types) ? "unknown cell" : volume->name;
  throw InputError({file, fmt::format("cell {} (counting from 0)", cell),
                    fmt::format("is a {} (VTK cell type {})", name, type),
                    "mesh the volume with tetrahedra of first or second order only"});
}

const VtkCellArray* find_regions(const VtkGrid& grid) {
  for (const std::string_view name : region_names)
    for (const VtkCellArray& array : grid.cell_arrays) {
      const bool is_usable = array.values.size() == grid.types.size() &&
                             std::all_of(array.values.begin(), array.values.end(), is_int);
      if (is_usable && same_word(array.name, name)) return &array;
    }
  return nullptr;
}

std::int64_t first_corner(const VtkGrid& grid, std::size_t cell) {
  return cell == 0 ? 0 : grid.ends[cell - 1];
}

/// The point at a corner of a cell, counted through all cells.
int point_of(const VtkGrid& grid, std::size_t cell, std::int64_t corner, const std::string& file) {
  const std::int64_t point = grid.connectivity[static_cast<std::size_t>(corner)];
  if (point < 0 || point >= static_cast<std::int64_t>(grid.points.size()))
    throw InputError(
        {file, fmt::format("cell {} (counting from 0)", cell),
         fmt::format("refers to point {}, but there are only {}", point, grid.points.size()),
         "points count from 0; export the mesh again"});
  return static_cast<int>(point);
}

template <std::size_t N>
std::array<int, N> corners_of(const VtkGrid& grid, std::size_t cell, const std::string& file) {
  const std::int64_t begin = first_corner(grid, cell);
  if (grid.ends[cell] - begin != N)
    throw InputError({file, fmt::format("cell {} (counting from 0)", cell),
                      fmt::format("is a {} with {} vertices", N >= 4 ? "tetrahedron" : "line",
                                  grid.ends[cell] - begin),
                      "the file is damaged; export the mesh again"});
  std::array<int, N> corners;
  for (std::size_t i = 0; i < N; ++i)
    corners[i] = point_of(grid, cell, begin + static_cast<std::int64_t>(i), file);
  return corners;
}

void check_lists(const VtkGrid& grid, const std::string& file) {
  if (grid.types.size() != grid.ends.size())
    throw InputError(
        {file, "",
         fmt::format("there are {} cell types for {} cells", grid.types.size(), grid.ends.size()),
         "the file is damaged; export the mesh again"});
  const auto num_corners = static_cast<std::int64_t>(grid.connectivity.size());
  std::int64_t last = 0;
  for (std::size_t cell = 0; cell < grid.ends.size(); last = grid.ends[cell++])
    if (grid.ends[cell] < last || grid.ends[cell] > num_corners)
      throw InputError({file, fmt::format("cell {} (counting from 0)", cell),
                        fmt::format("its offset {} does not fit the connectivity of {} numbers",
                                    grid.ends[cell], num_corners),
                        "the file is damaged; export the mesh again"});
}

template <std::size_t N>
VtkCells<N> cells_of(const VtkGrid& grid, std::int64_t type, const std::string& file) {
  check_lists(grid, file);
  VtkCells<N> cells;
  for (std::size_t cell = 0; cell < grid.types.size(); ++cell) {
    if (grid.types[cell] != type) continue;
    cells.corners.push_back(corners_of<N>(grid, cell, file));
    cells.numbers.push_back(static_cast<int>(cell));
  }
  return cells;
}

/// The cells that are a body if there are no tets.
void add_surfaces_and_lines(const VtkGrid& grid, const VtkCellArray* regions,
                            const std::string& file, TetMesh& mesh) {
  std::vector<int> points;
  for (std::size_t cell = 0; cell < grid.types.size(); ++cell) {
    const std::int64_t type = grid.types[cell];
    const bool is_line = type == vtk_line_type || type == vtk_polyline_type;
    if (!is_line && type != vtk_triangle_type && type != vtk_quad_type && type != vtk_polygon_type)
      continue;
    points.clear();
    for (std::int64_t i = first_corner(grid, cell); i < grid.ends[cell]; ++i)
      points.push_back(point_of(grid, cell, i, file));
    is_line ? add_polyline(points, mesh) : add_polygon(points, mesh);
    if (regions) mesh.bar_regions.resize(mesh.bars.size(), static_cast<int>(regions->values[cell]));
  }
}

}  // namespace

const VtkType* find_vtk_type(std::string_view name) {
  const auto* found = std::find_if(std::begin(types), std::end(types), [&](const VtkType& type) {
    return same_word(type.legacy_name, name) || same_word(type.xml_name, name);
  });
  return found == std::end(types) ? nullptr : found;
}

bool may_hold_regions(std::string_view name) {
  return std::any_of(std::begin(region_names), std::end(region_names),
                     [&](std::string_view known) { return same_word(name, known); });
}

TetMesh to_tet_mesh(VtkGrid grid, const std::string& file) {
  check_lists(grid, file);
  const VtkCellArray* regions = find_regions(grid);
  TetMesh mesh;
  for (std::size_t cell = 0; cell < grid.types.size(); ++cell) {
    if (!is_tet(grid.types[cell], cell, file)) continue;
    if (grid.types[cell] == vtk_tet_type)
      mesh.tets.push_back(corners_of<4>(grid, cell, file));
    else
      add_quadratic_tet(corners_of<10>(grid, cell, file), vtk_middles, mesh);
    mesh.regions.push_back(regions ? static_cast<int>(regions->values[cell]) : 0);
  }
  if (mesh.is_quadratic() && mesh.middles.size() != mesh.tets.size()) fail_mixed_orders(file);
  if (mesh.tets.empty()) add_surfaces_and_lines(grid, regions, file, mesh);
  mesh.vertices = std::move(grid.points);
  return mesh;
}

VtkGrid to_vtk_grid(const TetMesh& mesh) {
  VtkGrid grid;
  grid.points = mesh.vertices;
  grid.cell_arrays.push_back({"region", {}});
  const auto add = [&](const auto& corners, int type, int region) {
    grid.connectivity.insert(grid.connectivity.end(), corners.begin(), corners.end());
    grid.ends.push_back(static_cast<std::int64_t>(grid.connectivity.size()));
    grid.types.push_back(type);
    grid.cell_arrays[0].values.push_back(region);
  };
  const int tet_type = mesh.is_quadratic() ? vtk_quadratic_tet_type : vtk_tet_type;
  for (int i = 0; i < mesh.num_tets(); ++i)
    add(nodes_of(mesh, i, vtk_middles), tet_type, mesh.regions[i]);
  for (const Triangle& triangle : mesh.triangles) add(triangle, vtk_triangle_type, 0);
  for (std::size_t i = 0; i < mesh.bars.size(); ++i)
    add(mesh.bars[i], vtk_line_type, i < mesh.bar_regions.size() ? mesh.bar_regions[i] : 0);
  if (grid.types.empty())
    for (int i = 0; i < mesh.num_vertices(); ++i) add(std::array{i}, vtk_vertex_type, 0);
  return grid;
}

VtkCells<2> lines_of(const VtkGrid& grid, const std::string& file) {
  return cells_of<2>(grid, vtk_line_type, file);
}

VtkCells<3> triangles_of(const VtkGrid& grid, const std::string& file) {
  return cells_of<3>(grid, vtk_triangle_type, file);
}

VtkCells<4> tets_of(const VtkGrid& grid, const std::string& file) {
  return cells_of<4>(grid, vtk_tet_type, file);
}

VtkCells<10> quadratic_tets_of(const VtkGrid& grid, const std::string& file) {
  VtkCells<10> cells = cells_of<10>(grid, vtk_quadratic_tet_type, file);
  for (auto& nodes : cells.corners) nodes = from_file_order(nodes, vtk_middles);
  return cells;
}

}  // namespace sinew::mesh::io
