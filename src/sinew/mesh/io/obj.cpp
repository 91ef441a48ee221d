// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <iterator>

#include <fmt/format.h>

#include <sinew/mesh/io/file_cursor.hpp>
#include <sinew/mesh/io/obj.hpp>
#include <sinew/mesh/io/polygons.hpp>

namespace sinew::mesh::io {
namespace {

/// Joins lines that end in a backslash with the next one, and adds as many empty lines after them,
/// so that the numbers of the lines that follow stay what they are.
std::string join_continued_lines(const std::string& content) {
  std::size_t num_joined = 0;
  std::string joined;
  joined.reserve(content.size());
  for (std::size_t i = 0; i < content.size(); ++i) {
    if (content[i] == '\\') {
      const std::size_t end = i + (content.compare(i + 1, 1, "\r") == 0 ? 2 : 1);
      if (content.compare(end, 1, "\n") == 0) {
        joined += ' ';
        ++num_joined;
        i = end;
        continue;
      }
    }
    joined += content[i];
    if (content[i] != '\n') continue;
    joined.append(num_joined, '\n');
    num_joined = 0;
  }
  return joined;
}

/// The corners of a face or line, such as "1/2/3" or "-1": of each, the vertex before the slash.
/// Vertices count from 1, or backwards from the `num_before` that stand above.
std::vector<int> read_obj_corners(FileCursor& cursor, int num_before, int num_vertices) {
  std::vector<int> corners;
  while (cursor.skip_blanks_in_line()) {
    const std::string_view text = cursor.peek();
    const auto number = cursor.to_number<int>(text.substr(0, text.find('/')), "a vertex number");
    const std::int64_t vertex = number < 0 ? std::int64_t{num_before} + number : number - 1;
    if (number == 0 || vertex < 0 || vertex >= num_vertices)
      cursor.fail(fmt::format("there is no vertex {}; the file has {}, counting from 1", number,
                              num_vertices),
                  "the file is cut off or damaged; export the mesh again");
    corners.push_back(static_cast<int>(vertex));
    cursor.token("a vertex number");
  }
  return corners;
}

/// Calls on_line(keyword) for every line that is not blank; it may read on to the line's end.
template <class OnLine>
void for_each_obj_line(FileCursor& cursor, const OnLine& on_line) {
  while (cursor.skip_blanks()) {
    on_line(cursor.token("a keyword"));
    cursor.line();
  }
}

}  // namespace

TetMesh read_obj(const std::filesystem::path& path) {
  const std::string content = join_continued_lines(read_file(path));
  FileCursor cursor(content, path.string(), '#');
  TetMesh mesh;
  for_each_obj_line(cursor, [&](std::string_view keyword) {
    if (keyword != "v") return;
    Vec3 x;
    for (double& value : x) value = cursor.number_in_line<double>("a vertex coordinate");
    mesh.vertices.push_back(x);
  });
  if (mesh.vertices.empty())
    cursor.fail("there are no vertices (lines that begin with v)",
                "the file is of another format or holds no mesh; export it again");

  // faces may stand above their vertices
  int num_before = 0;
  cursor = FileCursor(content, path.string(), '#');
  for_each_obj_line(cursor, [&](std::string_view keyword) {
    const bool is_face = keyword == "f";
    if (keyword == "v") ++num_before;
    if (!is_face && keyword != "l") return;
    const std::vector<int> corners = read_obj_corners(cursor, num_before, mesh.num_vertices());
    if (corners.size() < (is_face ? 3 : 2))
      cursor.fail(fmt::format("a {} needs more than {} vertices", is_face ? "face" : "line",
                              corners.size()),
                  "the line is cut off; export the mesh again");
    is_face ? add_polygon(corners, mesh) : add_polyline(corners, mesh);
  });
  return mesh;
}

void write_obj(const std::filesystem::path& path, const TetMesh& mesh) {
  std::string text;
  const auto out = std::back_inserter(text);
  for (const Vec3& x : mesh.vertices) fmt::format_to(out, "v {} {} {}\n", x[0], x[1], x[2]);
  for (const auto& [a, b, c] : mesh.triangles)
    fmt::format_to(out, "f {} {} {}\n", a + 1, b + 1, c + 1);
  for (const auto& [a, b] : mesh.bars) fmt::format_to(out, "l {} {}\n", a + 1, b + 1);
  write_file(path, text);
}

}  // namespace sinew::mesh::io
