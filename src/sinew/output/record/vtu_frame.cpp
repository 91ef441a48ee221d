// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>

#include <fmt/format.h>

#include <sinew/core/compression.hpp>
#include <sinew/mesh/io/middle_order.hpp>
#include <sinew/mesh/io/vtk_grid.hpp>
#include <sinew/output/record/vtu_frame.hpp>

namespace sinew::output {
namespace {

/// An array of the <AppendedData> of a VTU file: cut into blocks, each compressed, preceded by
/// [number of blocks, block size, size of the last partial block, compressed sizes...].
std::string packed_array(std::span<const std::byte> data) {
  constexpr int quick = 1;
  constexpr std::size_t block_size = 1 << 16;
  const std::size_t num_blocks = (data.size() + block_size - 1) / block_size;
  std::vector<std::uint64_t> header{num_blocks, block_size, data.size() % block_size};
  std::string blocks;
  for (std::size_t begin = 0; begin < data.size(); begin += block_size) {
    const std::size_t before = blocks.size();
    core::append_compressed(data.subspan(begin, std::min(block_size, data.size() - begin)), quick,
                            blocks);
    header.push_back(blocks.size() - before);
  }
  return std::string(reinterpret_cast<const char*>(header.data()),
                     header.size() * sizeof(std::uint64_t)) +
         blocks;
}

std::string data_array(const char* type, std::string_view name, int components,
                       std::size_t offset) {
  return fmt::format(
      "        <DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
      "offset=\"{}\"/>\n",
      type, name, components, offset);
}

}  // namespace

std::size_t VtuFrame::bytes() const {
  std::size_t sum = 0;
  for (const Field& field : fields)
    sum += field.per_point.size() * sizeof(double) + field.per_cell.size() * sizeof(float);
  return sum;
}

VtuFrame VtuFrameTaker::take(const dynamics::DynamicalSystem& system, const dynamics::State& state,
                             dynamics::Workspace& workspace, std::optional<double> time) {
  const dynamics::Observables& shown = dynamics::observables_of(system);
  const dynamics::Geometry& geometry = shown.geometry();
  if (!geometry_ || !(*geometry_ == geometry)) {
    geometry_ = std::make_shared<const dynamics::Geometry>(geometry);
    ++number_;
  }
  VtuFrame frame{
      .t = time.value_or(state.t), .geometry = geometry_, .geometry_number = number_, .fields = {}};
  Vec values;
  for (const dynamics::FieldInfo& info : shown.fields()) {
    const bool per_point = info.site == dynamics::FieldSite::per_point;
    values.resize((per_point ? geometry.num_points : static_cast<Index>(geometry.types.size())) *
                  info.components);
    shown.evaluate_field(info.name, state, workspace, values);
    VtuFrame::Field field{.name = std::string(info.name),
                          .components = info.components,
                          .per_point = {},
                          .per_cell = {}};
    if (per_point)
      field.per_point.assign(values.begin(), values.end());
    else
      field.per_cell.assign(values.begin(), values.end());
    frame.fields.push_back(std::move(field));
  }
  return frame;
}

std::string VtuPacker::pack(const VtuFrame& frame) {
  std::string data, points, point_data, cell_data;
  const auto append = [&]<class T>(const std::string& name, std::span<const T> values) {
    const std::size_t offset = data.size();
    const std::string_view raw(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    Packed& last = last_[name];
    if (last.packed.empty() || last.raw != raw)
      last = {std::string(raw), packed_array(std::as_bytes(values))};
    data += last.packed;
    return offset;
  };
  for (const VtuFrame::Field& field : frame.fields)
    if (!field.per_point.empty())
      (field.name == "position" ? points : point_data) +=
          data_array("Float64", field.name, field.components,
                     append("point " + field.name, std::span(field.per_point)));
    else
      cell_data += data_array("Float32", field.name, field.components,
                              append("cell " + field.name, std::span(field.per_cell)));
  const dynamics::Geometry& geometry = *frame.geometry;
  const std::string cells =
      data_array("Int32", "connectivity", 1,
                 append("connectivity", std::span(geometry.connectivity))) +
      data_array("Int32", "offsets", 1, append("offsets", std::span(geometry.offsets))) +
      data_array("UInt8", "types", 1, append("types", std::span(geometry.types)));
  const double times[] = {frame.t};
  const std::size_t time_offset = append("time", std::span<const double>(times));
  return fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n"
      "  <UnstructuredGrid>\n"
      "    <FieldData>\n"
      "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
      "format=\"appended\" offset=\"{}\"/>\n"
      "    </FieldData>\n"
      "    <Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n"
      "      <Points>\n{}      </Points>\n"
      "      <Cells>\n{}      </Cells>\n"
      "      <PointData>\n{}      </PointData>\n"
      "      <CellData>\n{}      </CellData>\n"
      "    </Piece>\n"
      "  </UnstructuredGrid>\n"
      "  <AppendedData encoding=\"raw\">\n_{}\n  </AppendedData>\n"
      "</VTKFile>\n",
      time_offset, geometry.num_points, geometry.types.size(), points, cells, point_data, cell_data,
      data);
}

mesh::io::VtuFields read_back(const VtuFrame& frame, bool with_cells) {
  mesh::io::VtuFields result;
  result.cells_code = frame.geometry_number;
  for (const VtuFrame::Field& field : frame.fields)
    if (field.name == "position") {
      result.points.reserve(field.per_point.size() / 3);
      for (std::size_t k = 0; k + 2 < field.per_point.size(); k += 3)
        result.points.emplace_back(field.per_point[k], field.per_point[k + 1],
                                   field.per_point[k + 2]);
    } else if (!field.per_point.empty()) {
      result.point_data[field.name] = field.per_point;
    } else {
      result.cell_data[field.name].assign(field.per_cell.begin(), field.per_cell.end());
    }
  if (!with_cells) return result;
  const dynamics::Geometry& geometry = *frame.geometry;
  for (std::size_t c = 0; c < geometry.types.size(); ++c) {
    const int* corners = geometry.connectivity.data() + (c == 0 ? 0 : geometry.offsets[c - 1]);
    if (geometry.types[c] == mesh::io::vtk_tet_type) {
      result.tets.push_back({corners[0], corners[1], corners[2], corners[3]});
      result.tet_cells.push_back(static_cast<int>(c));
    } else if (geometry.types[c] == mesh::io::vtk_quadratic_tet_type) {
      mesh::QuadraticTet nodes;
      std::copy_n(corners, nodes.size(), nodes.begin());
      result.quadratic_tets.push_back(mesh::io::from_file_order(nodes, mesh::io::vtk_middles));
      result.quadratic_tet_cells.push_back(static_cast<int>(c));
    } else if (geometry.types[c] == mesh::io::vtk_triangle_type) {
      result.triangles.push_back({corners[0], corners[1], corners[2]});
      result.triangle_cells.push_back(static_cast<int>(c));
    } else if (geometry.types[c] == mesh::io::vtk_line_type) {
      result.lines.push_back({corners[0], corners[1]});
      result.line_cells.push_back(static_cast<int>(c));
    }
  }
  return result;
}

}  // namespace sinew::output
