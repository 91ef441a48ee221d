// SPDX-License-Identifier: Apache-2.0
// The place a run writes to (docs/formats/run-directory.md). It is made only once everything about
// the run is known to be sound, and it never replaces a directory that is something else. An
// earlier run is replaced only where that is asked for: it may have taken days.
#pragma once

#include <filesystem>

namespace sinew::output {

class RunDirectory {
 public:
  /// Throws InputError if `path` exists and is neither empty nor an earlier run that may be
  /// replaced.
  static void require_usable(const std::filesystem::path& path, bool may_replace = false);
  /// Creates the directory, or empties an earlier run of ours.
  static RunDirectory create(const std::filesystem::path& path, bool may_replace = false);
  /// This path if nothing is there, or else the first free one of path-2, path-3, ...
  static std::filesystem::path next_free(const std::filesystem::path& path);
  /// A run, which may still be going on, to look at; throws InputError if it is not one.
  static RunDirectory open(const std::filesystem::path& path);
  /// The same to go on with it: what was cut off when it was killed is removed.
  static RunDirectory open_to_continue(const std::filesystem::path& path);
  /// Without a look at it: another process has just made it.
  static RunDirectory at(const std::filesystem::path& path) { return RunDirectory(path); }

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path file(const char* name) const { return path_ / name; }
  std::filesystem::path frames() const { return path_ / "frames"; }
  std::filesystem::path checkpoint() const { return path_ / "checkpoint"; }

 private:
  explicit RunDirectory(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;
};

}  // namespace sinew::output
