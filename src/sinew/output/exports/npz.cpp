// SPDX-License-Identifier: Apache-2.0
// NumPy's container: a ZIP file of .npy arrays, stored without compression.
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/compression.hpp>
#include <sinew/core/error.hpp>
#include <sinew/mesh/io/vtu.hpp>
#include <sinew/output/exports/exports.hpp>

namespace sinew::output {
namespace {

template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// An array as a .npy file, version 1.
template <class T>
std::string npy(const char* type, const std::string& shape, const std::vector<T>& values) {
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, shape);
  // magic, version and length take ten bytes; the whole is padded to a multiple of 64
  header.append(63 - (header.size() + 10) % 64, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  append(bytes, static_cast<std::uint16_t>(header.size()));
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  return bytes;
}

/// ZIP files end with a directory of what they hold.
class Zip {
 public:
  void add(const std::string& name, const std::string& content) {
    const auto offset = static_cast<std::uint32_t>(bytes_.size());
    // sizes in ZIP's plain form have 32 bits
    if (bytes_.size() + content.size() > 0xfff00000U)
      throw InputError({.file = name,
                        .what = "the arrays are larger than 4 GiB",
                        .hint = "write fewer frames with output.fps"});
    std::string common;
    append(common, std::uint16_t{20});        // version needed
    append(common, std::uint16_t{0});         // flags
    append(common, std::uint16_t{0});         // stored
    append(common, std::uint32_t{0x210000});  // a fixed date, so that equal runs are equal files
    append(common, core::crc32(content));
    append(common, static_cast<std::uint32_t>(content.size()));
    append(common, static_cast<std::uint32_t>(content.size()));
    append(common, static_cast<std::uint16_t>(name.size()));
    append(common, std::uint16_t{0});
    bytes_ += "PK\x03\x04" + common + name + content;
    directory_ += "PK\x01\x02";
    append(directory_, std::uint16_t{20});
    directory_ += common;
    append(directory_, std::uint16_t{0});
    append(directory_, std::uint16_t{0});
    append(directory_, std::uint16_t{0});
    append(directory_, std::uint32_t{0});
    append(directory_, offset);
    directory_ += name;
    ++count_;
  }

  std::string finish() const {
    std::string end("PK\x05\x06\x00\x00\x00\x00", 8);
    append(end, count_);
    append(end, count_);
    append(end, static_cast<std::uint32_t>(directory_.size()));
    append(end, static_cast<std::uint32_t>(bytes_.size()));
    append(end, std::uint16_t{0});
    return bytes_ + directory_ + end;
  }

 private:
  std::string bytes_, directory_;
  std::uint16_t count_ = 0;
};

/// Frames, one after another, with the same vertices and cells.
struct Chapter {
  std::size_t num_points = 0, frames = 0;
  std::uint64_t code = 0;  ///< of the cells
  std::vector<mesh::Tet> tets;
  std::vector<mesh::QuadraticTet> quadratic_tets;
  std::vector<mesh::Triangle> triangles;
  std::vector<mesh::Edge> lines;
  std::vector<double> positions, velocities;
};

template <std::size_t N>
std::vector<std::int32_t> flat(const std::vector<std::array<int, N>>& cells) {
  std::vector<std::int32_t> result;
  for (const std::array<int, N>& cell : cells)
    result.insert(result.end(), cell.begin(), cell.end());
  return result;
}

void add_chapter(const Chapter& chapter, const std::string& suffix, Zip& zip) {
  const std::string shape = fmt::format("{}, {}, 3", chapter.frames, chapter.num_points);
  zip.add("positions" + suffix, npy("<f8", shape, chapter.positions));
  zip.add("velocities" + suffix, npy("<f8", shape, chapter.velocities));
  zip.add("tets" + suffix,
          npy("<i4", fmt::format("{}, 4", chapter.tets.size()), flat(chapter.tets)));
  if (!chapter.quadratic_tets.empty())
    zip.add("quadratic_tets" + suffix,
            npy("<i4", fmt::format("{}, 10", chapter.quadratic_tets.size()),
                flat(chapter.quadratic_tets)));
  zip.add("triangles" + suffix,
          npy("<i4", fmt::format("{}, 3", chapter.triangles.size()), flat(chapter.triangles)));
  zip.add("lines" + suffix,
          npy("<i4", fmt::format("{}, 2", chapter.lines.size()), flat(chapter.lines)));
}

}  // namespace

void write_npz(const RunReader& run, const SurfaceFrames&) {
  std::vector<double> times;
  std::vector<std::int32_t> topology, row;
  std::vector<Chapter> chapters;
  for (const FrameFile& frame : run.frames()) {
    const mesh::io::VtuFields fields = mesh::io::read_vtu_fields(frame.path, false, {"velocity"});
    if (chapters.empty() || chapters.back().code != fields.cells_code) {
      mesh::io::VtuFields cells = mesh::io::read_vtu_fields(frame.path, true, {});
      chapters.push_back({.num_points = cells.points.size(),
                          .code = cells.cells_code,
                          .tets = std::move(cells.tets),
                          .quadratic_tets = std::move(cells.quadratic_tets),
                          .triangles = std::move(cells.triangles),
                          .lines = std::move(cells.lines)});
    }
    Chapter& now = chapters.back();
    times.push_back(frame.t);
    topology.push_back(static_cast<std::int32_t>(chapters.size()) - 1);
    row.push_back(static_cast<std::int32_t>(now.frames++));
    for (const Vec3& x : fields.points)
      now.positions.insert(now.positions.end(), x.begin(), x.end());
    const std::vector<double>& v = fields.point_data.at("velocity");
    now.velocities.insert(now.velocities.end(), v.begin(), v.end());
  }
  Zip zip;
  const std::string per_frame = fmt::format("{},", times.size());
  zip.add("times.npy", npy("<f8", per_frame, times));
  if (chapters.size() == 1) {
    add_chapter(chapters[0], ".npy", zip);
  } else {
    zip.add("topology.npy", npy("<i4", per_frame, topology));
    zip.add("row.npy", npy("<i4", per_frame, row));
    for (std::size_t k = 0; k < chapters.size(); ++k)
      add_chapter(chapters[k], fmt::format("_{}.npy", k), zip);
  }
  core::write_atomically(run.directory().file("frames.npz"), zip.finish());
}

}  // namespace sinew::output
