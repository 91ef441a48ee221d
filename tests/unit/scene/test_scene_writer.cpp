// SPDX-License-Identifier: Apache-2.0
// Parser, writer and schema are three views of one description: what the writer writes, the parser
// takes back and the schema knows.
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sinew/core/error.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/mesh/generators.hpp>
#include <sinew/physics/materials/registry.hpp>
#include <sinew/scene/format/builtin_scenes.hpp>
#include <sinew/scene/format/scene_writer.hpp>

namespace sinew::scene {
namespace {

using Json = nlohmann::ordered_json;

/// Uses every key that does not exclude another.
constexpr auto every_key = R"({
  "sinew": 1, "name": "everything", "description": "every key", "threads": 2,
  "bodies": [
    { "name": "a", "type": "solid", "mesh": { "generator": "bar", "size": [4, 1.5, 1], "cells": [2, 1, 1] },
      "transform": { "translate": [0.1, 0, 2], "rotate": { "axis": [0, 1, 1], "degrees": 30 }, "scale": 0.7 },
      "material": { "model": "stvk", "young": 123456.789, "poisson": 0.3, "density": 1100 },
      "regions": [ { "select": { "box": [[0, 0, 0], [1, 1, 1]] },
                     "material": { "model": "stable-neo-hookean", "young": 1e8, "poisson": 0.1, "density": 0.1 },
                     "damping": { "mass": 1, "stiffness": 2 } },
                   { "select": { "region": "shell" } } ],
      "mass": "consistent", "damping": { "mass": 0.1, "stiffness": 1e-5 },
      "velocity": ["1", "x*y", -0.5], "initial": { "displacement": ["0", "0.1*x", "t"] } },
    { "name": "b", "mesh": "other.msh" },
    { "name": "c", "mesh": { "file": "third.vtu", "repair": true } },
    { "name": "d", "type": "springs", "particles": [[0, 0, 0.25], [1, 0, 0], [2, 0.5, 0]], "springs": [[0, 1], [2, 1]],
      "masses": [1, 2, 0.5], "stiffness": 200, "law": "linear", "damping": { "mass": 0.1, "shape": "current" } },
    { "name": "e", "type": "springs", "mesh": { "generator": "truss", "panels": [3, 4] },
      "transform": { "scale": 0.5 }, "mass": "1 + x^2", "stiffness": "z < 1 ? 1e6 : 2e6", "velocity": [1, 0, 0] } ],
  "fixed": [ { "body": "a", "select": { "plane": { "point": [0, 0, 0.5], "normal": [1, 2, 0], "within": 1e-3 } } },
             { "body": "b", "select": {} } ],
  "motion": [ { "body": "c", "select": { "vertices": [0, 1] }, "position": ["x", "y", "z + 0.1*t"], "until": 1.5 },
              { "body": "c", "select": { "sphere": { "center": [1, 2, 3], "radius": 0.25 } } } ],
  "loads": [ { "type": "gravity", "value": [0, 0, -9.81] } ],
  "integrator": { "name": "be", "tolerance": 1e-7, "max_newton": 33 },
  "time": { "dt": 0.003, "end": 2.5, "max_halvings": 3 },
  "output": { "fps": 12.5, "format": ["vtu"],
              "probes": [ { "name": "tip", "body": "a", "vertex": 5 },
                          { "name": "end", "body": "b", "select": { "box": [[0, 0, 0], [1, 1, 1]] } } ] } })";

/// Every scene there is, with a name for messages.
std::vector<std::pair<std::string, std::string>> scenes() {
  std::vector<std::pair<std::string, std::string>> all{
      {"every key", every_key}, {"minimal", R"({ "sinew": 1, "bodies": [ {} ] })"}};
  for (const BuiltinScene& scene : builtin_scenes())
    all.emplace_back(scene.name, std::string(scene.json));
  for (const mesh::GeneratorEntry& generator : mesh::generators())
    all.emplace_back(generator.name, R"({ "sinew": 1, "bodies": [ { "mesh": { "generator": ")" +
                                         generator.name + R"(" } } ] })");
  for (const std::string& name : integrators::integrator_names())
    all.emplace_back(
        name, R"({ "sinew": 1, "bodies": [ {} ], "integrator": { "name": ")" + name + R"(" } })");
  return all;
}

TEST(SceneWriter, WhatItWritesIsTakenBackUnchanged) {
  for (const auto& [name, json] : scenes()) {
    SCOPED_TRACE(name);
    const std::string written = to_json(parse_scene(json, name));

    const std::string again = to_json(parse_scene(written, name));

    EXPECT_EQ(again, written);
  }
}

