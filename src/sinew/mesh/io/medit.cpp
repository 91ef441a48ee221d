// SPDX-License-Identifier: Apache-2.0
#include <cctype>
#include <iterator>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/io/file_cursor.hpp>
#include <sinew/mesh/io/medit.hpp>
#include <sinew/mesh/io/middle_order.hpp>
#include <sinew/mesh/io/polygons.hpp>

namespace sinew::mesh::io {
namespace {

bool starts_keyword(std::string_view token) {
  const char c = token.empty() ? '\0' : token[0];
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::uint64_t read_count(FileCursor& cursor, std::string_view items, std::size_t numbers_each) {
  const auto count = cursor.number<std::uint64_t>(fmt::format("the number of {}", items));
  cursor.require_room(count, 2 * numbers_each, items);
  return count;
}

void read_vertices(FileCursor& cursor, TetMesh& mesh) {
  if (!mesh.vertices.empty()) cursor.fail("there is a second Vertices section", "keep one of them");
  const std::uint64_t count = read_count(cursor, "vertices", 4);
  mesh.vertices.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    Vec3 x;
    for (double& value : x) value = cursor.number<double>("a vertex coordinate");
    cursor.number<double>("a vertex reference");
    mesh.vertices.push_back(x);
  }
}

/// Reads N corners and a reference of each element.
template <std::size_t N>
void read_elements_of(FileCursor& cursor, std::string_view keyword, std::string_view singular,
                      std::vector<std::array<int, N>>& elements, std::vector<int>& references) {
  if (!elements.empty())
    cursor.fail(fmt::format("there is a second {} section", keyword), "keep one of them");
  std::string items(keyword);
  items[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(items[0])));
  const std::uint64_t count = read_count(cursor, items, N + 1);
  elements.reserve(count);
  references.reserve(count);
  const std::string corner = fmt::format("a corner of {}", singular);
  const std::string reference = fmt::format("the reference of {}", singular);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::array<int, N> corners;
    for (int& vertex : corners) {
      vertex = cursor.number<int>(corner);
      if (vertex < 1)
        cursor.fail(fmt::format("corner {} does not exist; vertices count from 1", vertex),
                    "add 1 to all indices if they count from 0");
      --vertex;
    }
    elements.push_back(corners);
    references.push_back(cursor.number<int>(reference));
  }
}

void read_quadratic_tets(FileCursor& cursor, TetMesh& mesh) {
  if (!mesh.tets.empty() && !mesh.is_quadratic()) fail_mixed_orders(cursor.file());
  std::vector<std::array<int, 10>> nodes;
  if (mesh.is_quadratic()) nodes.emplace_back();  // for the word about a second section
  read_elements_of(cursor, "TetrahedraP2", "a tetrahedron", nodes, mesh.regions);
  for (const auto& tet : nodes) add_quadratic_tet(tet, vtk_middles, mesh);
}

void reject_volume_elements(FileCursor& cursor, std::string_view keyword) {
  if (read_count(cursor, keyword, 1) > 0)
    cursor.fail(fmt::format("the mesh contains {}", keyword),
                "mesh the volume with tetrahedra only");
}

/// Sections of surfaces and lines, which count only if there are no tets.
struct SkippedSection {
  std::string keyword;
  FileCursor cursor;  ///< after the keyword
};

void read_section(FileCursor& cursor, TetMesh& mesh, std::vector<SkippedSection>& skipped) {
  const std::string_view keyword = cursor.token("a keyword");
  if (same_word(keyword, "Dimension")) {
    if (const int dimension = cursor.number<int>("the dimension"); dimension != 3)
      cursor.fail(fmt::format("the mesh has dimension {}", dimension), "export a 3D mesh");
  } else if (same_word(keyword, "Vertices")) {
    read_vertices(cursor, mesh);
  } else if (same_word(keyword, "Tetrahedra")) {
    read_elements_of(cursor, "Tetrahedra", "a tetrahedron", mesh.tets, mesh.regions);
    if (mesh.is_quadratic() && !mesh.tets.empty()) fail_mixed_orders(cursor.file());
  } else if (same_word(keyword, "TetrahedraP2")) {
    read_quadratic_tets(cursor, mesh);
  } else if (same_word(keyword, "Hexahedra") || same_word(keyword, "Prisms") ||
             same_word(keyword, "Pyramids")) {
    reject_volume_elements(cursor, keyword);
  } else if (!starts_keyword(keyword)) {
    cursor.fail(fmt::format("'{}' stands where a keyword should", keyword.substr(0, 20)),
                "the count of the section before is too small; export the mesh again");
  } else {
    skipped.push_back({std::string(keyword), cursor});
    // whatever else there is consists of numbers
    while (cursor.skip_blanks() && !starts_keyword(cursor.peek())) cursor.token("a number");
  }
}

