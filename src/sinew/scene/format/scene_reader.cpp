// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/axis.hpp>
#include <sinew/core/expression.hpp>
#include <sinew/core/nearest.hpp>
#include <sinew/core/path_check.hpp>
#include <sinew/scene/format/describe.hpp>
#include <sinew/scene/format/json_text.hpp>
#include <sinew/scene/format/scene_reader.hpp>

namespace sinew::scene {
namespace {

/// JSON pointers escape ~ and /.
std::string escaped(std::string_view key) {
  std::string result;
  for (const char c : key) {
    if (c == '~')
      result += "~0";
    else if (c == '/')
      result += "~1";
    else
      result += c;
  }
  return result;
}

/// Reads one JSON object into the fields that describe() names.
class Reader final : public Visitor {
 public:
  Reader(const Json& json, std::string pointer, std::string_view file, const Catalog& catalog,
         std::vector<Problem>& problems)
      : json_(json),
        pointer_(std::move(pointer)),
        file_(file),
        catalog_(catalog),
        problems_(problems) {}

  /// Complains about every key that no call asked for.
  void reject_unknown_keys() {
    for (const auto& [key, value] : json_.items()) {
      if (known_.contains(key)) continue;
      const std::vector<std::string> names(known_.begin(), known_.end());
      report(escaped(key), "unknown key", core::suggestion(key, names));
    }
  }

  void number(std::string_view key, double& value, std::string_view doc, Range range) override {
    const Json* json = find(key);
    if (!json) return;
    if (!json->is_number()) return wrong_type(key, "a number", *json, doc);
    const double given = json->get<double>();
    if (!range.contains(given)) {
      report(key, fmt::format("{} is out of range", json->dump()), range_hint(range, doc));
      return;
    }
    value = given;
  }

  void number(std::string_view key, std::optional<double>& value, std::string_view doc,
              Range range) override {
    read_optional(key, value, 0.0, [&](double& given) { number(key, given, doc, range); });
  }

  void integer(std::string_view key, int& value, std::string_view doc, int minimum) override {
    const Json* json = find(key);
    if (!json) return;
    if (!json->is_number_integer()) return wrong_type(key, "a whole number", *json, doc);
    const auto given = json->get<std::int64_t>();
    if (given < minimum || given > std::numeric_limits<int>::max()) {
      report(key, fmt::format("{} is out of range", given),
             fmt::format("{}; at least {}", doc, minimum));
      return;
    }
    value = static_cast<int>(given);
  }

  void integer(std::string_view key, std::optional<int>& value, std::string_view doc,
               int minimum) override {
    read_optional(key, value, 0, [&](int& given) { integer(key, given, doc, minimum); });
  }

  void boolean(std::string_view key, bool& value, std::string_view doc) override {
    const Json* json = find(key);
    if (!json) return;
    if (!json->is_boolean()) return wrong_type(key, "true or false", *json, doc);
    value = json->get<bool>();
  }

  void text(std::string_view key, std::string& value, std::string_view doc,
            const std::vector<std::string>& choices) override {
    const Json* json = find(key);
    if (!json) return;
    if (!json->is_string()) return wrong_type(key, "a text", *json, doc);
    const auto given = json->get<std::string>();
    if (!choices.empty() && std::find(choices.begin(), choices.end(), given) == choices.end()) {
      report(key, fmt::format("'{}' is not known here", given), core::suggestion(given, choices));
      return;
    }
    value = given;
  }

  void text(std::string_view key, std::optional<std::string>& value, std::string_view doc,
            const std::vector<std::string>& choices) override {
    read_optional(key, value, std::string(),
                  [&](std::string& given) { text(key, given, doc, choices); });
  }

  void label(std::string_view key, std::optional<std::string>& value,
             std::string_view doc) override {
    const Json* json = find(key);
    if (!json) return;
    if (json->is_string())
      value = json->get<std::string>();
    else if (json->is_number_integer())
      value = json->dump();
    else
      wrong_type(key, "a name or a whole number", *json, doc);
  }