/// The part of the schema that describes `value`: itself, or the alternative for objects.
const Json& schema_for_object(const Json& schema) {
  if (!schema.contains("anyOf")) return schema;
  for (const Json& alternative : schema.at("anyOf"))
    if (alternative.value("type", "") == "object") return alternative;
  return schema;
}

void expect_known(const Json& value, const Json& schema, const std::string& pointer) {
  if (value.is_object()) {
    const Json& object = schema_for_object(schema);
    ASSERT_TRUE(object.contains("properties")) << pointer;
    EXPECT_EQ(object.at("additionalProperties"), false) << pointer;
    for (const auto& [key, item] : value.items()) {
      ASSERT_TRUE(object.at("properties").contains(key)) << pointer << "/" << key;
      expect_known(item, object.at("properties").at(key), pointer + "/" + key);
    }
  }
  if (value.is_array() && schema.contains("items"))
    for (std::size_t k = 0; k < value.size(); ++k)
      expect_known(value[k], schema.at("items"), pointer + "/" + std::to_string(k));
}

TEST(Schema, KnowsEveryKeyThatIsWritten) {
  const Json schema = Json::parse(schema_json());
  for (const auto& [name, json] : scenes()) {
    SCOPED_TRACE(name);
    expect_known(Json::parse(to_json(parse_scene(json, name))), schema, "");
  }
}

/// Pointers of every object of a scene that the schema describes.
void collect_objects(const Json& value, const std::string& pointer,
                     std::vector<std::string>& found) {
  if (value.is_object()) found.push_back(pointer);
  if (value.is_structured())
    for (const auto& [key, item] : value.items()) collect_objects(item, pointer + "/" + key, found);
}

TEST(Schema, AnUnknownKeyIsRefusedInEveryObject) {
  const Json scene = Json::parse(to_json(parse_scene(every_key, "test")));
  std::vector<std::string> objects;
  collect_objects(scene, "", objects);
  EXPECT_GT(objects.size(), 30u);
  for (const std::string& pointer : objects) {
    Json broken = scene;
    broken[Json::json_pointer(pointer)]["surprise"] = 1;

    try {
      parse_scene(broken.dump(), "test");
      ADD_FAILURE() << "accepted at " << pointer;
    } catch (const InputError& error) {
      ASSERT_EQ(error.problems().size(), 1u) << error.what();
      EXPECT_EQ(error.problems()[0].where, pointer + "/surprise");
    }
  }
}

TEST(Schema, EveryPropertySaysWhatItIs) {
  const std::function<void(const Json&, const std::string&)> check =
      [&](const Json& schema, const std::string& pointer) {
        const Json& object = schema_for_object(schema);
        if (object.contains("properties"))
          for (const auto& [key, property] : object.at("properties").items()) {
            EXPECT_FALSE(property.value("description", "").empty()) << pointer << "/" << key;
            check(property, pointer + "/" + key);
          }
        if (schema.contains("items") && schema.at("items").is_object())
          check(schema.at("items"), pointer + "/*");
      };

  check(Json::parse(schema_json()), "");
}

TEST(Schema, NamesOfMethodsMaterialsAndGeneratorsAreListed) {
  const Json schema = Json::parse(schema_json());
  const Json& body = schema.at("/properties/bodies/items/properties"_json_pointer);

  EXPECT_EQ(schema.at("/properties/integrator/properties/name/enum"_json_pointer),
            Json(builtin_catalog().integrator_names()));
  EXPECT_EQ(body.at("/material/properties/model/enum"_json_pointer),
            Json(physics::material_names()));
  const Json& mesh = schema_for_object(body.at("mesh"));
  for (const mesh::GeneratorEntry& generator : mesh::generators())
    for (const mesh::GeneratorParameter& parameter : generator.parameters)
      EXPECT_TRUE(mesh.at("properties").contains(parameter.name)) << parameter.name;
  EXPECT_EQ(schema.at("required"), Json({"sinew", "bodies"}));
}

TEST(Schema, LimitsAreThoseOfTheParser) {
  const Json schema = Json::parse(schema_json());

  EXPECT_EQ(schema.at("/properties/time/properties/dt/exclusiveMinimum"_json_pointer), 0.0);
  const Json& material =
      schema.at("/properties/bodies/items/properties/material/properties"_json_pointer);
  EXPECT_EQ(material.at("/poisson/anyOf/0/exclusiveMinimum"_json_pointer), -1.0);
  EXPECT_EQ(material.at("/poisson/anyOf/0/exclusiveMaximum"_json_pointer), 0.5);
  const SceneSpec defaults = parse_scene(R"({ "sinew": 1, "bodies": [ {} ] })", "test");
  EXPECT_EQ(schema.at("/properties/time/properties/dt/default"_json_pointer), defaults.time.dt);
}

}  // namespace
}  // namespace sinew::scene
