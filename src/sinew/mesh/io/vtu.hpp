// SPDX-License-Identifier: Apache-2.0
// VTK's XML files of unstructured grids (.vtu).
// Format: https://docs.vtk.org/en/latest/vtk_file_formats/vtkxml_file_format.html
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <sinew/mesh/quadratic.hpp>

namespace sinew::mesh::io {

/// Several pieces become one mesh; their vertices are not merged.
TetMesh read_vtu(const std::filesystem::path& path);

/// Positions, cells and arrays of a file of one piece, for programs that look at results.
struct VtuFields {
  std::vector<Vec3> points;  ///< [m]
  std::vector<Tet> tets;
  std::vector<QuadraticTet> quadratic_tets;  ///< in the order of mesh/quadratic.hpp
  std::vector<Triangle> triangles;
  std::vector<Edge> lines;
  /// Their numbers in arrays of cells.
  std::vector<int> tet_cells, quadratic_tet_cells, triangle_cells, line_cells;
  /// Another one where the number of points or what is stored of the cells is another.
  std::uint64_t cells_code = 0;
  std::map<std::string, std::vector<double>> point_data, cell_data;  ///< components side by side
};

/// Reads the points, and of the rest what is asked for: tets, triangles and lines, and arrays by
/// name where they exist.
VtuFields read_vtu_fields(const std::filesystem::path& path, bool with_cells,
                          const std::set<std::string>& arrays);

/// Writes raw appended data, which is exact and small. Region names are not stored.
void write_vtu(const std::filesystem::path& path, const TetMesh& mesh);

}  // namespace sinew::mesh::io
