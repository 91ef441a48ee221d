// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include <sinew/mesh/io/csv.hpp>
#include <sinew/mesh/io/file_cursor.hpp>

namespace sinew::mesh::io {
namespace {

struct CsvColumn {
  enum class Kind { required, optional, particle };  ///< a particle is a required whole number

  std::string_view name;
  Kind kind = Kind::required;
  std::vector<double> values = {};
  std::size_t place = std::string_view::npos;  ///< among the file's columns; npos if missing
};

/// The cells of a line without the blanks and quotation marks around them.
std::vector<std::string_view> split_cells(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  for (bool is_last = false; !is_last;) {
    const std::size_t end = line.find(separator);
    is_last = end == line.npos;
    std::string_view cell = line.substr(0, end);
    const std::size_t first = cell.find_first_not_of(" \t\"");
    const std::size_t last = cell.find_last_not_of(" \t\"");
    cells.push_back(first == cell.npos ? "" : cell.substr(first, last - first + 1));
    line.remove_prefix(is_last ? line.size() : end + 1);
  }
  return cells;
}

/// Whether there is a line that is neither blank nor a comment; moves to its beginning.
bool skip_to_row(FileCursor& cursor) {
  for (; cursor.remaining() > 0; cursor.line()) {
    const std::string_view line = cursor.peek_line();
    const std::size_t first = line.find_first_not_of(" \t");
    if (first != line.npos && line[first] != '#') return true;
  }
  return false;
}

/// Finds the columns in the first line.
void read_csv_header(FileCursor& cursor, std::span<const std::string_view> names,
                     std::span<CsvColumn> columns) {
  for (std::size_t i = 0; i < names.size(); ++i)
    for (CsvColumn& column : columns) {
      if (!same_word(names[i], column.name)) continue;
      if (column.place != std::string_view::npos)
        cursor.fail(fmt::format("there are two columns '{}'", column.name), "rename one of them");
      column.place = i;
    }
  for (const CsvColumn& column : columns)
    if (column.kind != CsvColumn::Kind::optional && column.place == std::string_view::npos)
      cursor.fail(fmt::format("there is no column '{}'", column.name),
                  "the first line must name the columns, separated by ',', ';' or tabs");
}

void read_rows(const std::filesystem::path& path, std::span<CsvColumn> columns) {
  const std::string content = read_file(path);
  FileCursor cursor(content, path.string());
  // some programs mark UTF-8
  if (cursor.rest().starts_with("\xEF\xBB\xBF")) cursor.skip(3);
  if (!skip_to_row(cursor)) cursor.fail_end("a line with the names of the columns");
  const std::string_view header = cursor.peek_line();
  const auto has = [&](char c) { return header.find(c) != header.npos; };
  const char separator = has('\t') ? '\t' : has(';') ? ';' : ',';
  const std::vector<std::string_view> names = split_cells(header, separator);
  read_csv_header(cursor, names, columns);
  for (cursor.line(); skip_to_row(cursor); cursor.line()) {
    const std::vector<std::string_view> cells = split_cells(cursor.peek_line(), separator);
    if (cells.size() != names.size())
      cursor.fail(fmt::format("the line has {} cells, but there are {} columns", cells.size(),
                              names.size()),
                  "give every line one cell per column, and fractions a point, not a comma");
    for (CsvColumn& column : columns) {
      if (column.place == std::string_view::npos) continue;
      const auto value =
          cursor.to_number<double>(cells[column.place], fmt::format("'{}'", column.name));
      if (column.kind == CsvColumn::Kind::particle && (!is_int(value) || value < 0.0))
        cursor.fail(fmt::format("'{}' is {}, which is no particle", column.name, value),
                    "number the particles 0, 1, 2, ...");
      column.values.push_back(value);
    }
  }
  if (columns.front().values.empty())
    cursor.fail_end("a line with numbers below the names of the columns");
}

}  // namespace

TetMesh read_csv(const std::filesystem::path& path) {
  std::array<CsvColumn, 4> columns{{{"x"}, {"y"}, {"z"}, {"mass", CsvColumn::Kind::optional}}};
  read_rows(path, columns);
  const auto& [x, y, z, mass] = columns;
  TetMesh mesh;
  for (std::size_t i = 0; i < x.values.size(); ++i)
    mesh.vertices.emplace_back(x.values[i], y.values[i], z.values[i]);
  mesh.masses = mass.values;
  // particles without a word about their mass weigh as much as those of a scene do
  if (mesh.masses.empty()) mesh.masses.assign(mesh.vertices.size(), 1.0);
  return mesh;
}

std::vector<std::vector<double>> read_csv_columns(const std::filesystem::path& path,
                                                  std::span<const std::string_view> names) {
  std::vector<CsvColumn> columns;
  columns.reserve(names.size());
  for (const std::string_view name : names) columns.push_back({name});
  read_rows(path, columns);
  std::vector<std::vector<double>> values;
  values.reserve(columns.size());
  for (CsvColumn& column : columns) values.push_back(std::move(column.values));
  return values;
}

BarTable read_bars_csv(const std::filesystem::path& path) {
  std::array<CsvColumn, 4> columns{{{"a", CsvColumn::Kind::particle},
                                    {"b", CsvColumn::Kind::particle},
                                    {"stiffness", CsvColumn::Kind::optional},
                                    {"rest_length", CsvColumn::Kind::optional}}};
  read_rows(path, columns);
  const auto& [a, b, stiffness, rest_length] = columns;
  BarTable table;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    table.bars.push_back({static_cast<int>(a.values[i]), static_cast<int>(b.values[i])});
  table.stiffnesses = stiffness.values;
  table.rest_lengths = rest_length.values;
  return table;
}

}  // namespace sinew::mesh::io
