// SPDX-License-Identifier: Apache-2.0
// The program under test. SINEW_BINARY and SINEW_SOURCE_DIR come from the build.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
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

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace sinew::test
