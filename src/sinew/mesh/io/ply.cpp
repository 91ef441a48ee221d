// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <sinew/mesh/io/file_cursor.hpp>
#include <sinew/mesh/io/ply.hpp>
#include <sinew/mesh/io/polygons.hpp>
#include <sinew/mesh/io/vtk_grid.hpp>

namespace sinew::mesh::io {
namespace {

struct PlyProperty {
  std::string name;
  const VtkType* type = nullptr;        ///< of the value, or of the values of a list
  const VtkType* count_type = nullptr;  ///< null if it is no list
};

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;
  std::vector<PlyProperty> properties;

  /// Its place among the properties; fails if there is none or it is, unlike asked for, a list.
  std::size_t find(std::string_view property, bool is_list, const FileCursor& cursor) const {
    for (std::size_t i = 0; i < properties.size(); ++i)
      if (properties[i].name == property && is_list == (properties[i].count_type != nullptr))
        return i;
    cursor.fail(
        fmt::format("the element '{}' has no {} '{}'", name, is_list ? "list" : "number", property),
        "export the mesh again with vertices x, y, z and faces vertex_indices");
  }
};

class PlyReader {
 public:
  PlyReader(std::string_view content, const std::string& file) : cursor_(content, file) {}

  TetMesh read() {
    read_header();
    for (const PlyElement& element : elements_) {
      if (element.properties.empty()) continue;
      cursor_.require_room(element.count, least_bytes(element), element.name + " elements");
      if (element.name == "vertex")
        read_vertices(element);
      else if (element.name == "face")
        read_faces(element);
      else if (element.name == "edge")
        read_edges(element);
      else
        for (std::uint64_t i = 0; i < element.count; ++i) read_row(element);
    }
    if (mesh_.vertices.empty())
      cursor_.fail("there are no vertices", "the file holds no mesh; export it again");
    // elements may come in any order, so corners can be judged only now
    for (const auto& [a, b, c] : mesh_.triangles) require_vertices({a, b, c}, "a face");
    for (const auto& [a, b] : mesh_.bars) require_vertices({a, b}, "an edge");
    return std::move(mesh_);
  }

 private:
  void read_header() {
    if (cursor_.peek_line() != "ply")
      cursor_.fail("this is not a PLY file: its first line is not 'ply'",
                   "use the file extension of the actual format");
    cursor_.line();
    std::string_view form;
    for (std::string_view keyword; keyword != "end_header"; cursor_.line()) {
      keyword = cursor_.token("end_header");
      if (keyword == "format") {
        form = cursor_.token_in_line("the format");
      } else if (keyword == "element") {
        const std::string name(cursor_.token_in_line("the name of an element"));
        elements_.push_back(
            {name, cursor_.number_in_line<std::uint64_t>("the number of elements"), {}});
      } else if (keyword == "property") {
        read_property();
      } else if (keyword != "comment" && keyword != "obj_info" && keyword != "end_header") {
        cursor_.fail(fmt::format("unknown keyword '{}' in the header", excerpt(keyword)),
                     "the file is damaged; export the mesh again");
      }
    }
    if (form != "ascii" && form != "binary_little_endian" && form != "binary_big_endian")
      cursor_.fail(fmt::format("the format '{}' is unknown", excerpt(form)),
                   "write 'format ascii 1.0', or binary_little_endian or binary_big_endian");
    is_binary_ = form != "ascii";
    order_ = form == "binary_big_endian" ? std::endian::big : std::endian::little;
    cursor_.set_binary(is_binary_);
  }

  void read_property() {
    if (elements_.empty())
      cursor_.fail("a property stands before the first element", "export the mesh again");
    PlyProperty property;
    std::string_view type = cursor_.token_in_line("a type");
    if (type == "list") {
      property.count_type = &type_named(cursor_.token_in_line("the type of a count"));
      if (!property.count_type->is_integer)
        cursor_.fail("the length of a list must be an integer", "export the mesh again");
      type = cursor_.token_in_line("a type");
    }
    property.type = &type_named(type);
    property.name = cursor_.token_in_line("the name of a property");
    elements_.back().properties.push_back(std::move(property));
  }

  const VtkType& type_named(std::string_view name) {
    const std::pair<std::string_view, std::string_view> short_names[] = {
        {"uchar", "UInt8"}, {"ushort", "UInt16"}, {"uint", "UInt32"}};
    const VtkType* type = find_vtk_type(name);
    for (const auto& [own, known] : short_names)
      if (name == own) type = find_vtk_type(known);
    if (type == nullptr)
      cursor_.fail(fmt::format("the data type '{}' is unknown", excerpt(name)),
                   "the file is damaged; export the mesh again");
    return *type;
  }

  /// The fewest bytes that one element can take.
  std::size_t least_bytes(const PlyElement& element) const {
    std::size_t sum = 0;
    for (const PlyProperty& property : element.properties)
      sum += is_binary_ ? (property.count_type ? property.count_type : property.type)->size : 2;
    return sum;
  }