void read_surfaces_and_lines(std::vector<SkippedSection>& sections, TetMesh& mesh) {
  std::vector<std::array<int, 4>> quads;
  std::vector<int> unused;
  for (auto& [keyword, cursor] : sections)
    if (same_word(keyword, "Triangles"))
      read_elements_of(cursor, "Triangles", "a triangle", mesh.triangles, unused);
    else if (same_word(keyword, "Quadrilaterals"))
      read_elements_of(cursor, "Quadrilaterals", "a quadrilateral", quads, unused);
    else if (same_word(keyword, "Edges"))
      read_elements_of(cursor, "Edges", "an edge", mesh.bars, mesh.bar_regions);
  for (const auto& corners : quads) add_polygon(corners, mesh);
}

/// Sections may come in any order, so corners can be judged only at the end.
template <std::size_t N>
void require_corners(const std::vector<std::array<int, N>>& elements, std::string_view singular,
                     int num_vertices, const std::string& file) {
  for (std::size_t i = 0; i < elements.size(); ++i)
    for (const int vertex : elements[i])
      if (vertex >= num_vertices)
        throw InputError(
            {file, fmt::format("{} {} (counting from 1)", singular, i + 1),
             fmt::format("refers to vertex {}, but there are only {}", vertex + 1, num_vertices),
             "the file is cut off or damaged; export the mesh again"});
}

}  // namespace

TetMesh read_medit(const std::filesystem::path& path) {
  const std::string content = read_file(path);
  FileCursor cursor(content, path.string(), '#');
  if (!same_word(cursor.peek().substr(0, 20), "MeshVersionFormatted"))
    cursor.fail("this is not an ASCII Medit file: it does not begin with MeshVersionFormatted",
                "export as ASCII .mesh, not binary .meshb");
  TetMesh mesh;
  std::vector<SkippedSection> skipped;
  bool has_end = false;
  while (!has_end && cursor.skip_blanks()) {
    has_end = same_word(cursor.peek(), "End");
    if (!has_end) read_section(cursor, mesh, skipped);
  }
  if (mesh.tets.empty()) read_surfaces_and_lines(skipped, mesh);
  const bool has_elements = !mesh.tets.empty() || is_made_of_particles(mesh);
  for (const auto& [is_missing, name] :
       {std::pair{mesh.vertices.empty(), "Vertices"}, std::pair{!has_elements, "Tetrahedra"}})
    if (is_missing)
      cursor.fail(fmt::format("there are no {}", name),
                  "the file is cut off or holds no mesh; export it again");
  require_corners(mesh.tets, "tetrahedron", mesh.num_vertices(), path.string());
  require_corners(mesh.middles, "tetrahedron", mesh.num_vertices(), path.string());
  require_corners(mesh.triangles, "triangle", mesh.num_vertices(), path.string());
  require_corners(mesh.bars, "edge", mesh.num_vertices(), path.string());
  return mesh;
}

void write_medit(const std::filesystem::path& path, const TetMesh& mesh) {
  std::string text = "MeshVersionFormatted 2\nDimension 3\n";
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "Vertices\n{}\n", mesh.vertices.size());
  for (const Vec3& x : mesh.vertices) fmt::format_to(out, "{} {} {} 0\n", x[0], x[1], x[2]);
  fmt::format_to(out, "Tetrahedra{}\n{}\n", mesh.is_quadratic() ? "P2" : "", mesh.tets.size());
  for (int i = 0; i < mesh.num_tets(); ++i) {
    for (const int vertex : nodes_of(mesh, i, vtk_middles)) fmt::format_to(out, "{} ", vertex + 1);
    fmt::format_to(out, "{}\n", mesh.regions[i]);
  }
  text += "End\n";
  write_file(path, text);
}

}  // namespace sinew::mesh::io
