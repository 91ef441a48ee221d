// SPDX-License-Identifier: Apache-2.0
// The scenes of the folder scenes/, compiled into the library so that they can be run by name from
// anywhere.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/scene/format/scene_reader.hpp>

namespace sinew::scene {

struct BuiltinScene {
  std::string_view name;   ///< the file's name without .json
  std::string_view group;  ///< the folder it lies in: gallery, verification, benchmark
  std::string_view json;
};

std::span<const BuiltinScene> builtin_scenes();

/// The scene that is run where none is named.
inline constexpr std::string_view default_scene = "hanging-ball";

/// A built-in scene by name, or a JSON file by path. Throws InputError with the nearest name.
SceneSpec find_scene(const std::string& name_or_path, const std::vector<Override>& overrides = {},
                     const Catalog& catalog = builtin_catalog());

}  // namespace sinew::scene
