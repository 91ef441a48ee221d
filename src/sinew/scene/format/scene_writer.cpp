// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sinew/core/axis.hpp>
#include <sinew/scene/format/describe.hpp>
#include <sinew/scene/format/scene_writer.hpp>

namespace sinew::scene {
namespace {

using Json = nlohmann::ordered_json;

Json vector_json(const Vec3& value) {
  return {value[0], value[1], value[2]};
}

/// 4 rather than 4.0 where the number is whole, so that counts read as counts.
Json whole_or_real(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) return static_cast<long>(value);
  return value;
}

/// Numbers back to numbers, formulas as they are.
Json formula_json(const std::string& formula) {
  const Json number = Json::parse(formula, nullptr, false);
  return number.is_number() ? number : Json(formula);
}

Json option_json(const integrators::OptionValue& value) {
  return std::visit([](const auto& v) { return Json(v); }, value);
}

class Writer final : public Visitor {
 public:
  void number(std::string_view key, double& value, std::string_view, Range) override {
    put(key, value);
  }
  void number(std::string_view key, std::optional<double>& value, std::string_view,
              Range) override {
    if (value) put(key, *value);
  }
  void integer(std::string_view key, int& value, std::string_view, int) override {
    put(key, value);
  }
  void integer(std::string_view key, std::optional<int>& value, std::string_view, int) override {
    if (value) put(key, *value);
  }
  void boolean(std::string_view key, bool& value, std::string_view) override { put(key, value); }
  void text(std::string_view key, std::string& value, std::string_view,
            const std::vector<std::string>&) override {
    // an empty name means "not given" everywhere
    if (!value.empty()) put(key, value);
  }
  void text(std::string_view key, std::optional<std::string>& value, std::string_view,
            const std::vector<std::string>&) override {
    if (value) put(key, *value);
  }
  void label(std::string_view key, std::optional<std::string>& value, std::string_view) override {
    if (value) put(key, *value);
  }
  void texts(std::string_view key, std::vector<std::string>& value, std::string_view,
             const std::vector<std::string>&) override {
    put(key, value);
  }
  void vector(std::string_view key, Vec3& value, std::string_view) override {
    put(key, vector_json(value));
  }
  void direction(std::string_view key, std::optional<Vec3>& value, std::string_view) override {
    if (value) put(key, vector_json(*value));
  }
  void box(std::string_view key, std::optional<std::array<Vec3, 2>>& value,
           std::string_view) override {
    if (value) put(key, Json::array({vector_json((*value)[0]), vector_json((*value)[1])}));
  }
  void integers(std::string_view key, std::optional<std::vector<int>>& value,
                std::string_view) override {
    if (value) put(key, *value);
  }
  void formula(std::string_view key, Formula& value, std::string_view, Range) override {
    put(key, formula_json(value.text));
  }
  void formula(std::string_view key, std::optional<Formula>& value, std::string_view,
               Range) override {
    if (value) put(key, formula_json(value->text));
  }
  void formulas(std::string_view key, Formulas& value, std::string_view) override {
    put(key, Json::array({formula_json(value[0]), formula_json(value[1]), formula_json(value[2])}));
  }
  void numbers(std::string_view key, std::vector<double>& value, bool, std::string_view) override {
    Json list = Json::array();
    for (const double item : value) list.push_back(whole_or_real(item));
    put(key, value.size() == 1 ? list[0] : list);
  }
  void number_list(std::string_view key, std::vector<double>& value, std::string_view,
                   Range) override {
    if (!value.empty()) put(key, value);
  }
  void vector_list(std::string_view key, std::vector<Vec3>& value, std::string_view) override {
    Json list = Json::array();
    for (const Vec3& item : value) list.push_back(vector_json(item));
    if (!value.empty()) put(key, std::move(list));
  }
  void pair_list(std::string_view key, std::vector<std::array<int, 2>>& value,
                 std::string_view) override {
    if (!value.empty()) put(key, value);
  }
  void option(const integrators::OptionInfo& info, integrators::OptionValue& value) override {
    put(info.name, option_json(value));
  }
  void object(std::string_view key, std::string_view, const Describe& describe_it) override {
    Writer inner;
    describe_it(inner);
    put(key, inner.json);
  }
  void optional_object(std::string_view key, bool& present, std::string_view doc,
                       const Describe& describe_it) override {
    if (present) object(key, doc, describe_it);
  }
  void text_or_object(std::string_view key, std::string&, std::string_view doc,
                      const Describe& describe_it) override {
    object(key, doc, describe_it);
  }
  void optional_text_or_object(std::string_view key, bool& present, std::string&,
                               std::string_view doc, const Describe& describe_it) override {
    if (present) object(key, doc, describe_it);
  }

