// SPDX-License-Identifier: Apache-2.0
// A .pvd file, which names the frames of a run in the order of time.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sinew/output/record/run_directory.hpp>

namespace sinew::output {

struct FrameFile {
  double t = 0.0;  ///< [s]
  std::filesystem::path path;
};

/// What a .pvd file names, of this program or another, in its order. Throws InputError for times
/// that are no numbers.
std::vector<FrameFile> read_series(const std::filesystem::path& pvd);

struct SeriesEntry {
  std::string file;  ///< in the folder frames/
  double t = 0.0;
};

/// frames.pvd of a run, or another one.
void write_series(const RunDirectory& directory, const std::vector<SeriesEntry>& frames,
                  const char* name = "frames.pvd");

}  // namespace sinew::output
