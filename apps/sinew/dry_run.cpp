// SPDX-License-Identifier: Apache-2.0
#include "dry_run.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <sinew/output/record/manifest_writer.hpp>
#include <sinew/study/forecast.hpp>

#include "program/exit_codes.hpp"
#include "progress.hpp"
#include "scene_arguments.hpp"

namespace sinew::cli {
namespace {

/// Of this process, so far [bytes].
double largest_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

std::string size_text(double bytes) {
  return bytes < 1e9 ? fmt::format("{:.3g} MB", 1e-6 * bytes)
                     : fmt::format("{:.3g} GB", 1e-9 * bytes);
}

void print_time(const study::Forecast& found) {
  const bool is_longer = found.steps > found.measured_steps;
  if (found.measured_steps == 0)
    fmt::print("time        {:.3g} s to set up\n", found.setup_seconds);
  else
    fmt::print(
        "time        {} {}: {:.3g} s to set up, {:.3g} s for the first step, {:.3g} s for each "
        "other\n",
        is_longer ? "about" : "measured:", duration_text(found.seconds()), found.setup_seconds,
        found.first_step_seconds, found.step_seconds);
  if (is_longer)
    fmt::print(
        "            measured on the first {} steps; contact, cuts and strain that come later "
        "make others dearer;\n            pictures and the report come on top\n",
        found.measured_steps);
}

}  // namespace

int dry_run(const scene::SceneSpec& scene, const std::filesystem::path& directory,
            bool has_frames) {
  const study::Forecast found = study::forecast(scene, interrupt_requested);
  for (const Problem& warning : found.warnings) print_warning(warning);
  if (interrupt_requested()) return exit_stopped;
  const core::UnitSystem& units = core::unit_system(scene.units);
  const std::string time_unit = units.unit("s");
  fmt::print("scene       {}: {} {}, {} vertices", scene.name, scene.bodies.size(),
             scene.bodies.size() == 1 ? "body" : "bodies", found.vertices);
  if (found.tets > 0) fmt::print(", {} tets", found.tets);
  if (found.springs > 0) fmt::print(", {} springs", found.springs);
  fmt::print(", {} unknowns\n", found.dofs);
  fmt::print("integrator  {}, dt = {} {}\n", scene.integrator.name, scene.time.dt, time_unit);
  fmt::print("steps       {}{}, to t = {:.6g} {}\n", scene.time.tolerance > 0.0 ? "at least " : "",
             found.steps, scene.time.end, time_unit);
  if (has_frames && found.frames > 0)
    fmt::print("frames      {} of {}, so {} on disk\n", found.frames, size_text(found.frame_bytes),
               size_text(static_cast<double>(found.frames) * found.frame_bytes));
  else
    fmt::print("frames      none\n");
  print_time(found);
  fmt::print("memory      {}: the most that this process has had, with {} steps made\n",
             size_text(largest_memory()), found.measured_steps);
  fmt::print("directory   {}\n", directory.string());
  if (found.measured.reason == sim::StopReason::failed) {
    fmt::print(stderr, "error: {}\n", output::reason_text(found.measured, units));
    return exit_numerical_failure;
  }
  fmt::print("nothing was written\n");
  return exit_done;
}

}  // namespace sinew::cli
