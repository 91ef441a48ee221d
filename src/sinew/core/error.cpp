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

/// Names from files end up in messages, and messages on terminals.
std::string without_control_characters(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F)
      result += fmt::format("\\x{:02x}", byte);
    else
      result += c;
  }
  return result;
}

}  // namespace

std::string Problem::to_string() const {
  std::string text;
  for (const std::string* part : {&file, &where})
    if (!part->empty()) text += *part + ": ";
  text += what;
  if (!hint.empty()) text += fmt::format(" ({})", hint);
  return without_control_characters(text);
}

InputError::InputError(std::vector<Problem> problems)
    : std::runtime_error(join(problems)), problems_(std::move(problems)) {}

void core::fail_assertion(const char* condition, const char* file, int line,
                          std::string_view message) {
  throw InternalError(fmt::format("{} [{} failed at {}:{}]", message, condition,
                                  std::filesystem::path(file).filename().string(), line));
}

}  // namespace sinew