  void texts(std::string_view key, std::vector<std::string>& value, std::string_view doc,
             const std::vector<std::string>& choices) override {
    const Json* json = find(key);
    if (!json) return;
    if (!json->is_array()) return wrong_type(key, "a list of names", *json, doc);
    value.clear();
    for (std::size_t k = 0; k < json->size(); ++k) {
      const Json& item = (*json)[k];
      const std::string place = fmt::format("{}/{}", key, k);
      if (!item.is_string()) {
        report(place, fmt::format("expected a name, got {}", type_name(item)), std::string(doc));
      } else if (const auto given = item.get<std::string>();
                 !choices.empty() &&
                 std::find(choices.begin(), choices.end(), given) == choices.end()) {
        report(place, fmt::format("'{}' is not known here", given),
               core::suggestion(given, choices));
      } else {
        value.push_back(given);
      }
    }
  }

  void vector(std::string_view key, Vec3& value, std::string_view doc) override {
    if (const Json* json = find(key)) read_vector(key, *json, value, doc);
  }

  void direction(std::string_view key, std::optional<Vec3>& value, std::string_view doc) override {
    const Json* json = find(key);
    if (!json) return;
    if (json->is_string()) {
      const auto name = json->get<std::string>();
      value = core::axis_direction(name);
      if (!value)
        report(key, fmt::format("'{}' is not an axis", name),
               core::suggestion(name, core::axis_names()));
    } else if (json->is_array()) {
      Vec3 given = Vec3::Zero();
      if (!read_vector(key, *json, given, doc)) return;
      if (given.isZero(0.0)) return report(key, "this has no direction", std::string(doc));
      value = given;
    } else {
      wrong_type(key, "an axis such as \"y\", or [x, y, z]", *json, doc);
    }
  }

  void box(std::string_view key, std::optional<std::array<Vec3, 2>>& value,
           std::string_view doc) override {
    const Json* json = find(key);
    if (!json) return;
    if (!json->is_array() || json->size() != 2)
      return wrong_type(key, "two corners [[x, y, z], [x, y, z]]", *json, doc);
    std::array<Vec3, 2> corners;
    const bool ok = read_vector(fmt::format("{}/0", key), (*json)[0], corners[0], doc) &&
                    read_vector(fmt::format("{}/1", key), (*json)[1], corners[1], doc);
    if (ok) value = corners;
  }

  void integers(std::string_view key, std::optional<std::vector<int>>& value,
                std::string_view doc) override {
    const Json* json = find(key);
    if (!json) return;
    if (!json->is_array() || !std::all_of(json->begin(), json->end(), is_index))
      return wrong_type(key, "a list of whole numbers from 0", *json, doc);
    value = json->get<std::vector<int>>();
  }

  void formula(std::string_view key, Formula& value, std::string_view doc, Range range) override {
    const Json* json = find(key);
    if (!json) return;
    if (json->is_number() && !range.contains(json->get<double>())) {
      report(key, fmt::format("{} is out of range", json->dump()), range_hint(range, doc));
      return;
    }
    read_formula(key, *json, value.text, doc);
  }

  void formula(std::string_view key, std::optional<Formula>& value, std::string_view doc,
               Range range) override {
    read_optional(key, value, Formula(0.0),
                  [&](Formula& given) { formula(key, given, doc, range); });
  }

  void formulas(std::string_view key, Formulas& value, std::string_view doc) override {
    const Json* json = find(key);
    if (!json) return;
    if (!json->is_array() || json->size() != 3)
      return wrong_type(key, "three numbers or formulas", *json, doc);
    for (std::size_t k = 0; k < 3; ++k)
      read_formula(fmt::format("{}/{}", key, k), (*json)[k], value[k], doc);
  }

  void numbers(std::string_view key, std::vector<double>& value, bool integral,
               std::string_view doc) override {
    const Json* json = find(key);
    if (!json) return;
    const auto fits = [&](const Json& item) {
      return integral ? item.is_number_integer() : item.is_number();
    };
    if (value.size() == 1 && fits(*json)) {
      value[0] = json->get<double>();
    } else if (value.size() > 1 && json->is_array() && json->size() == value.size() &&
               std::all_of(json->begin(), json->end(), fits)) {
      value = json->get<std::vector<double>>();
    } else {
      const char* kind = integral ? "whole number" : "number";
      wrong_type(
          key,
          value.size() == 1 ? fmt::format("a {}", kind) : fmt::format("{} {}s", value.size(), kind),
          *json, doc);
    }
  }

  void number_list(std::string_view key, std::vector<double>& value, std::string_view doc,
                   Range range) override {
    read_items(key, value, "a list of numbers", doc,
               [&](const std::string& place, const Json& item, double& target) {
                 if (!item.is_number()) return wrong_type(place, "a number", item, doc);
                 target = item.get<double>();
                 if (!range.contains(target))
                   report(place, fmt::format("{} is out of range", item.dump()),
                          range_hint(range, doc));
               });
  }