  Json json = Json::object();

 private:
  void list_of(std::string_view key, std::string_view, std::size_t size,
               const std::function<void(std::size_t)>&,
               const std::function<void(Visitor&, std::size_t)>& describe_item) override {
    Json list = Json::array();
    for (std::size_t k = 0; k < size; ++k) {
      Writer inner;
      describe_item(inner, k);
      list.push_back(inner.json);
    }
    put(key, std::move(list));
  }

  template <class T>
  void put(std::string_view key, T&& value) {
    json[std::string(key)] = std::forward<T>(value);
  }
};

class SchemaWriter final : public Visitor {
 public:
  void number(std::string_view key, double& value, std::string_view doc, Range range) override {
    property(key, with_range({{"type", "number"}}, range), doc)["default"] = value;
  }
  void number(std::string_view key, std::optional<double>&, std::string_view doc,
              Range range) override {
    property(key, with_range({{"type", "number"}}, range), doc);
  }
  void integer(std::string_view key, int& value, std::string_view doc, int minimum) override {
    property(key, {{"type", "integer"}, {"minimum", minimum}}, doc)["default"] = value;
  }
  void integer(std::string_view key, std::optional<int>&, std::string_view doc,
               int minimum) override {
    property(key, {{"type", "integer"}, {"minimum", minimum}}, doc);
  }
  void boolean(std::string_view key, bool& value, std::string_view doc) override {
    property(key, {{"type", "boolean"}}, doc)["default"] = value;
  }
  void text(std::string_view key, std::string& value, std::string_view doc,
            const std::vector<std::string>& choices) override {
    Json& schema = property(key, with_choices(choices), doc);
    if (!value.empty()) schema["default"] = value;
  }
  void text(std::string_view key, std::optional<std::string>&, std::string_view doc,
            const std::vector<std::string>& choices) override {
    property(key, with_choices(choices), doc);
  }
  void label(std::string_view key, std::optional<std::string>&, std::string_view doc) override {
    property(key, {{"type", {"string", "integer"}}}, doc);
  }
  void texts(std::string_view key, std::vector<std::string>& value, std::string_view doc,
             const std::vector<std::string>& choices) override {
    property(key, {{"type", "array"}, {"items", with_choices(choices)}}, doc)["default"] = value;
  }
  void vector(std::string_view key, Vec3& value, std::string_view doc) override {
    property(key, list_schema({{"type", "number"}}, 3), doc)["default"] = vector_json(value);
  }
  void direction(std::string_view key, std::optional<Vec3>&, std::string_view doc) override {
    property(key,
             {{"anyOf", {with_choices(core::axis_names()), list_schema({{"type", "number"}}, 3)}}},
             doc);
  }
  void box(std::string_view key, std::optional<std::array<Vec3, 2>>&,
           std::string_view doc) override {
    property(key, list_schema(list_schema({{"type", "number"}}, 3), 2), doc);
  }
  void integers(std::string_view key, std::optional<std::vector<int>>&,
                std::string_view doc) override {
    property(key, {{"type", "array"}, {"items", {{"type", "integer"}, {"minimum", 0}}}}, doc);
  }
  void formula(std::string_view key, Formula& value, std::string_view doc, Range range) override {
    property(key, formula_schema(range), doc)["default"] = formula_json(value.text);
  }
  void formula(std::string_view key, std::optional<Formula>&, std::string_view doc,
               Range range) override {
    property(key, formula_schema(range), doc);
  }
  void formulas(std::string_view key, Formulas& value, std::string_view doc) override {
    property(key, list_schema({{"type", {"string", "number"}}}, 3), doc)["default"] = Json(value);
  }
  void numbers(std::string_view key, std::vector<double>& value, bool integral,
               std::string_view doc) override {
    const Json item{{"type", integral ? "integer" : "number"}};
    // the same name may be a number for one generator and a list for another
    property(key, {{"anyOf", {item, {{"type", "array"}, {"items", item}}}}}, doc);
    static_cast<void>(value);
  }
  void number_list(std::string_view key, std::vector<double>&, std::string_view doc,
                   Range range) override {
    property(key, {{"type", "array"}, {"items", with_range({{"type", "number"}}, range)}}, doc);
  }
  void vector_list(std::string_view key, std::vector<Vec3>&, std::string_view doc) override {
    property(key, {{"type", "array"}, {"items", list_schema({{"type", "number"}}, 3)}}, doc);
  }
  void pair_list(std::string_view key, std::vector<std::array<int, 2>>&,
                 std::string_view doc) override {
    const Json index{{"type", "integer"}, {"minimum", 0}};
    property(key, {{"type", "array"}, {"items", list_schema(index, 2)}}, doc);
  }
  void option(const integrators::OptionInfo& info, integrators::OptionValue& value) override {
    Json type = with_choices(info.choices);
    if (!std::holds_alternative<std::string>(info.default_value)) {
      type = {{"type", std::holds_alternative<long>(info.default_value) ? "integer" : "number"}};
      type["minimum"] = info.minimum;
      if (std::isfinite(info.maximum)) type["maximum"] = info.maximum;
      if (info.takes_number_or_word()) type = {{"anyOf", {type, with_choices(info.choices)}}};
    }
    property(info.name, type, info.summary)["default"] = option_json(value);
  }
  void object(std::string_view key, std::string_view doc, const Describe& describe_it) override {
    property(key, inner_schema(describe_it), doc);
  }
  void optional_object(std::string_view key, bool&, std::string_view doc,
                       const Describe& describe_it) override {
    property(key, inner_schema(describe_it), doc);
  }
  void text_or_object(std::string_view key, std::string&, std::string_view doc,
                      const Describe& describe_it) override {
    property(key, {{"anyOf", {{{"type", "string"}}, inner_schema(describe_it)}}}, doc);
  }
  void optional_text_or_object(std::string_view key, bool&, std::string& given,
                               std::string_view doc, const Describe& describe_it) override {
    text_or_object(key, given, doc, describe_it);
  }
  bool wants_all_variants() const override { return true; }

