// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <fmt/format.h>

#include <sinew/core/error.hpp>

namespace sinew {
namespace {

std::string join(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    if (!text.empty()) text += '\n';
    text += problem.to_string();
  }
  return text;
}

}  // namespace

std::string Problem::to_string() const {
  std::string text;
  for (const std::string* part : {&file, &where})
    if (!part->empty()) text += *part + ": ";
  text += what;
  if (!hint.empty()) text += fmt::format(" ({})", hint);
  return text;
}

InputError::InputError(std::vector<Problem> problems)
    : std::runtime_error(join(problems)), problems_(std::move(problems)) {}

void core::fail_assertion(const char* condition, const char* file, int line,
                          std::string_view message) {
  throw InternalError(fmt::format("{} [{} failed at {}:{}]", message, condition,
                                  std::filesystem::path(file).filename().string(), line));
}

}  // namespace sinew
