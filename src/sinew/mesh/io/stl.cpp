// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <map>

#include <fmt/format.h>

#include <sinew/mesh/io/file_cursor.hpp>
#include <sinew/mesh/io/stl.hpp>

namespace sinew::mesh::io {
namespace {

constexpr std::size_t header_bytes = 80, triangle_bytes = 50;

class StlMesh {
 public:
  void add(const std::array<Vec3, 3>& corners) {
    Triangle triangle;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3& x = corners[k];
      const auto [entry, is_new] =
          numbers_.try_emplace(std::array{x[0], x[1], x[2]}, mesh_.num_vertices());
      if (is_new) mesh_.vertices.push_back(x);
      triangle[k] = entry->second;
    }
    mesh_.triangles.push_back(triangle);
  }

  TetMesh take(const FileCursor& cursor) {
    if (mesh_.triangles.empty())
      cursor.fail("there are no triangles", "the file holds no surface; export it again");
    return std::move(mesh_);
  }

 private:
  TetMesh mesh_;
  std::map<std::array<double, 3>, int> numbers_;
};

/// Binary files may begin with "solid" as well, so their length decides.
bool is_binary(std::string_view content) {
  return content.size() >= header_bytes + 4 &&
         content.size() - header_bytes - 4 ==
             triangle_bytes * std::uint64_t{load<std::uint32_t>(content.data() + header_bytes,
                                                                std::endian::little)};
}

TetMesh read_binary(FileCursor& cursor) {
  cursor.set_binary(true);
  cursor.skip(header_bytes);
  const auto count = cursor.raw<std::uint32_t>(std::endian::little, "the number of triangles");
  StlMesh mesh;
  for (std::uint32_t t = 0; t < count; ++t) {
    std::array<Vec3, 3> corners;
    cursor.skip(12);  // the normal
    for (Vec3& x : corners)
      for (double& value : x) value = cursor.raw<float>(std::endian::little, "a coordinate");
    for (const Vec3& x : corners)
      if (!x.allFinite())
        cursor.fail("a coordinate is not finite", "the file is damaged; export the mesh again");
    cursor.skip(2);  // attributes
    mesh.add(corners);
  }
  return mesh.take(cursor);
}

TetMesh read_ascii(FileCursor& cursor) {
  if (cursor.token("solid") != "solid")
    cursor.fail(
        fmt::format("this is neither an ASCII nor a whole binary STL file: {} bytes are not "
                    "what its count of triangles takes",
                    cursor.remaining() + cursor.position()),
        "the file is cut off or of another format; export the mesh again");
  cursor.line();
  StlMesh mesh;
  std::array<Vec3, 3> corners;
  std::size_t num_corners = 0;
  while (cursor.skip_blanks()) {
    const std::string_view keyword = cursor.token("a keyword");
    if (keyword == "vertex") {
      if (num_corners == 3)
        cursor.fail("a facet has more than three corners", "export the mesh with triangles only");
      for (double& value : corners[num_corners])
        value = cursor.number_in_line<double>("a vertex coordinate");
      if (!corners[num_corners].allFinite())
        cursor.fail("a coordinate is not finite", "the file is damaged; export the mesh again");
      ++num_corners;
    } else if (keyword == "endfacet") {
      if (num_corners != 3)
        cursor.fail(fmt::format("a facet has {} corners", num_corners),
                    "the file is damaged; export the mesh again");
      mesh.add(corners);
      num_corners = 0;
    } else if (keyword != "facet" && keyword != "outer" && keyword != "endloop" &&
               keyword != "endsolid" && keyword != "solid") {
      cursor.fail(fmt::format("unknown keyword '{}'", excerpt(keyword)),
                  "the file is damaged; export the mesh again");
    }
    cursor.line();
  }
  if (num_corners != 0) cursor.fail_end("endfacet");
  return mesh.take(cursor);
}

}  // namespace

TetMesh read_stl(const std::filesystem::path& path) {
  const std::string content = read_file(path);
  FileCursor cursor(content, path.string());
  return is_binary(content) ? read_binary(cursor) : read_ascii(cursor);
}

}  // namespace sinew::mesh::io
