// SPDX-License-Identifier: Apache-2.0
// Pictures and films of a run, drawn without a browser or a graphics card.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/core/executor.hpp>
#include <sinew/output/record/run_reader.hpp>

namespace sinew::output {

struct PictureOptions {
  std::string colour_by{};    ///< name of a surface field; empty: one colour
  int width = 0, height = 0;  ///< 0: 1280 x 720, or 1600 x 450 for several instants [pixels]
  bool is_dark = false;
  bool has_ground = true;
  std::optional<double> time{};       ///< of a single picture; without it several instants [s]
  std::vector<std::size_t> frames{};  ///< the instants, by number; empty: four over the whole run
  double speed = 1.0;                 ///< of films: simulated seconds per second
  std::function<void(std::size_t done, std::size_t of)> on_frame{};
};

/// Whether this build can draw.
bool can_draw();

/// Names that colour_by may have.
std::vector<std::string> picture_fields();

/// preview.png of the run directory: four instants side by side. Does nothing without frames.
void write_preview(const RunReader& run, const core::Executor& executor);

/// A picture (.png) or a film (.gif, .mp4; needs the program ffmpeg). Throws InputError if the run
/// has no frames, the file is of another kind, or a film cannot be made here.
void write_pictures(const RunReader& run, const std::filesystem::path& file,
                    const PictureOptions& options, const core::Executor& executor);

}  // namespace sinew::output
