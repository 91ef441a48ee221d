// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <set>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/io/file_cursor.hpp>
#include <sinew/mesh/io/middle_order.hpp>
#include <sinew/mesh/io/vtk_grid.hpp>
#include <sinew/mesh/io/vtu.hpp>
#include <sinew/mesh/io/vtu_array.hpp>

namespace sinew::mesh::io {
namespace {

// Points and cells of a file: twice what generators make. A point of a mesh is 24 bytes, which zlib
// packs into no less than a fraction of one unless all points are the same.
constexpr std::int64_t most_items = 100'000'000;
constexpr std::int64_t most_items_per_byte = 8;
constexpr std::int64_t most_cell_data_per_byte = 64;
constexpr int most_components = 1000;

std::string attribute_or(const XmlElement& element, std::string_view key,
                         std::string_view fallback) {
  const std::string* value = element.attribute(key);
  return value ? *value : std::string(fallback);
}

const XmlElement& require_child(const XmlElement& parent, std::string_view name,
                                const VtuEncoding& encoding) {
  const XmlElement* child = parent.child(name);
  if (!child)
    fail_vtu(parent, encoding, fmt::format("<{}> is missing", name),
             "export an unstructured grid with points and cells");
  return *child;
}

VtuEncoding read_encoding(const XmlElement& root, const std::string& file) {
  VtuEncoding encoding;
  encoding.file = file;
  const std::string kind = attribute_or(root, "type", "");
  if (root.name != "VTKFile" || kind != "UnstructuredGrid")
    fail_vtu(root, encoding, "this is not a VTKFile of type UnstructuredGrid",
             "export the volume mesh as .vtu");
  if (attribute_or(root, "byte_order", "LittleEndian") == "BigEndian")
    encoding.order = std::endian::big;
  encoding.has_long_headers = attribute_or(root, "header_type", "UInt32") == "UInt64";
  if (const std::string compressor = attribute_or(root, "compressor", ""); !compressor.empty()) {
    if (compressor != "vtkZLibDataCompressor")
      fail_vtu(root, encoding, fmt::format("the compressor '{}' is not supported", compressor),
               "save with zlib compression or none");
    encoding.is_compressed = true;
  }
  if (const XmlElement* appended = root.child("AppendedData")) {
    encoding.appended_is_base64 = attribute_or(*appended, "encoding", "base64") != "raw";
    const std::size_t mark = appended->text.find('_');
    if (mark == appended->text.npos)
      fail_vtu(*appended, encoding, "the appended data do not begin with '_'",
               "the file is damaged; export it again");
    encoding.appended = std::string_view(appended->text).substr(mark + 1);
  }
  return encoding;
}

/// A whole number from 0 to `most` in an attribute.
std::int64_t read_count(const XmlElement& element, std::string_view key, std::int64_t most,
                        const VtuEncoding& encoding, std::string_view fallback = "") {
  const std::string text = attribute_or(element, key, fallback);
  std::int64_t count = -1;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, count);
  if (error == std::errc::result_out_of_range || count > most)
    fail_vtu(element, encoding,
             fmt::format("{}=\"{}\" is more than the {} that can be used", key, text, most),
             "the count is wrong or the mesh too large; export the mesh again");
  if (error != std::errc() || stop != end || count < 0)
    fail_vtu(element, encoding, fmt::format("{}=\"{}\" is not a count", key, text),
             "export the mesh again");
  return count;
}

struct PieceCounts {
  std::int64_t points = 0, cells = 0;
};

/// What all pieces of a file together may have: memory stays in proportion to the file.
PieceCounts most_counts(std::string_view content) {
  const std::int64_t most =
      std::min(most_items, most_items_per_byte * static_cast<std::int64_t>(content.size()));
  return {most, most};
}

PieceCounts read_counts(const XmlElement& piece, const PieceCounts& most,
                        const VtuEncoding& encoding) {
  return {read_count(piece, "NumberOfPoints", most.points, encoding),
          read_count(piece, "NumberOfCells", most.cells, encoding)};
}

const XmlElement& find_array(const XmlElement& parent, std::string_view name,
                             const VtuEncoding& encoding) {
  for (const XmlElement& array : parent.children)
    if (array.name == "DataArray" && attribute_or(array, "Name", "") == name) return array;
  fail_vtu(parent, encoding, fmt::format("the data array \"{}\" is missing", name),
           "the file is damaged; export it again");
}

void read_points(const XmlElement& piece, std::int64_t count, const VtuEncoding& encoding,
                 VtkGrid& grid) {
  const XmlElement& points = require_child(piece, "Points", encoding);
  const XmlElement& array = require_child(points, "DataArray", encoding);
  const std::vector<double> values = read_vtu_numbers(array, encoding, {3 * count});
  for (std::size_t i = 0; i + 2 < values.size(); i += 3)
    grid.points.emplace_back(values[i], values[i + 1], values[i + 2]);
}

void read_cells(const XmlElement& piece, const PieceCounts& counts, const VtuEncoding& encoding,
                VtkGrid& grid) {
  const XmlElement& cells = require_child(piece, "Cells", encoding);
  const XmlElement& offsets = find_array(cells, "offsets", encoding);
  grid.ends = read_vtu_integers(offsets, encoding, {counts.cells});
  grid.types = read_vtu_integers(find_array(cells, "types", encoding), encoding, {counts.cells});
  // a cell names every point once, the first perhaps twice; few are larger than those of finite
  // elements
  const std::int64_t most_corners =
      std::min(counts.cells * (counts.points + 1), 64 * counts.cells + 8 * (counts.points + 1));
  const std::int64_t corners = grid.ends.empty() ? 0 : grid.ends.back();
  if (corners < 0 || corners > most_corners)
    fail_vtu(offsets, encoding,
             fmt::format("the last offset is {}, but {} cells of {} points have {} corners at most",
                         corners, counts.cells, counts.points, most_corners),
             "the file is damaged; export it again");
  grid.connectivity =
      read_vtu_integers(find_array(cells, "connectivity", encoding), encoding, {corners, false});
}

std::uint64_t code_of_cells(const XmlElement& piece, const PieceCounts& counts,
                            const VtuEncoding& encoding) {
  const XmlElement& cells = require_child(piece, "Cells", encoding);
  auto code = static_cast<std::uint64_t>(counts.points);
  for (const char* name : {"connectivity", "offsets", "types"})
    code = code_of_vtu_array(find_array(cells, name, encoding), encoding, code);
  return code;
}

/// Checks all scalars and keeps those that may hold regions, each name once. `left` numbers may
/// still be read: many arrays can stand for the same data.
void read_cell_arrays(const XmlElement& piece, std::int64_t count, const VtuEncoding& encoding,
                      std::int64_t& left, VtkGrid& grid) {
  const XmlElement* data = piece.child("CellData");
  if (!data) return;
  std::set<std::string> seen;
  for (const XmlElement& array : data->children) {
    const std::string* type = array.attribute("type");
    const std::string name = attribute_or(array, "Name", "");
    const bool is_scalar = attribute_or(array, "NumberOfComponents", "1") == "1";
    // strings and vectors cannot be regions
    const VtkType* known = type ? find_vtk_type(*type) : nullptr;
    if (array.name != "DataArray" || !is_scalar || !known) continue;
    left -= count;
    if (left < 0)
      fail_vtu(array, encoding, "the cells have more data than a file of this size can hold",
               "the file is damaged; export it again");
    std::vector<double> values = read_vtu_numbers(array, encoding, {count});
    if (may_hold_regions(name) && seen.insert(name).second)
      grid.cell_arrays.push_back({name, std::move(values)});
  }
}

void append(TetMesh& mesh, TetMesh part) {
  const int shift = mesh.num_vertices();
  mesh.vertices.insert(mesh.vertices.end(), part.vertices.begin(), part.vertices.end());
  const auto add_shifted = [&](auto& elements, const auto& more) {
    for (auto corners : more) {
      for (int& vertex : corners) vertex += shift;
      elements.push_back(corners);
    }
  };
  add_shifted(mesh.tets, part.tets);
  add_shifted(mesh.middles, part.middles);
  add_shifted(mesh.triangles, part.triangles);
  add_shifted(mesh.bars, part.bars);
  mesh.regions.insert(mesh.regions.end(), part.regions.begin(), part.regions.end());
  part.bar_regions.resize(part.bars.size());
  mesh.bar_regions.insert(mesh.bar_regions.end(), part.bar_regions.begin(), part.bar_regions.end());
}

/// Collects the arrays of a file with appended data.
class AppendedData {
 public:
  template <class T>
  std::string add(std::string_view name, std::string_view type, int components,
                  const std::vector<T>& values) {
    std::string tag = fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
        "offset=\"{}\"/>\n",
        type, name, components, bytes_.size());
    append_number(static_cast<std::uint64_t>(values.size() * sizeof(T)));
    for (const T& value : values) append_number(value);
    return tag;
  }

