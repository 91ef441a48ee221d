// SPDX-License-Identifier: Apache-2.0
// From the text of a scene to JSON, before anything is known about scenes.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include <sinew/scene/format/scene_reader.hpp>

namespace sinew::scene {

using Json = nlohmann::ordered_json;

/// What a value is, for messages.
std::string type_name(const Json& json);

/// With comments, refusing keys that occur twice in one object. Throws InputError.
Json parse_json(std::string_view text, std::string_view file);

/// Throws InputError where the path leads nowhere.
void apply_override(Json& json, const Override& change);

}  // namespace sinew::scene
