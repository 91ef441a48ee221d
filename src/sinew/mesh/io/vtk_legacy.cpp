// SPDX-License-Identifier: Apache-2.0
#include <iterator>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/io/file_cursor.hpp>
#include <sinew/mesh/io/vtk_grid.hpp>
#include <sinew/mesh/io/vtk_legacy.hpp>

namespace sinew::mesh::io {
namespace {

class LegacyReader {
 public:
  LegacyReader(std::string_view content, const std::string& file) : cursor_(content, file) {}

  VtkGrid read() {
    read_header();
    while (cursor_.skip_blanks()) read_section(cursor_.token("a keyword"));
    if (grid_.points.empty() || grid_.ends.empty() || grid_.types.empty())
      cursor_.fail("POINTS, CELLS or CELL_TYPES are missing or empty",
                   "the file is cut off or holds no mesh; export it again");
    return std::move(grid_);
  }

 private:
  enum class Site { none, cell, point };

  void read_header() {
    if (!cursor_.line().starts_with("# vtk DataFile Version"))
      cursor_.fail("this is not a legacy VTK file: it does not begin with '# vtk DataFile Version'",
                   "use .vtu for XML files");
    cursor_.line();  // the title may be anything
    const std::string_view form = cursor_.token("ASCII or BINARY");
    if (!same_word(form, "ASCII") && !same_word(form, "BINARY"))
      cursor_.fail("the third line must be ASCII or BINARY", "export the mesh again");
    is_binary_ = same_word(form, "BINARY");
    cursor_.set_binary(is_binary_);
    if (!same_word(cursor_.token("DATASET"), "DATASET"))
      cursor_.fail("DATASET must follow", "export the mesh again");
    const std::string_view kind = cursor_.token("the kind of data set");
    if (!same_word(kind, "UNSTRUCTURED_GRID"))
      cursor_.fail(fmt::format("the data set is {}", kind.substr(0, 30)),
                   "export an UNSTRUCTURED_GRID of tetrahedra");
  }

  void read_section(std::string_view keyword) {
    if (same_word(keyword, "POINTS")) {
      read_points();
    } else if (same_word(keyword, "CELLS")) {
      read_cells();
    } else if (same_word(keyword, "CELL_TYPES")) {
      const std::uint64_t count = read_count("cell types");
      end_header();
      grid_.types = integers(type_named("int"), count, "cell types");
    } else if (same_word(keyword, "CELL_DATA")) {
      site_ = Site::cell;
      site_count_ = read_count("cells");
    } else if (same_word(keyword, "POINT_DATA")) {
      site_ = Site::point;
      site_count_ = read_count("points");
    } else if (same_word(keyword, "METADATA")) {
      skip_metadata();
    } else {
      read_attribute(keyword);
    }
  }

  void read_points() {
    const std::uint64_t count = read_count("points");
    const VtkType& type = read_type();
    cursor_.require_room(count, is_binary_ ? 3 * type.size : 6, "points");
    const std::vector<double> values = numbers(type, 3 * count, "points");
    grid_.points.resize(count);
    for (std::uint64_t i = 0; i < count; ++i)
      grid_.points[i] = Vec3(values[3 * i], values[3 * i + 1], values[3 * i + 2]);
  }

