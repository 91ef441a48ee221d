// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/core/error.hpp>
#include <sinew/scene/catalog.hpp>
#include <sinew/scene/format/scene_spec.hpp>

namespace sinew::scene {

/// One change of a scene from outside, e.g. {"time.dt", "0.005"} or {"/bodies/0/name", "ball"}.
struct Override {
  std::string path;   ///< dotted path or JSON pointer
  std::string value;  ///< JSON, or a plain word
};

/// Strict: every unknown key, wrong type and number out of range is a Problem with its JSON pointer
/// and a suggestion; all of them are reported together in one InputError. Comments are allowed.
SceneSpec parse_scene(std::string_view json_text, std::string_view file_name,
                      const std::vector<Override>& overrides = {},
                      const Catalog& catalog = builtin_catalog());

/// From a file; mesh names in it are relative to its directory.
SceneSpec read_scene(const std::filesystem::path& path, const std::vector<Override>& overrides = {},
                     const Catalog& catalog = builtin_catalog());

}  // namespace sinew::scene
