// SPDX-License-Identifier: Apache-2.0
// An earlier run, read back from its directory: what reports, pictures and other formats are made
// of. Runs that failed or were stopped are runs too.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sinew/core/types.hpp>
#include <sinew/core/unit_system.hpp>
#include <sinew/output/record/frame_series.hpp>

namespace sinew::output {

class RunReader {
 public:
  /// Throws InputError if `path` is not a run directory or its manifest cannot be read.
  explicit RunReader(const std::filesystem::path& path);

  const RunDirectory& directory() const { return directory_; }
  const std::string& manifest() const { return manifest_; }  ///< JSON
  /// Which way is up, a unit vector; z where the manifest does not say.
  Vec3 up() const;
  /// What its numbers mean; null where the manifest does not say, as of other programs.
  const core::UnitSystem* units() const;
  /// A table of the run as text; empty when there is none.
  std::string table(const char* name) const;
  /// Frames in the order of time; those named in frames.pvd whose file is there.
  const std::vector<FrameFile>& frames() const { return frames_; }

 private:
  RunDirectory directory_;
  std::string manifest_;
  std::vector<FrameFile> frames_;
};

}  // namespace sinew::output