  Json schema() const {
    return {{"type", "object"}, {"additionalProperties", false}, {"properties", properties_}};
  }

 private:
  void list_of(std::string_view key, std::string_view doc, std::size_t,
               const std::function<void(std::size_t)>&,
               const std::function<void(Visitor&, std::size_t)>& describe_item) override {
    const Json item = inner_schema([&](Visitor& visitor) { describe_item(visitor, 0); });
    property(key, {{"type", "array"}, {"items", item}}, doc);
  }

  static Json inner_schema(const Describe& describe_it) {
    SchemaWriter inner;
    describe_it(inner);
    return inner.schema();
  }
  static Json with_choices(const std::vector<std::string>& choices) {
    Json schema{{"type", "string"}};
    if (!choices.empty()) schema["enum"] = choices;
    return schema;
  }
  static Json formula_schema(const Range& range) {
    return {{"anyOf", {with_range({{"type", "number"}}, range), {{"type", "string"}}}}};
  }
  static Json with_range(Json schema, const Range& range) {
    const bool ex = range.exclusive;
    if (std::isfinite(range.minimum)) schema[ex ? "exclusiveMinimum" : "minimum"] = range.minimum;
    if (std::isfinite(range.maximum)) schema[ex ? "exclusiveMaximum" : "maximum"] = range.maximum;
    return schema;
  }
  static Json list_schema(const Json& item, int length) {
    return {{"type", "array"}, {"items", item}, {"minItems", length}, {"maxItems", length}};
  }
  Json& property(std::string_view key, Json schema, std::string_view doc) {
    schema["description"] = doc;
    Json& known = properties_[std::string(key)];
    if (known.is_null()) return known = std::move(schema);
    // a key that means one thing in one type of body and another in the next
    const std::string both = fmt::format("{}; {}", known["description"].get<std::string>(), doc);
    known = {{"anyOf", {std::move(known), std::move(schema)}}, {"description", both}};
    return known["anyOf"].back();
  }

  Json properties_ = Json::object();
};

}  // namespace

std::string to_json(const SceneSpec& scene, const Catalog& catalog) {
  Writer writer;
  SceneSpec copy = scene;  // visitors take references to read into as well
  describe(writer, copy, catalog);
  return writer.json.dump(2) + "\n";
}

std::string schema_json(const Catalog& catalog) {
  SchemaWriter writer;
  SceneSpec defaults;
  describe(writer, defaults, catalog);
  Json schema = writer.schema();
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = "Sinew scene, format 1";
  schema["required"] = {"sinew", "bodies"};
  return schema.dump(2) + "\n";
}

}  // namespace sinew::scene
