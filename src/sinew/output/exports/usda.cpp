// SPDX-License-Identifier: Apache-2.0
// Universal Scene Description as text: time codes are frames, z is up, lengths are metres.
#include <fmt/format.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/output/exports/exports.hpp>

namespace sinew::output {

void write_usda(const RunReader& run, const SurfaceFrames& surface) {
  const std::size_t last = surface.times.size() - 1;
  // frames of a run are evenly spaced, apart from the last one
  const double fps = last > 0 ? static_cast<double>(last) / surface.times[last] : 24.0;
  std::string text = fmt::format(
      "#usda 1.0\n(\n    defaultPrim = \"body\"\n    metersPerUnit = 1\n    upAxis = \"Z\"\n"
      "    startTimeCode = 0\n    endTimeCode = {}\n    timeCodesPerSecond = {}\n)\n\n"
      "def Mesh \"body\"\n{{\n    uniform token subdivisionScheme = \"none\"\n"
      "    int[] faceVertexCounts = [",
      last, fps);
  for (std::size_t k = 0; k < surface.triangles.size(); ++k) text += k == 0 ? "3" : ", 3";
  text += "]\n    int[] faceVertexIndices = [";
  for (std::size_t k = 0; k < surface.triangles.size(); ++k) {
    const auto& [a, b, c] = surface.triangles[k];
    text += fmt::format("{}{}, {}, {}", k == 0 ? "" : ", ", a, b, c);
  }
  text += "]\n    point3f[] points.timeSamples = {\n";
  for (std::size_t f = 0; f < surface.times.size(); ++f) {
    text += fmt::format("        {}: [", f);
    const std::vector<float>& x = surface.positions[f];
    for (std::size_t k = 0; k + 2 < x.size(); k += 3)
      text += fmt::format("{}({}, {}, {})", k == 0 ? "" : ", ", x[k], x[k + 1], x[k + 2]);
    text += "],\n";
  }
  core::write_atomically(run.directory().file("animation.usda"), text + "    }\n}\n");
}

}  // namespace sinew::output
