// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include <sinew/core/atomic_file.hpp>
#include <sinew/output/exports/exports.hpp>
#include <sinew/output/publish/pictures.hpp>
#include <sinew/output/publish/report.hpp>
#include <sinew/output/publish/writers.hpp>

namespace sinew::output {

std::span<const WriterEntry> writers() {
  static constexpr std::array table{
      WriterEntry{"vtu",
                  "VTK unstructured grid per frame and frames.pvd, for ParaView; always written",
                  nullptr},
      WriterEntry{"gltf", "animation.glb: the moving surface for Blender and browsers", write_gltf},
      WriterEntry{"obj", "the surface of each frame as Wavefront text", write_obj_sequence},
      WriterEntry{"ply", "the surface of each frame with its fields, binary", write_ply_sequence},
      WriterEntry{"usda", "animation.usda: the moving surface as USD text", write_usda},
      WriterEntry{"npz", "frames.npz: times, positions, velocities and tets for NumPy", write_npz},
  };
  return table;
}

void publish(const std::filesystem::path& directory, std::span<const WriterEntry> formats,
             const core::Executor& executor, std::optional<SurfaceFrames> at_hand) {
  const RunReader run(directory);
  const SurfaceFrames surface = at_hand ? std::move(*at_hand) : read_surface_frames(run);
  if (!surface.times.empty()) {
    write_preview(run, surface, executor);
    for (const WriterEntry& writer : formats)
      if (writer.export_run) writer.export_run(run, surface);
  }
  // last: where it is, the others are
  if (has_report_page()) {
    const auto manifest = nlohmann::json::parse(run.manifest());
    const std::string scene = manifest["scene"].value("name", "run");
    const std::string integrator = manifest["integrator"].value("name", "");
    core::write_atomically(run.directory().file("report.html"),
                           report_html(scene, {{integrator, &run, &surface}}));
  }
}

}  // namespace sinew::output
