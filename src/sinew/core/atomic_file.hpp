// SPDX-License-Identifier: Apache-2.0
// Files that appear whole or not at all: written beside their place, then renamed.
#pragma once

#include <filesystem>
#include <fstream>
#include <string_view>

namespace sinew::core {

/// Throws std::filesystem::filesystem_error when the disk says no.
void write_atomically(const std::filesystem::path& path, std::string_view content);

/// A file that grows during a run as PATH.part and gets its name on commit().
class PartFile {
 public:
  explicit PartFile(std::filesystem::path path);

  std::ostream& stream() { return stream_; }
  /// Throws if something could not be written, e.g. to a full disk.
  void require_good() const;
  /// Closes the file and gives it its name; throws if anything could not be written.
  void commit();

 private:
  std::filesystem::path path_;
  std::ofstream stream_;
};

/// The whole content; throws std::filesystem::filesystem_error.
std::string read_file(const std::filesystem::path& path);

}  // namespace sinew::core
