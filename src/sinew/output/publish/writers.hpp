// SPDX-License-Identifier: Apache-2.0
// The table of frame formats. VTU frames are written as a run goes on and are the run's own record;
// the other formats are made from them when it has ended.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/core/executor.hpp>
#include <sinew/output/record/surface_frames.hpp>

namespace sinew::output {

struct WriterEntry {
  std::string_view name;
  std::string_view summary;
  void (*export_run)(const RunReader&, const SurfaceFrames&);  ///< nullptr: written during the run
};

std::span<const WriterEntry> writers();

/// What is made from a run when it has ended, however it ended: report.html and the formats asked
/// for, all into its directory. `surface`: of its frames, where it is at hand.
void publish(const std::filesystem::path& directory, std::span<const WriterEntry> formats,
             const core::Executor& executor, std::optional<SurfaceFrames> surface = {});

}  // namespace sinew::output