  double read_value(const VtkType& type) {
    constexpr std::string_view what = "the value of a property";
    return is_binary_ ? type.to_double(cursor_.bytes(type.size, what).data(), order_)
                      : cursor_.number<double>(what);
  }

  /// Reads one element: each property's only value into row_, or all its values into lists_.
  void read_row(const PlyElement& element) {
    row_.assign(element.properties.size(), 0.0);
    lists_.resize(element.properties.size());
    for (std::size_t i = 0; i < element.properties.size(); ++i) {
      const PlyProperty& property = element.properties[i];
      if (property.count_type == nullptr) {
        row_[i] = read_value(*property.type);
        continue;
      }
      const double length = read_value(*property.count_type);
      if (!is_int(length) || length < 0)
        cursor_.fail(fmt::format("a list cannot have {} values", length),
                     "the file is damaged; export the mesh again");
      const auto count = static_cast<std::uint64_t>(length);
      cursor_.require_room(count, is_binary_ ? property.type->size : 2, "values of a list");
      lists_[i].clear();
      for (std::uint64_t k = 0; k < count; ++k) lists_[i].push_back(read_value(*property.type));
    }
  }

  int to_vertex(double value) {
    if (!is_int(value) || value < 0)
      cursor_.fail(fmt::format("{} is no vertex; they count from 0", value),
                   "the file is damaged; export the mesh again");
    return static_cast<int>(value);
  }

  void read_vertices(const PlyElement& element) {
    std::array<std::size_t, 3> places{};
    for (std::size_t k = 0; k < 3; ++k)
      places[k] = element.find(std::string_view("xyz").substr(k, 1), false, cursor_);
    for (std::uint64_t i = 0; i < element.count; ++i) {
      read_row(element);
      mesh_.vertices.emplace_back(row_[places[0]], row_[places[1]], row_[places[2]]);
    }
  }

  void read_faces(const PlyElement& element) {
    const bool has_short_name =
        std::any_of(element.properties.begin(), element.properties.end(),
                    [](const PlyProperty& property) { return property.name == "vertex_index"; });
    const std::size_t place =
        element.find(has_short_name ? "vertex_index" : "vertex_indices", true, cursor_);
    std::vector<int> corners;
    for (std::uint64_t i = 0; i < element.count; ++i) {
      read_row(element);
      corners.clear();
      for (const double value : lists_[place]) corners.push_back(to_vertex(value));
      add_polygon(corners, mesh_);
    }
  }

  void read_edges(const PlyElement& element) {
    const std::size_t first = element.find("vertex1", false, cursor_);
    const std::size_t second = element.find("vertex2", false, cursor_);
    for (std::uint64_t i = 0; i < element.count; ++i) {
      read_row(element);
      mesh_.bars.push_back({to_vertex(row_[first]), to_vertex(row_[second])});
    }
  }

  void require_vertices(std::initializer_list<int> vertices, std::string_view what) {
    for (const int vertex : vertices)
      if (vertex >= mesh_.num_vertices())
        cursor_.fail(fmt::format("{} refers to vertex {}, but there are only {}, counting from 0",
                                 what, vertex, mesh_.num_vertices()),
                     "the file is cut off or damaged; export the mesh again");
  }

  FileCursor cursor_;
  bool is_binary_ = false;
  std::endian order_ = std::endian::little;
  std::vector<PlyElement> elements_;
  std::vector<double> row_;
  std::vector<std::vector<double>> lists_;
  TetMesh mesh_;
};

}  // namespace

TetMesh read_ply(const std::filesystem::path& path) {
  const std::string content = read_file(path);
  return PlyReader(content, path.string()).read();
}

void write_ply(const std::filesystem::path& path, const TetMesh& mesh) {
  std::string text = "ply\nformat ascii 1.0\n";
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "element vertex {}\n", mesh.vertices.size());
  text += "property double x\nproperty double y\nproperty double z\n";
  if (!mesh.triangles.empty())
    fmt::format_to(out, "element face {}\nproperty list uchar int vertex_indices\n",
                   mesh.triangles.size());
  if (!mesh.bars.empty())
    fmt::format_to(out, "element edge {}\nproperty int vertex1\nproperty int vertex2\n",
                   mesh.bars.size());
  text += "end_header\n";
  for (const Vec3& x : mesh.vertices) fmt::format_to(out, "{} {} {}\n", x[0], x[1], x[2]);
  for (const auto& [a, b, c] : mesh.triangles) fmt::format_to(out, "3 {} {} {}\n", a, b, c);
  for (const auto& [a, b] : mesh.bars) fmt::format_to(out, "{} {}\n", a, b);
  write_file(path, text);
}

}  // namespace sinew::mesh::io