  void vector_list(std::string_view key, std::vector<Vec3>& value, std::string_view doc) override {
    read_items(key, value, "a list of points", doc,
               [&](const std::string& place, const Json& item, Vec3& target) {
                 read_vector(place, item, target, doc);
               });
  }

  void pair_list(std::string_view key, std::vector<std::array<int, 2>>& value,
                 std::string_view doc) override {
    read_items(key, value, "a list of pairs", doc,
               [&](const std::string& place, const Json& item, std::array<int, 2>& target) {
                 if (!item.is_array() || item.size() != 2 ||
                     !std::all_of(item.begin(), item.end(), is_index))
                   return wrong_type(place, "two whole numbers from 0", item, doc);
                 target = item.get<std::array<int, 2>>();
               });
  }

  void option(const integrators::OptionInfo& info, integrators::OptionValue& value) override {
    if (info.takes_number_or_word()) {
      const Json* json = find(info.name);
      if (json == nullptr) return;
      value = info.default_value;  // of the type of its numbers
      if (json->is_string()) value = info.choices.front();
    }
    if (auto* real = std::get_if<double>(&value)) {
      number(info.name, *real, info.summary, {.minimum = info.minimum, .maximum = info.maximum});
    } else if (auto* whole = std::get_if<long>(&value)) {
      int given = static_cast<int>(*whole);
      integer(info.name, given, info.summary, static_cast<int>(info.minimum));
      if (given > info.maximum)
        report(info.name, fmt::format("{} is out of range", given),
               fmt::format("{}; from {} to {}", info.summary, info.minimum, info.maximum));
      *whole = given;
    } else {
      text(info.name, std::get<std::string>(value), info.summary, info.choices);
    }
  }

  void object(std::string_view key, std::string_view doc, const Describe& describe_it) override {
    static const Json nothing = Json::object();
    const Json* json = find(key);
    if (json && !json->is_object()) return wrong_type(key, "an object { ... }", *json, doc);
    read_object(key, json ? *json : nothing, describe_it);
  }

  void optional_object(std::string_view key, bool& present, std::string_view doc,
                       const Describe& describe_it) override {
    present = find(key) != nullptr;
    if (present) object(key, doc, describe_it);
  }

  void text_or_object(std::string_view key, std::string& given, std::string_view doc,
                      const Describe& describe_it) override {
    const Json* json = find(key);
    if (json && json->is_string()) {
      given = json->get<std::string>();
      if (given.empty()) report(key, "the file name is empty", std::string(doc));
    } else if (!json || json->is_object()) {
      object(key, doc, describe_it);
    } else {
      wrong_type(key, "a file name or an object { ... }", *json, doc);
    }
  }

  void optional_text_or_object(std::string_view key, bool& present, std::string& given,
                               std::string_view doc, const Describe& describe_it) override {
    present = find(key) != nullptr;
    if (present) text_or_object(key, given, doc, describe_it);
  }

  void reject(std::string_view key, std::string what, std::string hint) override {
    report(key, std::move(what), std::move(hint));
  }

 private:
  void list_of(std::string_view key, std::string_view doc, std::size_t,
               const std::function<void(std::size_t)>& resize,
               const std::function<void(Visitor&, std::size_t)>& describe_item) override {
    const Json* json = find(key);
    if (!json) return;
    if (!json->is_array()) return wrong_type(key, "a list [ ... ]", *json, doc);
    resize(json->size());
    for (std::size_t k = 0; k < json->size(); ++k) {
      const std::string place = fmt::format("{}/{}", key, k);
      if (!(*json)[k].is_object()) {
        report(place, fmt::format("expected an object {{ ... }}, got {}", type_name((*json)[k])),
               std::string(doc));
        continue;
      }
      read_object(place, (*json)[k], [&](Visitor& item) { describe_item(item, k); });
    }
  }

  static bool is_index(const Json& item) {
    return item.is_number_integer() && item >= 0 && item <= std::numeric_limits<int>::max();
  }

  /// read(place, json, item) for every item of a list.
  template <class T, class Read>
  void read_items(std::string_view key, std::vector<T>& items, std::string_view expected,
                  std::string_view doc, const Read& read) {
    const Json* json = find(key);
    if (!json) return;
    if (!json->is_array()) return wrong_type(key, expected, *json, doc);
    items.resize(json->size());
    for (std::size_t k = 0; k < json->size(); ++k)
      read(fmt::format("{}/{}", key, k), (*json)[k], items[k]);
  }

