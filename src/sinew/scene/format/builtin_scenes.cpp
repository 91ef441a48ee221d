// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <sinew/core/nearest.hpp>
#include <sinew/core/path_check.hpp>
#include <sinew/scene/format/builtin_scenes.hpp>

namespace sinew::scene {

SceneSpec find_scene(const std::string& name_or_path, const std::vector<Override>& overrides,
                     const Catalog& catalog) {
  std::vector<std::string> names;
  for (const BuiltinScene& scene : builtin_scenes()) {
    if (scene.name == name_or_path) return parse_scene(scene.json, scene.name, overrides, catalog);
    names.emplace_back(scene.name);
  }
  const std::filesystem::path path(name_or_path);
  core::require_usable_path(path);
  if (std::filesystem::is_regular_file(path)) return read_scene(path, overrides, catalog);
  const bool looks_like_path = path.has_extension() || path.has_parent_path();
  throw InputError({.file = name_or_path,
                    .what = looks_like_path
                                ? "there is no such scene file"
                                : "there is neither a built-in scene nor a file of this name",
                    .hint = looks_like_path ? "" : core::suggestion(name_or_path, names)});
}

}  // namespace sinew::scene
