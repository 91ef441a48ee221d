// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/core/version.hpp>
#include <sinew/mesh/io/middle_order.hpp>
#include <sinew/mesh/io/vtk_grid.hpp>
#include <sinew/mesh/io/vtu.hpp>
#include <sinew/output/record/frame_series.hpp>
#include <sinew/output/record/imported_run.hpp>
#include <sinew/output/record/vtu_frame.hpp>

namespace sinew::output {
namespace {

using mesh::io::VtuFields;

const std::set<std::string> displacement_names{
    "displacement",  "displacements", "disp", "u",    "solution", "Displacement",
    "Displacements", "DISPLACEMENT",  "Disp", "DISP", "U",        "Solution"};

const std::vector<double>* displacements_of(const VtuFields& frame) {
  for (const auto& [name, values] : frame.point_data)
    if (values.size() == 3 * frame.points.size()) return &values;
  return nullptr;
}

std::shared_ptr<const dynamics::Geometry> geometry_of(const VtuFields& frame) {
  dynamics::Geometry geometry;
  geometry.num_points = static_cast<Index>(frame.points.size());
  const auto add = [&](const auto& cells, int type) {
    for (const auto& cell : cells) {
      geometry.connectivity.insert(geometry.connectivity.end(), cell.begin(), cell.end());
      geometry.offsets.push_back(static_cast<int>(geometry.connectivity.size()));
      geometry.types.push_back(static_cast<std::uint8_t>(type));
    }
  };
  std::vector<mesh::QuadraticTet> curved;
  for (const mesh::QuadraticTet& tet : frame.quadratic_tets)
    curved.push_back(mesh::io::to_file_order(tet, mesh::io::vtk_middles));
  add(frame.tets, mesh::io::vtk_tet_type);
  add(curved, mesh::io::vtk_quadratic_tet_type);
  add(frame.triangles, mesh::io::vtk_triangle_type);
  add(frame.lines, mesh::io::vtk_line_type);
  return std::make_shared<const dynamics::Geometry>(std::move(geometry));
}

/// Frame after frame, with positions and displacements as runs have them.
class SeriesImport {
 public:
  VtuFrame convert(const FrameFile& file) {
    VtuFields frame = mesh::io::read_vtu_fields(file.path, !geometry_, displacement_names);
    if (geometry_ && frame.cells_code != cells_code_)
      frame = mesh::io::read_vtu_fields(file.path, true, displacement_names);
    if (!geometry_ || frame.cells_code != cells_code_) {
      geometry_ = geometry_of(frame);
      cells_code_ = frame.cells_code;
      ++number_;
      first_ = frame.points;
      const std::vector<double>* said = displacements_of(frame);
      first_said_ = said ? *said : std::vector<double>();
      if (geometry_->types.empty())
        throw InputError({.file = file.path.string(),
                          .what = "there are no tetrahedra, triangles or lines in it",
                          .hint = "save the series with such cells"});
    }
    const std::vector<double>* u = said_displacements(frame);
    VtuFrame::Field position{"position", 3, {}, {}}, displacement{"displacement", 3, {}, {}};
    for (std::size_t k = 0; k < frame.points.size(); ++k)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto i = static_cast<Index>(axis);
        const double moved = u ? (*u)[3 * k + axis] : frame.points[k][i] - first_[k][i];
        position.per_point.push_back(u ? frame.points[k][i] + moved : frame.points[k][i]);
        displacement.per_point.push_back(moved);
        farthest_ = std::max(farthest_, std::abs(moved));
      }
    return {.t = file.t,
            .geometry = geometry_,
            .geometry_number = number_,
            .fields = {std::move(position), std::move(displacement)}};
  }

  /// By more than rounding.
  bool has_moved() const { return farthest_ > 1e-12 * size_of(first_); }

