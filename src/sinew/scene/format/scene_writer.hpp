// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <sinew/scene/catalog.hpp>
#include <sinew/scene/format/scene_spec.hpp>

namespace sinew::scene {

/// The scene as JSON with every default written out. Parsing it gives the same scene.
std::string to_json(const SceneSpec& scene, const Catalog& catalog = builtin_catalog());

/// JSON Schema (draft 2020-12) of the scene format, for editors and other tools.
std::string schema_json(const Catalog& catalog = builtin_catalog());

}  // namespace sinew::scene