  const std::string& bytes() const { return bytes_; }

 private:
  template <class T>
  void append_number(const T& value) {
    char buffer[sizeof(T)];
    std::memcpy(buffer, &value, sizeof(T));
    if constexpr (std::endian::native == std::endian::big)
      std::reverse(std::begin(buffer), std::end(buffer));
    bytes_.append(buffer, sizeof(T));
  }

  std::string bytes_;
};

}  // namespace

TetMesh read_vtu(const std::filesystem::path& path) {
  const std::string content = read_file(path);
  const std::string file = path.string();
  const XmlElement root = parse_xml(content, file, "AppendedData");
  const VtuEncoding encoding = read_encoding(root, file);
  const XmlElement& domain = require_child(root, "UnstructuredGrid", encoding);
  require_child(domain, "Piece", encoding);
  TetMesh mesh;
  PieceCounts left = most_counts(content);
  std::int64_t data_left = most_cell_data_per_byte * static_cast<std::int64_t>(content.size());
  for (const XmlElement& piece : domain.children) {
    if (piece.name != "Piece") continue;
    const PieceCounts counts = read_counts(piece, left, encoding);
    left.points -= counts.points;
    left.cells -= counts.cells;
    VtkGrid grid;
    read_points(piece, counts.points, encoding, grid);
    read_cells(piece, counts, encoding, grid);
    read_cell_arrays(piece, counts.cells, encoding, data_left, grid);
    append(mesh, to_tet_mesh(std::move(grid), file));
  }
  if (mesh.is_quadratic() && mesh.middles.size() != mesh.tets.size()) fail_mixed_orders(file);
  if (!mesh.tets.empty()) {  // in another piece than surfaces and lines
    mesh.triangles.clear();
    mesh.bars.clear();
    mesh.bar_regions.clear();
  }
  return mesh;
}