  void read_cells() {
    const std::uint64_t first = read_count("cells"), second = read_count("cell numbers");
    grid_.connectivity.clear();
    grid_.ends.clear();
    cursor_.finish_line("the size of CELLS");
    if (cursor_.rest().starts_with("OFFSETS")) {
      cursor_.token("OFFSETS");
      const VtkType& offset_type = read_type();
      end_header();
      grid_.ends = integers(offset_type, first, "offsets");
      // one offset more than cells: drop the leading zero
      if (!grid_.ends.empty()) grid_.ends.erase(grid_.ends.begin());
      if (!same_word(cursor_.token("CONNECTIVITY"), "CONNECTIVITY"))
        cursor_.fail("CONNECTIVITY must follow", "export the mesh again");
      const VtkType& corner_type = read_type();
      end_header();
      grid_.connectivity = integers(corner_type, second, "corners");
      return;
    }
    const std::vector<std::int64_t> list = integers(type_named("int"), second, "cell numbers");
    std::size_t next = 0;
    for (std::uint64_t cell = 0; cell < first; ++cell) {
      const std::int64_t count = next < list.size() ? list[next++] : -1;
      if (count < 0 || static_cast<std::uint64_t>(count) > list.size() - next)
        cursor_.fail(fmt::format("the corners of cell {} (counting from 0) do not fit the size "
                                 "of CELLS",
                                 cell),
                     "the file is damaged; export the mesh again");
      const auto begin = list.begin() + static_cast<std::ptrdiff_t>(next);
      grid_.connectivity.insert(grid_.connectivity.end(), begin, begin + count);
      grid_.ends.push_back(static_cast<std::int64_t>(grid_.connectivity.size()));
      next += static_cast<std::size_t>(count);
    }
  }

  void read_attribute(std::string_view keyword) {
    if (same_word(keyword, "FIELD")) return read_field();
    const std::string name(cursor_.token("a name"));
    if (same_word(keyword, "SCALARS")) {
      const VtkType& type = read_type();
      FileCursor rest(cursor_.line(), cursor_.file());
      const auto components = rest.skip_blanks() ? rest.number<std::uint32_t>("a count") : 1;
      if (!same_word(cursor_.token("LOOKUP_TABLE"), "LOOKUP_TABLE"))
        cursor_.fail("LOOKUP_TABLE must follow SCALARS", "add 'LOOKUP_TABLE default'");
      cursor_.token("the name of a lookup table");
      keep(name, type, components, site_count_);
    } else if (same_word(keyword, "LOOKUP_TABLE")) {
      const std::uint64_t size = read_count("colours");
      numbers(type_named(is_binary_ ? "unsigned_char" : "float"), 4 * size, "colours");
    } else if (same_word(keyword, "COLOR_SCALARS")) {
      const std::uint64_t components = read_count("colour components");
      keep(name, type_named(is_binary_ ? "unsigned_char" : "float"), components, site_count_);
    } else if (same_word(keyword, "TEXTURE_COORDINATES")) {
      const std::uint64_t components = read_count("texture coordinates");
      keep(name, read_type(), components, site_count_);
    } else if (same_word(keyword, "VECTORS") || same_word(keyword, "NORMALS")) {
      keep(name, read_type(), 3, site_count_);
    } else if (same_word(keyword, "TENSORS")) {
      keep(name, read_type(), 9, site_count_);
    } else if (same_word(keyword, "GLOBAL_IDS") || same_word(keyword, "PEDIGREE_IDS")) {
      keep(name, read_type(), 1, site_count_);
    } else {
      cursor_.fail(fmt::format("unknown keyword '{}'", keyword.substr(0, 30)),
                   "a count before it is wrong or the section is not supported; save the grid "
                   "without that section");
    }
  }

  void read_field() {
    cursor_.token("the name of a field");
    const std::uint64_t num_arrays = read_count("field arrays");
    for (std::uint64_t i = 0; i < num_arrays; ++i) {
      if (same_word(cursor_.peek(), "METADATA")) skip_metadata();
      const std::string name(cursor_.token("the name of a field array"));
      const std::uint64_t components = read_count("components");
      const std::uint64_t tuples = read_count("field values");
      keep(name, read_type(), components, tuples);
    }
  }

  /// Reads an array and keeps it if it is a scalar per cell.
  void keep(const std::string& name, const VtkType& type, std::uint64_t components,
            std::uint64_t tuples) {
    std::vector<double> values = numbers(type, components * tuples, "values");
    if (site_ == Site::cell && components == 1)
      grid_.cell_arrays.push_back({name, std::move(values)});
  }

  /// Lines up to the next blank one.
  void skip_metadata() {
    cursor_.line();
    while (cursor_.remaining() > 0 && !cursor_.line().empty()) {
    }
  }

