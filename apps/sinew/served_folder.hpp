// SPDX-License-Identifier: Apache-2.0
// What `sinew view` may hand out, apart from the server itself.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace sinew::cli {

/// The files of a folder, and nothing that links lead to outside of it.
class ServedFolder {
 public:
  explicit ServedFolder(const std::filesystem::path& folder)
      : root_(std::filesystem::canonical(folder)) {}

  /// The true place of a regular file, by its name relative to the folder; nothing if there is none
  /// inside.
  std::optional<std::filesystem::path> find(std::string_view name) const;

 private:
  std::filesystem::path root_;
};

/// Whether a Host header names this machine by a loopback name, and the port of the server.
bool is_own_host(std::string_view host, int port);

std::string_view content_type(const std::filesystem::path& file);

}  // namespace sinew::cli
