// SPDX-License-Identifier: Apache-2.0
// What commands that run scenes have in common.
#pragma once

#include <string>
#include <vector>

#include <sinew/scene/format/scene_reader.hpp>

namespace sinew::cli {

/// --set path=value, as changes of a scene.
std::vector<scene::Override> setting_overrides(const std::vector<std::string>& settings);

/// A scene's name as part of a path: no folder of its own, not outside of runs/.
std::string file_name(std::string name);

/// From now on the first Ctrl-C (or SIGTERM) asks for an orderly end, the second one ends at once.
void watch_for_interrupts();
bool interrupt_requested();

}  // namespace sinew::cli
