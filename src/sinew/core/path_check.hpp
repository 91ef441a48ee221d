// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include <sinew/core/error.hpp>

namespace sinew::core {

/// What is wrong with the name of a file or folder before any disk is asked: control characters, or
/// more bytes than file systems take. The problem has no place yet.
std::optional<Problem> find_path_problem(const std::filesystem::path& path);

/// Throws InputError for the same.
void require_usable_path(const std::filesystem::path& path);

/// Whether a byte below space, or delete, is among the text: NUL ends names early, others change
/// what a terminal shows.
bool has_control_characters(std::string_view text);

}  // namespace sinew::core