 private:
  /// Programs either move the points, and may say by how much as well, or leave them where they
  /// were but for rounding, and only say it. Which of the two explains the points better decides;
  /// nothing where they move.
  const std::vector<double>* said_displacements(const VtuFields& frame) const {
    const std::vector<double>* said = displacements_of(frame);
    if (!said) return nullptr;
    double if_still = 0.0, if_moving = 0.0;
    for (std::size_t k = 0; k < frame.points.size(); ++k) {
      const Vec3 way = frame.points[k] - first_[k];
      Vec3 way_said = Vec3::Map(said->data() + 3 * k);
      if (!first_said_.empty()) way_said -= Vec3::Map(first_said_.data() + 3 * k);
      if_still += way.squaredNorm();
      if_moving += (way - way_said).squaredNorm();
    }
    return if_still <= if_moving ? said : nullptr;
  }

  static double size_of(const std::vector<Vec3>& points) {
    Eigen::AlignedBox3d box;
    for (const Vec3& x : points) box.extend(x);
    return box.isEmpty() ? 0.0 : box.diagonal().norm();
  }

  std::shared_ptr<const dynamics::Geometry> geometry_;
  std::uint64_t cells_code_ = 0, number_ = 0;
  std::vector<Vec3> first_;
  std::vector<double> first_said_;  // displacements in the same file
  double farthest_ = 0.0;           // that a point went along an axis
};

/// Throws InputError unless there are frames, one after the other.
void require_whole(const std::filesystem::path& pvd, const std::vector<FrameFile>& files) {
  if (files.empty())
    throw InputError({.file = pvd.string(),
                      .what = "this series names no files",
                      .hint = "give a .pvd file, as ParaView and most programs write it"});
  for (std::size_t k = 1; k < files.size(); ++k)
    if (!(files[k].t > files[k - 1].t))
      throw InputError(
          {.file = pvd.string(),
           .what = fmt::format("the times {} and {} follow each other", files[k - 1].t, files[k].t),
           .hint = "write one file for every time, in their order; parts of a "
                   "parallel run have to be joined first"});
}

void write_manifest(const RunDirectory& directory, const std::filesystem::path& pvd,
                    const Vec3& up) {
  const nlohmann::ordered_json manifest{
      {"format", 1},
      {"version", core::version},
      {"status", "finished"},
      {"reason", fmt::format("read from {}, which another program wrote",
                             std::filesystem::absolute(pvd).lexically_normal().string())},
      {"scene", {{"name", pvd.stem().string()}}},
      {"integrator", {{"name", "another program"}}},
      {"up", {up[0], up[1], up[2]}}};
  core::write_atomically(directory.file("manifest.json"), manifest.dump(2) + "\n");
}

}  // namespace

void import_series(const std::filesystem::path& pvd, const std::filesystem::path& directory,
                   bool may_replace, const Vec3& up) {
  const std::vector<FrameFile> files = read_series(pvd);
  require_whole(pvd, files);
  RunDirectory::require_usable(directory, may_replace);
  SeriesImport series;
  VtuPacker packer;
  std::string frame = packer.pack(series.convert(files.front()));
  const RunDirectory run = RunDirectory::create(directory, may_replace);
  try {
    std::filesystem::create_directories(run.frames());
    std::vector<SeriesEntry> entries;
    for (std::size_t k = 0; k < files.size(); ++k) {
      if (k > 0) frame = packer.pack(series.convert(files[k]));
      entries.push_back({fmt::format("frame_{:06}.vtu", k), files[k].t});
      core::write_atomically(run.frames() / entries.back().file, frame);
    }
    if (!series.has_moved())
      throw InputError({.file = pvd.string(),
                        .what = "nothing moves in this series",
                        .hint = "save displacements at the points as 'displacement', or points "
                                "that move"});
    write_series(run, entries);
    write_manifest(run, pvd, up);
  } catch (...) {
    std::filesystem::remove_all(directory);  // half a run would stand in the way of the next try
    throw;
  }
}

}  // namespace sinew::output
