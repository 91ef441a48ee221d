// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/io/file_cursor.hpp>
#include <sinew/mesh/io/middle_order.hpp>
#include <sinew/mesh/io/tetgen.hpp>

namespace sinew::mesh::io {
namespace {

/// The numbers on the first line that is not blank; those missing at its end are 0.
std::array<std::uint64_t, 4> read_header(FileCursor& cursor, std::string_view what) {
  if (!cursor.skip_blanks()) cursor.fail_end(what);
  std::array<std::uint64_t, 4> numbers{};
  const int line_number = cursor.line_number();
  FileCursor line(cursor.line(), cursor.file(), '#', line_number);
  for (std::size_t i = 0; i < numbers.size() && line.skip_blanks(); ++i)
    numbers[i] = line.number<std::uint64_t>(what);
  return numbers;
}

struct NodeFile {
  std::vector<Vec3> vertices;
  int first = 0;  ///< the number of the first vertex
};

NodeFile read_nodes(const std::filesystem::path& path) {
  const std::string content = read_file(path);
  FileCursor cursor(content, path.string(), '#');
  const auto [count, dimension, num_attributes, num_markers] =
      read_header(cursor, "the number of vertices");
  if (dimension != 3)
    cursor.fail(fmt::format("the vertices have {} dimensions", dimension),
                "the first line must read: vertices 3 attributes markers");
  if (num_attributes > 1000 || num_markers > 1)
    cursor.fail("the numbers of attributes and markers make no sense",
                "the first line must read: vertices 3 attributes markers");
  cursor.require_room(count, 2 * (4 + num_attributes + num_markers), "vertices");
  NodeFile nodes;
  nodes.vertices.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const int number = cursor.number<int>("a vertex number");
    if (i == 0) nodes.first = number;
    if ((nodes.first != 0 && nodes.first != 1) || number - nodes.first != static_cast<int>(i))
      cursor.fail(fmt::format("vertex number {} is out of sequence", number),
                  "number the vertices 0, 1, 2, ... or 1, 2, 3, ...");
    Vec3 x;
    for (double& value : x) value = cursor.number<double>("a vertex coordinate");
    for (std::uint64_t k = 0; k < num_attributes + num_markers; ++k)
      cursor.number<double>("a vertex attribute or marker");
    nodes.vertices.push_back(x);
  }
  return nodes;
}

/// Reads tets with the corner numbers as they stand in the file.
void read_elements(const std::filesystem::path& path, TetMesh& mesh) {
  const std::string content = read_file(path);
  FileCursor cursor(content, path.string(), '#');
  const auto [count, num_corners, num_attributes, unused] =
      read_header(cursor, "the number of tetrahedra");
  if (num_corners != 4 && num_corners != 10)
    cursor.fail(fmt::format("the elements have {} vertices each", num_corners),
                "export tetrahedra of 4 or, with -o2, of 10 vertices");
  if (num_attributes > 1000)
    cursor.fail("the number of attributes makes no sense",
                "the first line must read: tetrahedra 4 attributes");
  cursor.require_room(count, 2 * (1 + num_corners + num_attributes), "tetrahedra");
  mesh.tets.reserve(count);
  mesh.regions.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    cursor.number<int>("a tetrahedron number");
    std::array<int, 10> nodes{};
    for (std::size_t k = 0; k < num_corners; ++k)
      nodes[k] = cursor.number<int>("a vertex of a tetrahedron");
    if (num_corners == 10)
      add_quadratic_tet(nodes, tetgen_middles, mesh);
    else
      mesh.tets.push_back({nodes[0], nodes[1], nodes[2], nodes[3]});
    int region = 0;
    for (std::uint64_t k = 0; k < num_attributes; ++k) {
      const auto value = cursor.number<double>("an attribute of a tetrahedron");
      if (k > 0) continue;
      if (!is_int(value))
        cursor.fail(fmt::format("the region attribute {} is not a whole number", value),
                    "number the regions with integers");
      region = static_cast<int>(value);
    }
    mesh.regions.push_back(region);
  }
}

/// Turns the corner numbers of the file into indices.
void resolve_corners(TetMesh& mesh, int first, const std::string& file) {
  int low = first, high = first;
  const auto extend = [&](const auto& elements) {
    for (const auto& vertices : elements) {
      const auto [least, most] = std::minmax_element(vertices.begin(), vertices.end());
      low = std::min(low, *least);
      high = std::max(high, *most);
    }
  };
  extend(mesh.tets);
  extend(mesh.middles);
  const int n = mesh.num_vertices();
  if (first == 1 && low == 0 && high < n) first = 0;
  if (first == 0 && low >= 0 && high == n) {
    const bool uses_zero = std::any_of(mesh.tets.begin(), mesh.tets.end(), [](const Tet& tet) {
      return std::find(tet.begin(), tet.end(), 0) != tet.end();
    });
    if (!uses_zero) first = 1;
  }
  const auto resolve = [&](auto& vertices, int tet) {
    for (int& vertex : vertices) {
      if (vertex < first || vertex - first >= n)
        throw InputError({file, fmt::format("tetrahedron {} (counting from 0)", tet),
                          fmt::format("refers to vertex {}, but the .node file has {}..{}", vertex,
                                      first, first + n - 1),
                          "make sure that the .node and .ele files belong together"});
      vertex -= first;
    }
  };
  for (int i = 0; i < mesh.num_tets(); ++i) {
    resolve(mesh.tets[i], i);
    if (mesh.is_quadratic()) resolve(mesh.middles[i], i);
  }
}

}  // namespace

TetMesh read_tetgen(const std::filesystem::path& path) {
  std::filesystem::path node_path = path, ele_path = path;
  node_path.replace_extension(".node");
  ele_path.replace_extension(".ele");
  for (const std::filesystem::path& part : {node_path, ele_path})
    if (std::error_code error; !std::filesystem::exists(part, error))
      throw InputError({part.string(), "", "there is no such file",
                        "a TetGen mesh needs both name.node and name.ele, side by side"});
  TetMesh mesh;
  NodeFile nodes = read_nodes(node_path);
  mesh.vertices = std::move(nodes.vertices);
  read_elements(ele_path, mesh);
  resolve_corners(mesh, nodes.first, ele_path.string());
  return mesh;
}

void write_tetgen(const std::filesystem::path& path, const TetMesh& mesh) {
  std::string nodes = fmt::format("{} 3 0 0\n", mesh.vertices.size());
  for (int i = 0; i < mesh.num_vertices(); ++i) {
    const Vec3& x = mesh.vertices[i];
    fmt::format_to(std::back_inserter(nodes), "{} {} {} {}\n", i, x[0], x[1], x[2]);
  }
  std::string elements = fmt::format("{} {} 1\n", mesh.tets.size(), mesh.is_quadratic() ? 10 : 4);
  for (int i = 0; i < mesh.num_tets(); ++i)
    fmt::format_to(std::back_inserter(elements), "{} {} {}\n", i,
                   fmt::join(nodes_of(mesh, i, tetgen_middles), " "), mesh.regions[i]);
  std::filesystem::path target = path;
  write_file(target.replace_extension(".node"), nodes);
  write_file(target.replace_extension(".ele"), elements);
}

}  // namespace sinew::mesh::io
