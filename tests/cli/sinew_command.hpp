// SPDX-License-Identifier: Apache-2.0
// The program under test. SINEW_BINARY and SINEW_SOURCE_DIR come from the build.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "support/subprocess.hpp"

namespace sinew::test {

inline CommandResult sinew(std::vector<std::string> arguments,
                           const std::filesystem::path& directory = {},
                           std::optional<Interruption> interruption = {}) {
  return run_command({.program = SINEW_BINARY,
                      .arguments = std::move(arguments),
                      .directory = directory,
                      .interruption = std::move(interruption)});
}

inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Names that `list KIND` prints, one per line.
inline std::vector<std::string> listed(const std::string& kind) {
  std::vector<std::string> names;
  for (const std::string& line : lines_of(sinew({"list", kind}).out))
    names.push_back(line.substr(0, line.find(' ')));
  return names;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace sinew::test
