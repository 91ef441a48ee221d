// SPDX-License-Identifier: Apache-2.0
// What a program adds to the tables, seen by reader, schema and compiler.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sinew/core/error.hpp>
#include <sinew/scene/compile/compile.hpp>
#include <sinew/scene/format/scene_reader.hpp>
#include <sinew/scene/format/scene_writer.hpp>

#include "support/terms/wall.hpp"

namespace sinew::scene {
namespace {

void add_wall(Catalog& catalog) {
  catalog.add(physics::TermEntry{
      .name = "wall",
      .summary = "keeps vertices above a height",
      .parameters = {{"lowest", {-1.0}, "[m]"}, {"stiffness", {100.0, 0.1}, "[N/m], reach [m]"}},
      .make = [](const physics::TermArguments& given) {
        return std::make_unique<test::Wall>(2, given.number("lowest"),
                                            given.numbers.at("stiffness")[0],
                                            given.numbers.at("stiffness")[1]);
      }});
}

/// mooney-rivlin under another name, with its own default.
physics::MaterialEntry renamed() {
  physics::MaterialEntry entry = *physics::find_material("mooney-rivlin");
  entry.name = "rubber";
  entry.constants = {{.name = "second", .standard = 0.4, .minimum = 0.0, .maximum = 1.0}};
  return entry;
}

std::string scene_with(const std::string& more) {
  return R"({ "sinew": 1, "bodies": [ { "name": "bar", "mesh": { "generator": "bar", "cells": [2, 1, 1] } )" +
         more + "}";
}

TEST(Catalog, HasTheBuiltInTables) {
  EXPECT_EQ(builtin_catalog().material_names(), physics::material_names());
  std::vector<std::string> methods = integrators::integrator_names();
  methods.emplace_back("equilibrium");  // a method of scenes, but none that moves in time
  EXPECT_EQ(builtin_catalog().integrator_names(), methods);
  EXPECT_TRUE(builtin_catalog().terms().empty());
}

TEST(Catalog, RefusesNamesThatAreTakenOrMissing) {
  Catalog catalog;
  add_wall(catalog);
  EXPECT_THROW(add_wall(catalog), InputError);
  EXPECT_THROW(catalog.add(physics::TermEntry{.name = "wind"}), InputError);
  EXPECT_THROW(catalog.add(*physics::find_material("stvk")), InputError);
  EXPECT_THROW(catalog.add(*integrators::find_integrator("si")), InputError);
  EXPECT_THROW(catalog.add(physics::TermEntry{}), InputError);
}

TEST(Catalog, RefusesTermsThatNoSceneCouldName) {
  const auto make = [](const physics::TermArguments&) { return std::unique_ptr<physics::Term>(); };
  const auto refuses = [&](std::vector<physics::TermParameter> parameters) {
    Catalog catalog;
    EXPECT_THROW(catalog.add({.name = "t", .parameters = std::move(parameters), .make = make}),
                 InputError);
  };
  refuses({{"body", {1.0}}});
  refuses({{"type", {1.0}}});
  refuses({{"", {1.0}}});
  refuses({{"a", {1.0}}, {"a", {2.0}}});
  refuses({{"a", {}}});
  Catalog catalog;
  EXPECT_THROW(catalog.add(physics::TermEntry{.name = "t"}), InputError);
}

TEST(Catalog, AnAddedForceIsATypeOfLoad) {
  Catalog catalog;
  add_wall(catalog);
  const std::string text =
      scene_with(R"( } ], "loads": [ { "type": "wall", "body": "bar", "lowest": -0.01 } ])");
  // without the addition there is no such load, and the message says what there is
  EXPECT_THROW(parse_scene(text, "test"), InputError);
  const SceneSpec scene = parse_scene(text, "test", {}, catalog);
  EXPECT_EQ(scene.loads[0].parameters.at("lowest"), std::vector<double>{-0.01});
  EXPECT_EQ(scene.loads[0].parameters.at("stiffness"), (std::vector<double>{100.0, 0.1}));
  // the same scene after writing and reading
  const SceneSpec again = parse_scene(to_json(scene, catalog), "again", {}, catalog);
  EXPECT_EQ(again.loads[0].parameters, scene.loads[0].parameters);

  // all vertices are within reach of the wall; by hand: W of one at a distance d is
  // -100 (d - 0.1)^2 ln(d / 0.1), here d = 0.01 for those at z = 0 and 0.26 for the others
  const CompiledScene compiled = compile(scene, catalog);
  const physics::TermSystem& system = compiled.system();
  const auto entries = system.accounts().ledger_entries();
  ASSERT_EQ(entries.back().name, "wall");
  std::vector<double> values(entries.size());
  system.accounts().evaluate_ledger(system.rest_state(), *system.make_workspace(), values);
  EXPECT_NEAR(values.back(), 6.0 * -100.0 * 0.09 * 0.09 * std::log(0.1), 1e-9);
}

TEST(Catalog, AddedConstantsReachTheMaterial) {
  Catalog catalog;
  catalog.add(renamed());
  const auto parameters = [&](const std::string& material) {
    const CompiledScene compiled =
        compile(parse_scene(scene_with(", \"material\": { \"model\": " + material + " } } ]"),
                            "test", {}, catalog),
                catalog);
    dynamics::State state = compiled.system().rest_state();
    for (Index i = 0; i < state.q.size(); i += 3) state.q[i] *= 1.3;
    return compiled.system().potential(state, *compiled.system().make_workspace());
  };
  EXPECT_EQ(parameters(R"("rubber", "second": 0.2)"), parameters(R"("mooney-rivlin")"));
  EXPECT_EQ(parameters(R"("rubber")"), parameters(R"("mooney-rivlin", "mooney": 0.4)"));
  EXPECT_NE(parameters(R"("rubber")"), parameters(R"("mooney-rivlin")"));
  EXPECT_THROW(parameters(R"("rubber", "second": 2)"), InputError);
}

TEST(Catalog, TheSchemaShowsAdditions) {
  Catalog catalog;
  add_wall(catalog);
  catalog.add(renamed());
  const std::string with = schema_json(catalog), without = schema_json();
  for (const char* word : {"\"wall\"", "\"lowest\"", "\"rubber\"", "\"second\""}) {
    EXPECT_NE(with.find(word), std::string::npos) << word;
    EXPECT_EQ(without.find(word), std::string::npos) << word;
  }
}

}  // namespace
}  // namespace sinew::scene
