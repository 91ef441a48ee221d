// SPDX-License-Identifier: Apache-2.0
// Universal Scene Description as text: time codes are frames, lengths are metres. Coordinates are
// those of the scene; USD knows y and z as directions up.
#include <fmt/format.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/output/exports/exports.hpp>

namespace sinew::output {
namespace {

std::string counts_text(const SurfaceChapter& chapter) {
  std::string text = "[";
  for (std::size_t k = 0; k < chapter.triangles.size(); ++k) text += k == 0 ? "3" : ", 3";
  return text + "]";
}

std::string indices_text(const SurfaceChapter& chapter) {
  std::string text = "[";
  for (std::size_t k = 0; k < chapter.triangles.size(); ++k) {
    const auto& [a, b, c] = chapter.triangles[k];
    text += fmt::format("{}{}, {}, {}", k == 0 ? "" : ", ", a, b, c);
  }
  return text + "]";
}

std::string points_text(const std::vector<float>& x) {
  std::string text = "[";
  for (std::size_t k = 0; k + 2 < x.size(); k += 3)
    text += fmt::format("{}({}, {}, {})", k == 0 ? "" : ", ", x[k], x[k + 1], x[k + 2]);
  return text + "]";
}

/// An attribute of the topology: one value, or one that holds from the first frame of each chapter.
template <class Text>
std::string per_chapter(const SurfaceFrames& surface, const char* name, const Text& text_of) {
  if (surface.chapters.size() == 1)
    return fmt::format("    int[] {} = {}\n", name, text_of(surface.chapters[0]));
  std::string text = fmt::format("    int[] {}.timeSamples = {{\n", name);
  for (const SurfaceChapter& chapter : surface.chapters)
    text += fmt::format("        {}: {},\n", chapter.first, text_of(chapter));
  return text + "    }\n";
}

}  // namespace

void write_usda(const RunReader& run, const SurfaceFrames& surface) {
  const std::size_t last = surface.times.size() - 1;
  // frames of a run are evenly spaced, apart from the last one
  const double fps = last > 0 ? static_cast<double>(last) / surface.times[last] : 24.0;
  const char* up = run.up().isApprox(Vec3::UnitY()) ? "Y" : "Z";
  std::string text = fmt::format(
      "#usda 1.0\n(\n    defaultPrim = \"body\"\n    metersPerUnit = 1\n    upAxis = \"{}\"\n"
      "    startTimeCode = 0\n    endTimeCode = {}\n    timeCodesPerSecond = {}\n)\n\n"
      "def Mesh \"body\"\n{{\n    uniform token subdivisionScheme = \"none\"\n",
      up, last, fps);
  text += per_chapter(surface, "faceVertexCounts", counts_text);
  text += per_chapter(surface, "faceVertexIndices", indices_text);
  text += "    point3f[] points.timeSamples = {\n";
  for (std::size_t f = 0; f < surface.times.size(); ++f) {
    // Between samples of equal length USD interpolates, which is wrong from one topology to the
    // next: the old points stay until shortly before.
    if (f > 0 && surface.chapter_of(f).first == f &&
        surface.positions[f].size() == surface.positions[f - 1].size())
      text += fmt::format("        {}.999: {},\n", f - 1, points_text(surface.positions[f - 1]));
    text += fmt::format("        {}: {},\n", f, points_text(surface.positions[f]));
  }
  core::write_atomically(run.directory().file("animation.usda"), text + "    }\n}\n");
}

}  // namespace sinew::output
