// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstring>
#include <regex>
#include <span>

#include <fmt/format.h>
#include <zlib.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/dynamics/capabilities/observables.hpp>
#include <sinew/output/record/vtu_writer.hpp>

namespace sinew::output {
namespace {

namespace fs = std::filesystem;

/// The <AppendedData> of a VTU file: arrays cut into blocks, each compressed by zlib, preceded by
/// [number of blocks, block size, size of the last partial block, compressed sizes...].
class AppendedData {
 public:
  template <class T>
  std::size_t append(std::span<const T> values) {
    const std::size_t offset = bytes.size();
    const auto* data = reinterpret_cast<const unsigned char*>(values.data());
    const std::size_t size = values.size_bytes();
    constexpr std::size_t block_size = 1 << 16;
    const std::size_t num_blocks = (size + block_size - 1) / block_size;
    std::vector<std::uint64_t> header{num_blocks, block_size, size % block_size};
    std::string compressed;
    for (std::size_t begin = 0; begin < size; begin += block_size) {
      const std::size_t length = std::min(block_size, size - begin);
      uLongf bound = compressBound(static_cast<uLong>(length));
      const std::size_t old = compressed.size();
      compressed.resize(old + bound);
      const int status = compress2(reinterpret_cast<Bytef*>(compressed.data() + old), &bound,
                                   data + begin, static_cast<uLong>(length), Z_BEST_SPEED);
      SINEW_ASSERT(status == Z_OK, "zlib could not compress a block");
      compressed.resize(old + bound);
      header.push_back(bound);
    }
    bytes.append(reinterpret_cast<const char*>(header.data()),
                 header.size() * sizeof(std::uint64_t));
    bytes += compressed;
    return offset;
  }

  std::string bytes;
};

std::string data_array(const char* type, std::string_view name, int components,
                       std::size_t offset) {
  return fmt::format(
      "        <DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
      "offset=\"{}\"/>\n",
      type, name, components, offset);
}

}  // namespace

std::string vtu_bytes(const dynamics::DynamicalSystem& system, const dynamics::State& state,
                      dynamics::Workspace& workspace, std::optional<double> time) {
  const dynamics::Observables& shown = dynamics::observables_of(system);
  const dynamics::Geometry& geometry = shown.geometry();
  const std::size_t num_cells = geometry.types.size();
  AppendedData data;
  std::string points, point_data, cell_data;
  Vec values;
  for (const dynamics::FieldInfo& field : shown.fields()) {
    const bool per_point = field.site == dynamics::FieldSite::per_point;
    values.resize((per_point ? geometry.num_points : static_cast<Index>(num_cells)) *
                  field.components);
    shown.evaluate_field(field.name, state, workspace, values);
    // what moves is kept to the last bit; what is derived from it, for pictures, is not
    if (per_point) {
      const std::size_t offset = data.append(
          std::span<const double>(values.data(), static_cast<std::size_t>(values.size())));
      (field.name == "position" ? points : point_data) +=
          data_array("Float64", field.name, field.components, offset);
    } else {
      const Eigen::VectorXf rounded = values.cast<float>();
      const std::size_t offset = data.append(
          std::span<const float>(rounded.data(), static_cast<std::size_t>(rounded.size())));
      cell_data += data_array("Float32", field.name, field.components, offset);
    }
  }
  const std::string cells =
      data_array("Int32", "connectivity", 1, data.append(std::span(geometry.connectivity))) +
      data_array("Int32", "offsets", 1, data.append(std::span(geometry.offsets))) +
      data_array("UInt8", "types", 1, data.append(std::span(geometry.types)));
  const double times[] = {time.value_or(state.t)};
  const std::size_t time_offset = data.append(std::span<const double>(times));
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
      time_offset, geometry.num_points, num_cells, points, cells, point_data, cell_data,
      data.bytes);
}

VtuWriter::VtuWriter(const RunDirectory& directory, bool resume)
    : directory_(directory), resume_(resume) {
  const fs::path series = directory.file("frames.pvd");
  if (!resume_ || !fs::exists(series)) return;
  // the frames of the run that is being continued
  const std::string text = core::read_file(series);
  const std::regex entry("timestep=\"([^\"]*)\"[^>]*file=\"frames/([^\"]*)\"");
  for (std::sregex_iterator it(text.begin(), text.end(), entry), end; it != end; ++it)
    frames_.push_back({(*it)[2], std::stod((*it)[1])});
}

void VtuWriter::on_frame(const sim::FrameView& view) {
  if (resume_) {
    // frames written after the checkpoint are about to be written again
    std::erase_if(frames_, [&](const SeriesEntry& frame) { return frame.t >= view.state.t; });
    resume_ = false;
  }
  fs::create_directories(directory_.frames());
  frames_.push_back({fmt::format("frame_{:06}.vtu", frames_.size()), view.state.t});
  core::write_atomically(directory_.frames() / frames_.back().file,
                         vtu_bytes(view.system, view.state, view.workspace));
  write_series(directory_, frames_);
}

void write_series(const RunDirectory& directory, const std::vector<SeriesEntry>& frames) {
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
      "  <Collection>\n";
  for (const SeriesEntry& frame : frames)
    text += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"frames/{}\"/>\n", frame.t,
                        frame.file);
  text += "  </Collection>\n</VTKFile>\n";
  core::write_atomically(directory.file("frames.pvd"), text);
}

}  // namespace sinew::output
