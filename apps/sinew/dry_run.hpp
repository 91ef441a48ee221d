// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include <sinew/scene/format/scene_spec.hpp>

namespace sinew::cli {

/// Says what a run would be, what it would take and how that is known; returns the exit code.
/// Nothing is written.
int dry_run(const scene::SceneSpec& scene, const std::filesystem::path& directory, bool has_frames);

}  // namespace sinew::cli
