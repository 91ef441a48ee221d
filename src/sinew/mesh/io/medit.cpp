// SPDX-License-Identifier: Apache-2.0
#include <iterator>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/io/file_cursor.hpp>
#include <sinew/mesh/io/medit.hpp>

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

void read_tets(FileCursor& cursor, TetMesh& mesh) {
  if (!mesh.tets.empty()) cursor.fail("there is a second Tetrahedra section", "keep one of them");
  const std::uint64_t count = read_count(cursor, "tetrahedra", 5);
  mesh.tets.reserve(count);
  mesh.regions.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    Tet tet;
    for (int& vertex : tet) {
      vertex = cursor.number<int>("a corner of a tetrahedron");
      if (vertex < 1)
        cursor.fail(fmt::format("corner {} does not exist; vertices count from 1", vertex),
                    "add 1 to all indices if they count from 0");
      --vertex;
    }
    mesh.tets.push_back(tet);
    mesh.regions.push_back(cursor.number<int>("the reference of a tetrahedron"));
  }
}

void reject_volume_elements(FileCursor& cursor, std::string_view keyword) {
  if (read_count(cursor, keyword, 1) > 0)
    cursor.fail(fmt::format("the mesh contains {}", keyword),
                "mesh the volume with linear tetrahedra only");
}

void read_section(FileCursor& cursor, TetMesh& mesh) {
  const std::string_view keyword = cursor.token("a keyword");
  if (same_word(keyword, "Dimension")) {
    if (const int dimension = cursor.number<int>("the dimension"); dimension != 3)
      cursor.fail(fmt::format("the mesh has dimension {}", dimension), "export a 3D mesh");
  } else if (same_word(keyword, "Vertices")) {
    read_vertices(cursor, mesh);
  } else if (same_word(keyword, "Tetrahedra")) {
    read_tets(cursor, mesh);
  } else if (same_word(keyword, "Hexahedra") || same_word(keyword, "Prisms") ||
             same_word(keyword, "Pyramids") || same_word(keyword, "TetrahedraP2")) {
    reject_volume_elements(cursor, keyword);
  } else if (!starts_keyword(keyword)) {
    cursor.fail(fmt::format("'{}' stands where a keyword should", keyword.substr(0, 20)),
                "the count of the section before is too small; export the mesh again");
  } else {
    // whatever else there is consists of numbers
    while (cursor.skip_blanks() && !starts_keyword(cursor.peek())) cursor.token("a number");
  }
}

}  // namespace

TetMesh read_medit(const std::filesystem::path& path) {
  const std::string content = read_file(path);
  FileCursor cursor(content, path.string(), '#');
  if (!same_word(cursor.peek().substr(0, 20), "MeshVersionFormatted"))
    cursor.fail("this is not an ASCII Medit file: it does not begin with MeshVersionFormatted",
                "export as ASCII .mesh, not binary .meshb");
  TetMesh mesh;
  bool has_end = false;
  while (!has_end && cursor.skip_blanks()) {
    has_end = same_word(cursor.peek(), "End");
    if (!has_end) read_section(cursor, mesh);
  }
  for (const auto& [is_missing, name] :
       {std::pair{mesh.vertices.empty(), "Vertices"}, std::pair{mesh.tets.empty(), "Tetrahedra"}})
    if (is_missing)
      cursor.fail(fmt::format("there are no {}", name),
                  "the file is cut off or holds no volume mesh; export it again");
  // sections may come in any order, so corners can be judged only now
  for (int i = 0; i < mesh.num_tets(); ++i)
    for (const int vertex : mesh.tets[i])
      if (vertex >= mesh.num_vertices())
        throw InputError({path.string(), fmt::format("tetrahedron {} (counting from 1)", i + 1),
                          fmt::format("refers to vertex {}, but there are only {}", vertex + 1,
                                      mesh.num_vertices()),
                          "the file is cut off or damaged; export the mesh again"});
  return mesh;
}

void write_medit(const std::filesystem::path& path, const TetMesh& mesh) {
  std::string text = "MeshVersionFormatted 2\nDimension 3\n";
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "Vertices\n{}\n", mesh.vertices.size());
  for (const Vec3& x : mesh.vertices) fmt::format_to(out, "{} {} {} 0\n", x[0], x[1], x[2]);
  fmt::format_to(out, "Tetrahedra\n{}\n", mesh.tets.size());
  for (int i = 0; i < mesh.num_tets(); ++i) {
    const Tet& tet = mesh.tets[i];
    fmt::format_to(out, "{} {} {} {} {}\n", tet[0] + 1, tet[1] + 1, tet[2] + 1, tet[3] + 1,
                   mesh.regions[i]);
  }
  text += "End\n";
  write_file(path, text);
}

}  // namespace sinew::mesh::io