VtuFields read_vtu_fields(const std::filesystem::path& path, bool with_cells,
                          const std::set<std::string>& arrays) {
  const std::string content = read_file(path);
  const std::string file = path.string();
  const XmlElement root = parse_xml(content, file, "AppendedData");
  const VtuEncoding encoding = read_encoding(root, file);
  const XmlElement& piece =
      require_child(require_child(root, "UnstructuredGrid", encoding), "Piece", encoding);
  const PieceCounts counts = read_counts(piece, most_counts(content), encoding);
  VtkGrid grid;
  read_points(piece, counts.points, encoding, grid);
  VtuFields fields;
  fields.points = grid.points;
  fields.cells_code = code_of_cells(piece, counts, encoding);
  const auto read_arrays = [&](const char* section, std::int64_t count, auto& target) {
    const XmlElement* data = piece.child(section);
    if (!data) return;
    for (const XmlElement& array : data->children) {
      const std::string name = attribute_or(array, "Name", "");
      if (array.name != "DataArray" || !arrays.contains(name)) continue;
      const std::int64_t components =
          read_count(array, "NumberOfComponents", most_components, encoding, "1");
      target[name] = read_vtu_numbers(array, encoding, {count * components});
    }
  };
  read_arrays("PointData", counts.points, fields.point_data);
  read_arrays("CellData", counts.cells, fields.cell_data);
  if (with_cells) {
    read_cells(piece, counts, encoding, grid);
    VtkCells<4> tets = tets_of(grid, file);
    VtkCells<10> quadratic_tets = quadratic_tets_of(grid, file);
    VtkCells<3> triangles = triangles_of(grid, file);
    VtkCells<2> lines = lines_of(grid, file);
    fields.tets = std::move(tets.corners);
    fields.tet_cells = std::move(tets.numbers);
    fields.quadratic_tets = std::move(quadratic_tets.corners);
    fields.quadratic_tet_cells = std::move(quadratic_tets.numbers);
    fields.triangles = std::move(triangles.corners);
    fields.triangle_cells = std::move(triangles.numbers);
    fields.lines = std::move(lines.corners);
    fields.line_cells = std::move(lines.numbers);
  }
  return fields;
}

void write_vtu(const std::filesystem::path& path, const TetMesh& mesh) {
  const VtkGrid grid = to_vtk_grid(mesh);
  std::vector<double> points;
  for (const Vec3& x : grid.points) points.insert(points.end(), x.begin(), x.end());
  const std::vector<std::int32_t> connectivity(grid.connectivity.begin(), grid.connectivity.end());
  const std::vector<std::uint8_t> cell_types(grid.types.begin(), grid.types.end());
  const std::vector<double>& cell_regions = grid.cell_arrays[0].values;
  const std::vector<std::int32_t> regions(cell_regions.begin(), cell_regions.end());

  AppendedData data;
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n<UnstructuredGrid>\n";
  text += fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n", mesh.vertices.size(),
                      grid.types.size());
  text += "<Points>\n" + data.add("Points", "Float64", 3, points) + "</Points>\n";
  text += "<Cells>\n" + data.add("connectivity", "Int32", 1, connectivity);
  text += data.add("offsets", "Int64", 1, grid.ends);
  text += data.add("types", "UInt8", 1, cell_types) + "</Cells>\n";
  text += "<CellData Scalars=\"region\">\n" + data.add("region", "Int32", 1, regions);
  text += "</CellData>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
  text += data.bytes();
  text += "\n</AppendedData>\n</VTKFile>\n";
  write_file(path, text);
}

}  // namespace sinew::mesh::io