  std::uint64_t read_count(std::string_view items) {
    const auto count = cursor_.number<std::uint64_t>(fmt::format("the number of {}", items));
    // larger ones could overflow in products; smaller ones are compared with the bytes left
    if (count > std::numeric_limits<int>::max())
      cursor_.fail(fmt::format("{} {} are too many", count, items),
                   "the count is wrong or the mesh too large; export the mesh again");
    return count;
  }

  const VtkType& type_named(std::string_view name) {
    const VtkType* type = find_vtk_type(name);
    if (type == nullptr)
      cursor_.fail(fmt::format("data type '{}' is not supported", name.substr(0, 30)),
                   "save numbers as int, float or double, and no text arrays");
    return *type;
  }

  const VtkType& read_type() { return type_named(cursor_.token("a data type")); }

  /// Binary values start on the line after their header.
  void end_header() {
    if (is_binary_) cursor_.finish_line("the section's header");
  }

  std::vector<double> numbers(const VtkType& type, std::uint64_t count, std::string_view items) {
    end_header();
    cursor_.require_room(count, is_binary_ ? type.size : 2, items);
    std::vector<double> values(count);
    if (is_binary_) {
      const std::string_view bytes = cursor_.bytes(count * type.size, items);
      for (std::uint64_t i = 0; i < count; ++i)
        values[i] = type.to_double(bytes.data() + i * type.size, std::endian::big);
    } else {
      for (double& value : values) value = cursor_.number<double>(items);
    }
    return values;
  }

  /// Call end_header() first.
  std::vector<std::int64_t> integers(const VtkType& type, std::uint64_t count,
                                     std::string_view items) {
    if (!type.is_integer) cursor_.fail("these numbers must be integers", "export the mesh again");
    cursor_.require_room(count, is_binary_ ? type.size : 2, items);
    std::vector<std::int64_t> values(count);
    if (is_binary_) {
      const std::string_view bytes = cursor_.bytes(count * type.size, items);
      for (std::uint64_t i = 0; i < count; ++i)
        values[i] = type.to_integer(bytes.data() + i * type.size, std::endian::big);
    } else {
      for (std::int64_t& value : values) value = cursor_.number<std::int64_t>(items);
    }
    return values;
  }

  FileCursor cursor_;
  bool is_binary_ = false;
  Site site_ = Site::none;
  std::uint64_t site_count_ = 0;
  VtkGrid grid_;
};

}  // namespace

TetMesh read_vtk(const std::filesystem::path& path) {
  const std::string content = read_file(path);
  return to_tet_mesh(LegacyReader(content, path.string()).read(), path.string());
}

void write_vtk(const std::filesystem::path& path, const TetMesh& mesh) {
  const VtkGrid grid = to_vtk_grid(mesh);
  std::string text = "# vtk DataFile Version 3.0\nsinew\nASCII\nDATASET UNSTRUCTURED_GRID\n";
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "POINTS {} double\n", grid.points.size());
  for (const Vec3& x : grid.points) fmt::format_to(out, "{} {} {}\n", x[0], x[1], x[2]);
  const std::size_t num_cells = grid.types.size();
  fmt::format_to(out, "CELLS {} {}\n", num_cells, num_cells + grid.connectivity.size());
  auto corner = grid.connectivity.begin();
  for (std::size_t cell = 0; cell < num_cells; ++cell) {
    const auto end = grid.connectivity.begin() + grid.ends[cell];
    fmt::format_to(out, "{} {}\n", end - corner, fmt::join(corner, end, " "));
    corner = end;
  }
  fmt::format_to(out, "CELL_TYPES {}\n{}\n", num_cells, fmt::join(grid.types, "\n"));
  const std::vector<double>& regions = grid.cell_arrays[0].values;
  fmt::format_to(out, "CELL_DATA {}\nSCALARS region int 1\nLOOKUP_TABLE default\n{}\n", num_cells,
                 fmt::join(std::vector<int>(regions.begin(), regions.end()), "\n"));
  write_file(path, text);
}

}  // namespace sinew::mesh::io
