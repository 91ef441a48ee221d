// SPDX-License-Identifier: Apache-2.0
// Pictures and films of runs, drawn without a browser or a graphics card.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sinew/core/executor.hpp>
#include <sinew/output/record/run_reader.hpp>
#include <sinew/output/record/surface_frames.hpp>

namespace sinew::output {

struct PictureOptions {
  /// Name of a surface field; auto: by what moves; none: one colour.
  std::string colour_by = "auto";
  std::optional<std::array<double, 2>> range{};  ///< of the colours; else robust_range()
  int width = 0, height = 0;  ///< 0: 1280 x 720, or 1600 x 450 for several instants [pixels]
  bool is_dark = false;
  bool has_ground = true;
  bool is_draft = false;  ///< quick: half the default size, no shadows, fewer samples
  std::string view = "iso";
  std::optional<Vec3> eye{}, target{};  ///< instead of the view; what is looked at [m]
  std::optional<Vec3> up{};             ///< instead of that of the run
  std::optional<double> time{};         ///< of a single picture; without it several instants [s]
  std::vector<std::size_t> frames{};    ///< the instants, by number; empty: the telling ones
  double speed = 1.0;                   ///< of films: simulated seconds per second
  std::optional<double> fps{};  ///< of films: pictures per second; else as many as there are frames
  std::function<void(std::size_t done, std::size_t of)> on_frame{};
};

/// Whether this build can draw.
bool can_draw();

/// Names that colour_by may have.
std::vector<std::string> picture_fields();

/// Names that view may have; none in a build that cannot draw.
std::vector<std::string> picture_views();

/// preview.png of the run directory: telling instants side by side. Does nothing without frames.
void write_preview(const RunReader& run, const SurfaceFrames& surface,
                   const core::Executor& executor);

/// One of several runs of the same scene.
struct PreviewRow {
  std::string name;
  const RunReader* run = nullptr;
  const SurfaceFrames* surface = nullptr;
};

/// A picture with a row per run and a column per instant, under one camera and one range of
/// colours; at most the first eight. Does nothing without frames.
void write_comparison_preview(const std::filesystem::path& file, std::span<const PreviewRow> rows,
                              const core::Executor& executor);

/// A picture (.png) or a film (.gif, .mp4; the latter needs the program ffmpeg). Throws InputError
/// if the run has no frames, the file is of another kind, or a film cannot be made here.
void write_pictures(const RunReader& run, const std::filesystem::path& file,
                    const PictureOptions& options, const core::Executor& executor);

}  // namespace sinew::output