  /// Sets the value where the key is there and `read` finds nothing wrong with it.
  template <class T, class Read>
  void read_optional(std::string_view key, std::optional<T>& value, T given, const Read& read) {
    if (!find(key)) return;
    const std::size_t before = problems_.size();
    read(given);
    if (problems_.size() == before) value = std::move(given);
  }

  void read_object(std::string_view key, const Json& json, const Describe& describe_it) {
    Reader inner(json, fmt::format("{}/{}", pointer_, key), file_, catalog_, problems_);
    describe_it(inner);
    inner.reject_unknown_keys();
  }

  const Json* find(std::string_view key) {
    known_.emplace(key);
    const auto found = json_.find(std::string(key));
    return found == json_.end() ? nullptr : &*found;
  }

  void report(std::string_view key, std::string what, std::string hint) {
    problems_.push_back({std::string(file_), fmt::format("{}/{}", pointer_, key), std::move(what),
                         std::move(hint)});
  }

  void wrong_type(std::string_view key, std::string_view expected, const Json& got,
                  std::string_view doc) {
    report(key, fmt::format("expected {}, got {}", expected, type_name(got)), std::string(doc));
  }

  void read_formula(std::string_view key, const Json& json, std::string& value,
                    std::string_view doc) {
    if (json.is_number()) {
      value = json.dump();
    } else if (json.is_string()) {
      value = json.get<std::string>();
      try {
        const core::Expression parsed = catalog_.expression(value);
      } catch (const core::FormulaError& error) {
        report(key, error.what(), error.hint().empty() ? std::string(doc) : error.hint());
      }
    } else {
      wrong_type(key, "a number or a formula", json, doc);
    }
  }

  bool read_vector(std::string_view key, const Json& json, Vec3& value, std::string_view doc) {
    const bool ok = json.is_array() && json.size() == 3 &&
                    std::all_of(json.begin(), json.end(), [](const Json& item) {
                      return item.is_number() && std::isfinite(item.get<double>());
                    });
    if (!ok) {
      wrong_type(key, "three numbers [x, y, z]", json, doc);
      return false;
    }
    for (int k = 0; k < 3; ++k) value[k] = json[static_cast<std::size_t>(k)].get<double>();
    return true;
  }

  static std::string range_hint(const Range& range, std::string_view doc) {
    const std::string limits = range.to_string();
    return fmt::format("{}{}{}", doc, limits.empty() ? "" : "; ", limits);
  }

  const Json& json_;
  std::string pointer_;
  std::string_view file_;
  const Catalog& catalog_;
  std::vector<Problem>& problems_;
  std::set<std::string> known_;
};

}  // namespace

SceneSpec parse_scene(std::string_view text, std::string_view file_name,
                      const std::vector<Override>& overrides, const Catalog& catalog) {
  Json json = parse_json(text, file_name);
  for (const Override& change : overrides) apply_override(json, change);
  SceneSpec scene;
  scene.source = file_name;
  std::vector<Problem> problems;
  Reader reader(json, "", file_name, catalog, problems);
  if (!json.contains("sinew"))
    problems.push_back(
        {std::string(file_name), "/sinew", "the format version is missing", "add \"sinew\": 1"});
  describe(reader, scene, catalog);
  reader.reject_unknown_keys();
  if (json.contains("bodies") && scene.bodies.empty())
    problems.push_back({std::string(file_name), "/bodies", "a scene needs at least one body", ""});
  if (!json.contains("bodies"))
    problems.push_back({std::string(file_name), "/bodies", "a scene needs at least one body",
                        "add \"bodies\": [ { \"mesh\": ... } ]"});
  if (!problems.empty()) throw InputError(std::move(problems));
  return scene;
}

SceneSpec read_scene(const std::filesystem::path& path, const std::vector<Override>& overrides,
                     const Catalog& catalog) {
  core::require_usable_path(path);
  if (!std::filesystem::is_regular_file(path))
    throw InputError({.file = path.string(), .what = "there is no such scene file"});
  SceneSpec scene = parse_scene(core::read_file(path), path.string(), overrides, catalog);
  scene.directory = path.parent_path().string();
  return scene;
}

}  // namespace sinew::scene
