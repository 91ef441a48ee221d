// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include <fmt/format.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/output/exports/exports.hpp>

namespace sinew::output {
namespace {

void append(std::string& bytes, const void* data, std::size_t size) {
  bytes.append(static_cast<const char*>(data), size);
}

std::string time_unit_of(const RunReader& run) {
  const core::UnitSystem* units = run.units();
  return units ? units->unit("s") : "s";
}

}  // namespace

void write_obj_sequence(const RunReader& run, const SurfaceFrames& surface) {
  const std::filesystem::path folder = run.directory().file("obj");
  std::filesystem::create_directories(folder);
  const std::string time_unit = time_unit_of(run);
  std::string faces;
  for (std::size_t f = 0; f < surface.times.size(); ++f) {
    if (const SurfaceChapter& chapter = surface.chapter_of(f); chapter.first == f) {
      faces.clear();
      for (const auto& [a, b, c] : chapter.triangles)
        faces += fmt::format("f {} {} {}\n", a + 1, b + 1, c + 1);
    }
    std::string text = fmt::format("# t = {} {}\n", surface.times[f], time_unit);
    const std::vector<float>& x = surface.positions[f];
    for (std::size_t k = 0; k + 2 < x.size(); k += 3)
      text += fmt::format("v {} {} {}\n", x[k], x[k + 1], x[k + 2]);
    core::write_atomically(folder / fmt::format("frame_{:06}.obj", f), text + faces);
  }
}

void write_ply_sequence(const RunReader& run, const SurfaceFrames& surface) {
  const std::filesystem::path folder = run.directory().file("ply");
  std::filesystem::create_directories(folder);
  const std::string time_unit = time_unit_of(run);
  std::string faces;
  std::string properties = "property float x\nproperty float y\nproperty float z\n";
  for (const SurfaceField& field : surface.fields)
    properties += fmt::format("property float {}\n", field.name);
  for (std::size_t f = 0; f < surface.times.size(); ++f) {
    const SurfaceChapter& chapter = surface.chapter_of(f);
    if (chapter.first == f) {
      faces.clear();
      for (const std::array<int, 3>& triangle : chapter.triangles) {
        faces += '\x03';
        append(faces, triangle.data(), sizeof triangle);
      }
    }
    std::string bytes = fmt::format(
        "ply\nformat binary_little_endian 1.0\ncomment t = {} {}\nelement vertex {}\n{}"
        "element face {}\nproperty list uchar int vertex_indices\nend_header\n",
        surface.times[f], time_unit, chapter.num_vertices, properties, chapter.triangles.size());
    for (std::size_t v = 0; v < chapter.num_vertices; ++v) {
      append(bytes, &surface.positions[f][3 * v], 3 * sizeof(float));
      for (const SurfaceField& field : surface.fields)
        append(bytes, &field.values[f][v], sizeof(float));
    }
    core::write_atomically(folder / fmt::format("frame_{:06}.ply", f), bytes + faces);
  }
}

}  // namespace sinew::output
