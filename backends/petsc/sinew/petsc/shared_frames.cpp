// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/petsc/shared_frames.hpp>

namespace sinew::petsc {
namespace {

constexpr const char *frames_file = "frames.pvd", *surface_file = "surface.pvd";
constexpr std::uint8_t vtk_triangle = 5;

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

template <class T>
std::vector<T> from_bytes(const std::string& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

std::vector<output::SeriesEntry> earlier_frames(const std::filesystem::path& series) {
  std::vector<output::SeriesEntry> entries;
  if (!std::filesystem::exists(series)) return entries;
  for (const output::FrameFile& frame : output::read_series(series))
    entries.push_back({frame.path.filename().string(), frame.t});
  return entries;
}

const SharedSystem& shared(const sim::FrameView& view) {
  return dynamic_cast<const SharedSystem&>(view.system);
}

}  // namespace

SharedFrames::SharedFrames(const Processes& processes, const la::Reducer& reducer,
                           const output::RunDirectory& directory, bool resume)
    : processes_(processes), reducer_(reducer), directory_(directory), resume_(resume) {
  if (!resume || !processes.is_first()) return;
  frames_ = earlier_frames(directory.file(frames_file));
  surfaces_ = earlier_frames(directory.file(surface_file));
}

void SharedFrames::on_start(const sim::FrameView& view) {
  // frames after the checkpoint are about to be written again
  for (auto* series : {&frames_, &surfaces_})
    std::erase_if(*series, [&](const output::SeriesEntry& entry) {
      return resume_ && !(entry.t <= view.last_frame_time);
    });
  find_surface(shared(view));
}

void SharedFrames::find_surface(const SharedSystem& system) {
  // Faces of one tet of the part with an owned vertex are on the surface: all tets around such a
  // vertex are here. Whoever owns the first vertex of a face has it.
  const dynamics::Geometry& cells = system.part().observables().geometry();
  std::map<std::array<int, 3>, std::pair<std::array<int, 3>, int>> open;
  for (std::size_t cell = 0; cell < cells.types.size(); ++cell) {
    const int* corners = cells.connectivity.data() + (cell == 0 ? 0 : cells.offsets[cell - 1]);
    for (const std::array<int, 3>& face : mesh::tet_faces) {
      const std::array<int, 3> outward{corners[face[0]], corners[face[1]], corners[face[2]]};
      std::array<int, 3> sorted = outward;
      std::sort(sorted.begin(), sorted.end());
      if (const auto [found, is_new] = open.try_emplace(sorted, outward, static_cast<int>(cell));
          !is_new)
        open.erase(found);
    }
  }
  std::map<int, int> place_of;
  geometry_ = std::make_shared<dynamics::Geometry>();
  std::vector<std::int64_t> triangles;  // by numbers in the whole
  std::vector<std::int64_t> numbers;
  const PartNumbers& part = system.numbers();
  for (const auto& [sorted, face] : open) {
    if (part.owners[static_cast<std::size_t>(sorted[0])] != processes_.rank()) continue;
    cells_.push_back(face.second);
    for (const int vertex : face.first) {
      const auto [found, is_new] = place_of.try_emplace(vertex, static_cast<int>(vertices_.size()));
      if (is_new) {
        vertices_.push_back(vertex);
        numbers.push_back(part.vertices[static_cast<std::size_t>(vertex)]);
      }
      geometry_->connectivity.push_back(found->second);
    }
    geometry_->offsets.push_back(static_cast<int>(geometry_->connectivity.size()));
    geometry_->types.push_back(vtk_triangle);
  }
  geometry_->num_points = static_cast<Index>(vertices_.size());
  has_surface_ = reducer_.total(static_cast<double>(cells_.size())) <= most_triangles;
  if (!has_surface_) return;
  const auto all_numbers = processes_.to_first(bytes_of(numbers));
  const auto all_corners = processes_.to_first(bytes_of(geometry_->connectivity));
  if (!processes_.is_first()) return;
  joined_ = std::make_shared<dynamics::Geometry>();
  std::map<std::int64_t, int> joined_place;
  for (std::size_t p = 0; p < all_numbers.size(); ++p) {
    std::vector<int> places;
    for (const std::int64_t number : from_bytes<std::int64_t>(all_numbers[p]))
      places.push_back(
          joined_place.try_emplace(number, static_cast<int>(joined_place.size())).first->second);
    for (const int corner : from_bytes<int>(all_corners[p]))
      joined_->connectivity.push_back(places[static_cast<std::size_t>(corner)]);
    places_.push_back(std::move(places));
  }
  for (std::size_t end = 3; end <= joined_->connectivity.size(); end += 3) {
    joined_->offsets.push_back(static_cast<int>(end));
    joined_->types.push_back(vtk_triangle);
  }
  joined_->num_points = static_cast<Index>(joined_place.size());
}

output::VtuFrame SharedFrames::surface_of(const SharedSystem& system, const sim::FrameView& view,
                                          const output::VtuFrame& piece) const {
  output::VtuFrame surface{.t = piece.t, .geometry = geometry_, .geometry_number = 1, .fields = {}};
  Vec of_cells;
  for (const output::VtuFrame::Field& field : piece.fields) {
    output::VtuFrame::Field own{
        .name = field.name, .components = field.components, .per_point = {}, .per_cell = {}};
    const auto width = static_cast<std::size_t>(field.components);
    if (!field.per_point.empty()) {
      for (const int vertex : vertices_)
        for (std::size_t c = 0; c < width; ++c)
          own.per_point.push_back(field.per_point[static_cast<std::size_t>(vertex) * width + c]);
    } else {
      // the tet behind a face may be one that another process answers for
      of_cells.resize(static_cast<Index>(system.numbers().counts.size() * width));
      system.evaluate_on_part(field.name, view.state, view.workspace, of_cells);
      for (const int cell : cells_)
        for (std::size_t c = 0; c < width; ++c)
          own.per_cell.push_back(static_cast<float>(
              of_cells[static_cast<Index>(static_cast<std::size_t>(cell) * width + c)]));
    }
    surface.fields.push_back(std::move(own));
  }
  return surface;
}

void SharedFrames::join_surfaces(const output::VtuFrame& own, const std::string& file) {
  output::VtuFrame all{.t = own.t, .geometry = joined_, .geometry_number = 1, .fields = {}};
  for (const output::VtuFrame::Field& field : own.fields) {
    const auto width = static_cast<std::size_t>(field.components);
    output::VtuFrame::Field joined{
        .name = field.name, .components = field.components, .per_point = {}, .per_cell = {}};
    const auto points = processes_.to_first(bytes_of(field.per_point));
    const auto cells = processes_.to_first(bytes_of(field.per_cell));
    if (!processes_.is_first()) continue;
    for (std::size_t p = 0; p < points.size(); ++p) {
      const auto values = from_bytes<double>(points[p]);
      if (!values.empty())
        joined.per_point.resize(static_cast<std::size_t>(joined_->num_points) * width);
      for (std::size_t k = 0; k * width < values.size(); ++k)
        std::copy_n(
            values.begin() + static_cast<std::ptrdiff_t>(k * width), width,
            joined.per_point.begin() +
                static_cast<std::ptrdiff_t>(static_cast<std::size_t>(places_[p][k]) * width));
      const auto more = from_bytes<float>(cells[p]);
      joined.per_cell.insert(joined.per_cell.end(), more.begin(), more.end());
    }
    all.fields.push_back(std::move(joined));
  }
  if (!processes_.is_first()) return;
  core::write_atomically(directory_.frames() / file, surface_packer_.pack(all));
  surfaces_.push_back({file, own.t});
  output::write_series(directory_, surfaces_, surface_file);
}

std::string SharedFrames::index_of_pieces(const std::vector<dynamics::FieldInfo>& fields,
                                          const std::string& stem) const {
  std::string points, point_data, cell_data, pieces;
  for (const dynamics::FieldInfo& field : fields) {
    const bool per_point = field.site == dynamics::FieldSite::per_point;
    const std::string array =
        fmt::format("      <PDataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\"/>\n",
                    per_point ? "Float64" : "Float32", field.name, field.components);
    (field.name == "position" ? points : per_point ? point_data : cell_data) += array;
  }
  for (int p = 0; p < processes_.count(); ++p)
    pieces += fmt::format("    <Piece Source=\"{}_p{}.vtu\"/>\n", stem, p);
  return fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PUnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n"
      "  <PUnstructuredGrid GhostLevel=\"0\">\n"
      "    <PPoints>\n{}    </PPoints>\n"
      "    <PPointData>\n{}    </PPointData>\n"
      "    <PCellData>\n{}    </PCellData>\n{}"
      "  </PUnstructuredGrid>\n"
      "</VTKFile>\n",
      points, point_data, cell_data, pieces);
}

void SharedFrames::on_frame(const sim::FrameView& view) {
  const SharedSystem& system = shared(view);
  const output::VtuFrame frame = taker_.take(view.system, view.state, view.workspace);
  const auto number = static_cast<std::size_t>(
      reducer_.largest(processes_.is_first() ? static_cast<double>(frames_.size()) : 0.0));
  const std::string stem = fmt::format("frame_{:06}", number);
  std::filesystem::create_directories(directory_.frames());
  core::write_atomically(directory_.frames() / fmt::format("{}_p{}.vtu", stem, processes_.rank()),
                         packer_.pack(frame));
  if (has_surface_)
    join_surfaces(surface_of(system, view, frame), fmt::format("surface_{:06}.vtu", number));
  // what names the pieces comes after them
  processes_.wait_for_all();
  if (!processes_.is_first()) return;
  core::write_atomically(directory_.frames() / (stem + ".pvtu"),
                         index_of_pieces(dynamics::observables_of(system).fields(), stem));
  frames_.push_back({stem + ".pvtu", frame.t});
  output::write_series(directory_, frames_, frames_file);
}

}  // namespace sinew::petsc
