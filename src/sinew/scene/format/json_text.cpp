// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/scene/format/json_text.hpp>

namespace sinew::scene {
namespace {

/// Whether every list on the way has the item that is named, or gets it as its next one. Assignment
/// would fill up the list to any number.
bool stays_inside_lists(const Json& json, Json::json_pointer pointer) {
  for (bool is_last = true; !pointer.empty(); pointer.pop_back(), is_last = false) {
    const Json::json_pointer parent = pointer.parent_pointer();
    if (!json.contains(parent) || !json.at(parent).is_array() || json.contains(pointer)) continue;
    const std::string next = std::to_string(json.at(parent).size());
    if (!is_last || (pointer.back() != next && pointer.back() != "-")) return false;
  }
  return true;
}

}  // namespace

std::string type_name(const Json& json) {
  if (json.is_null()) return "null";
  if (json.is_string()) return fmt::format("the text \"{}\"", json.get<std::string>());
  if (json.is_number() || json.is_boolean()) return json.dump();
  return json.is_array() ? "a list" : "an object";
}

Json parse_json(std::string_view text, std::string_view file) {
  std::vector<std::set<std::string>> keys;
  std::string repeated;
  const auto watch = [&](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second)
      repeated = parsed.get<std::string>();
    return true;
  };
  Json json;
  try {
    json = Json::parse(text, watch, true, true);
  } catch (const Json::out_of_range& error) {
    const std::string message = error.what();  // "[...] number overflow parsing '1e999'"
    throw InputError({.file = std::string(file),
                      .what = "not valid JSON: " + message.substr(message.find("] ") + 2),
                      .hint = "no number can be larger than 1.7e308"});
  } catch (const Json::parse_error& error) {
    std::string message = error.what();
    // "[json.exception.parse_error.101] parse error at line 3, column 5: ..." -> the useful part
    const std::size_t at = message.find("line ");
    const std::size_t colon = message.find(": ", at == std::string::npos ? 0 : at);
    const bool has_place = at != std::string::npos && colon != std::string::npos;
    throw InputError(
        {.file = std::string(file),
         .where = has_place ? message.substr(at, colon - at) : "",
         .what = "not valid JSON: " + (has_place ? message.substr(colon + 2) : message),
         .hint = "look just before this place for a missing comma, quote or bracket"});
  }
  if (!repeated.empty())
    throw InputError({.file = std::string(file),
                      .what = fmt::format("the key '{}' occurs twice in one object", repeated),
                      .hint = "remove one of them"});
  if (!json.is_object())
    throw InputError({.file = std::string(file),
                      .what = fmt::format("a scene must be an object, not {}", type_name(json)),
                      .hint = "start with { \"sinew\": 1, \"bodies\": [ ... ] }"});
  return json;
}

void apply_override(Json& json, const Override& change) {
  std::string pointer = change.path;
  if (!pointer.starts_with('/')) {
    pointer = fmt::format("/{}", change.path);
    std::replace(pointer.begin(), pointer.end(), '.', '/');
  }
  Json value = Json::parse(change.value, nullptr, false);
  if (value.is_discarded()) value = change.value;  // a plain word needs no quotes
  const InputError nowhere(
      {.where = pointer,
       .what = fmt::format("--set {}={} leads nowhere", change.path, change.value),
       .hint = "paths look like time.dt or bodies.0.material.young"});
  try {
    static_cast<void>(value.dump());  // throws for bytes that are not UTF-8
    const Json::json_pointer place(pointer);
    if (!stays_inside_lists(json, place)) throw nowhere;
    json[place] = value;
  } catch (const Json::exception&) {
    throw nowhere;
  }
}

}  // namespace sinew::scene
