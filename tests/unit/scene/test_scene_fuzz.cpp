// SPDX-License-Identifier: Apache-2.0
// Built-in scenes with random changes: what `validate` accepts, a run accepts too, and nothing ends
// in anything but a scene or an InputError. SINEW_FUZZ_SEED and SINEW_FUZZ_ROUNDS look elsewhere
// and longer.
#include <cstdlib>
#include <iostream>
#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sinew/core/error.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/la/solvers/linear_solver.hpp>
#include <sinew/mesh/generators.hpp>
#include <sinew/output/publish/writers.hpp>
#include <sinew/physics/materials/registry.hpp>
#include <sinew/scene/compile/compile.hpp>
#include <sinew/scene/format/builtin_scenes.hpp>
#include <sinew/study/run.hpp>

#include "support/temp_dir.hpp"

namespace sinew::scene {
namespace {

using Json = nlohmann::ordered_json;

unsigned long number_from(const char* variable, unsigned long otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::strtoul(text, nullptr, 10) : otherwise;
}

/// All places of a document, the root left out.
void collect_places(const Json& json, const Json::json_pointer& at,
                    std::vector<Json::json_pointer>& places) {
  if (json.is_object())
    for (const auto& [key, value] : json.items()) {
      places.push_back(at / key);
      collect_places(value, at / key, places);
    }
  if (json.is_array())
    for (std::size_t k = 0; k < json.size(); ++k) {
      places.push_back(at / k);
      collect_places(json[k], at / k, places);
    }
}

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  Json mutant() {
    const auto scenes = builtin_scenes();
    Json json = Json::parse(scenes[below(scenes.size())].json, nullptr, true, true);
    shrink(json);
    const std::size_t changes = 1 + below(4);
    for (std::size_t k = 0; k < changes; ++k) change(json);
    return json;
  }

  std::size_t below(std::size_t count) { return random_() % count; }

 private:
  template <class List>
  auto one_of(const List& list) {
    return *std::next(std::begin(list), static_cast<std::ptrdiff_t>(below(std::size(list))));
  }

  template <class Table>
  std::string name_from(const Table& table) {
    return std::string(one_of(table).name);
  }

  /// Numbers that make meshes small enough for hundreds of runs.
  static Json coarse(const std::string& generator) {
    static const Json table{{"bar", {{"cells", {4, 2, 3}}}},
                            {"sheet", {{"cells", {4, 4}}}},
                            {"ball", {{"cells", 2}, {"core_layers", 1}, {"shell_layers", 1}}},
                            {"cylinder", {{"cells", 1}, {"layers", 1}, {"axial_cells", 8}}},
                            {"torus", {{"cells", 1}, {"layers", 1}, {"ring_cells", 12}}},
                            {"coil-spring", {{"cells", 1}, {"layers", 1}, {"wire_cells", 30}}},
                            {"gear",
                             {{"teeth", 5},
                              {"tooth_height", 0.01},
                              {"cells", 1},
                              {"layers", 1},
                              {"tooth_layers", 1},
                              {"axial_cells", 1}}},
                            {"honeycomb", {{"cells", {2, 1}}, {"layers", 1}}},
                            {"needle", {{"cells", 1}, {"axial_cells", 8}}},
                            {"box-surface", {{"size", {0.2, 0.3, 0.4}}}},
                            {"sphere-surface", {{"subdivisions", 2}}},
                            {"capsule-surface", {{"segments", 6}}},
                            {"cylinder-surface", {{"segments", 6}}},
                            {"bowl", {{"segments", 8}}},
                            {"truss", {{"panels", {2, 3}}, {"arms", 1}, {"arm_panels", 2}}},
                            {"rope", {{"particles", 5}}},
                            {"cloth", {{"cells", {3, 4}}}},
                            {"foil", {{"particles", {4, 3}}}},
                            {"truss-tower", {{"leg_cells", 1}, {"levels", 4}}},
                            {"dome", {{"around", 5}, {"rings", 3}}},
                            {"torus-lattice", {{"ring_cells", 5}}},
                            {"beam-lattice", {{"cells", {4, 1, 2}}}},
                            {"sphere-lattice", {{"rings", 3}, {"around", 5}}},
                            {"brush", {{"bristles", {2, 2}}, {"segments", 2}}},
                            {"figure", {{"cells", 8}}},
                            {"dragon", {{"cells", 12}}},
                            {"liver", {{"cells", 5}}},
                            {"vehicle", {{"resolution", 12}}},
                            {"shape",
                             {{"size", 0.3},
                              {"parts",
                               {{{"type", "sphere"}, {"name", "ball"}},
                                {{"type", "group"},
                                 {"operation", "difference"},
                                 {"parts", {{{"type", "box"}, {"size", {0.5, 2.0, 0.3}}}}},
                                 {"repeat", {{"count", 2}}},
                                 {"region", "slot"}},
                                {{"type", "copy"}, {"of", "ball"}, {"grow", -0.1}}}}}},
                            {"polymer", {{"atoms", 8}, {"chains", {2, 1}}}}};
    return table.at(generator);
  }

  static void shrink(Json& json) {
    for (Json& body : json["bodies"])
      if (body.contains("mesh") && body["mesh"].is_object())
        body["mesh"].update(coarse(body["mesh"].value("generator", "bar")));
    if (json.contains("settle")) json["settle"]["end"] = 0.2;
  }

  Json some_mesh() {
    const std::string generator = name_from(mesh::generators());
    Json mesh{{"generator", generator}};
    mesh.update(coarse(generator));
    return mesh;
  }

  void change(Json& json) {
    switch (below(6)) {
      case 0:
      case 1:
        return change_value(json);
      case 2:
        return remove_or_repeat(json);
      default:
        return add_part(json);
    }
  }

  void change_value(Json& json) {
    Json& target = json[place_in(json)];
    if (target.is_number() && below(3) > 0)
      target = one_of(std::vector<double>{0.0, -1.0, 0.5, 3.0, 1e-9, 1e-300, 1e9, 1e300,
                                          1.5 * target.get<double>(), -target.get<double>()});
    else
      target = one_of(strange_values());
  }

  void remove_or_repeat(Json& json) {
    const Json::json_pointer place = place_in(json);
    Json& parent = json[place.parent_pointer()];
    if (parent.is_object())
      parent.erase(place.back());
    else if (parent.is_array() && below(2) == 0)
      parent.erase(std::stoul(place.back()));
    else if (parent.is_array())
      parent.push_back(parent[std::stoul(place.back())]);
  }

  /// Something that could be meant.
  void add_part(Json& json) {
    Json& body = json["bodies"].is_array() && !json["bodies"].empty() ? json["bodies"][0] : json;
    if (!body.is_object()) return;
    const auto set = [&](const char* pointer, Json value) {
      try {
        json[Json::json_pointer(pointer)] = std::move(value);
      } catch (const Json::exception&) {  // an earlier change took the place away
      }
    };
    const Json everything = Json::object();
    const Json plane{{"plane", {{"normal", {1, 0, 0}}, {"within", 0.01}}}};
    switch (below(19)) {
      case 0:
        return set("/integrator", {{"name", name_of_method()}});
      case 1:
        return set("/integrator", method_with_an_option());
      case 2:
        return set("/integrator/solver", {{"name", name_from(la::solvers())},
                                          {"factor", one_of(words({"lagged", "every-step"}))}});
      case 3:
        return set("/bodies/0/material",
                   {{"model", one_of(physics::material_names())},
                    {"poisson", one_of(std::vector<double>{-0.5, 0.0, 0.49})}});
      case 4:
        return set("/bodies/0/mesh", some_mesh());
      case 5:
        return set("/bodies/0/type", one_of(words({"solid", "springs"})));
      case 6:
        return set("/time/tolerance", one_of(std::vector<double>{0.0, 1e-12, 1e-3, 1e3}));
      case 7:
        return set("/time/dt_min", one_of(std::vector<double>{1e-9, 1.0}));
      case 8:
        return set("/output/format", {name_from(output::writers()), name_from(output::writers())});
      case 9:
        return set("/output/fps", one_of(std::vector<double>{0.0, 1.0, 1e9}));
      case 10:
        return set("/motion", {{{"select", plane},
                                {"position", {one_of(formulas()), one_of(formulas()), "z"}},
                                {"until", one_of(std::vector<double>{0.0, 1e-3, 0.1})}}});
      case 11:
        return set("/loads", {{{"type", one_of(words({"force", "pulse", "gravity"}))},
                               {"value", {one_of(formulas()), "0", one_of(formulas())}},
                               {"from", one_of(std::vector<double>{-1.0, 0.0, 0.01})}}});
      case 12:
        return set("/loads", {{{"type", "pressure"}, {"pressure", one_of(formulas())}},
                              {{"type", "wind"}, {"velocity", {one_of(formulas()), 0, 0}}}});
      case 13:
        return set("/settle",
                   {{"dt", one_of(std::vector<double>{0.05, 0.1, 1e-300})}, {"end", 0.2}});
      case 14:
        return set("/bodies/0/initial", {{"displacement", {one_of(formulas()), "0", "0"}}});
      case 15:
        return set("/output/probes",
                   {{{"name", one_of(strange_values())}, {"select", everything}}});
      case 16:
        return set("/cuts", {some_cut(), some_cut()});
      case 17:
        return set("/fracture", {{{"strength", one_of(std::vector<double>{1.0, 1e4, 1e300})},
                                  {"at_once", one_of(std::vector<int>{0, 1, 5})}}});
      default:
        return set(one_of(std::vector<const char*>{"/name", "/bodies/0/name", "/description"}),
                   one_of(strange_values()));
    }
  }

  Json some_cut() {
    Json cut{{"point", {one_of(places()), 0.05, 0.05}},
             {"normal", {one_of(places()), one_of(places()), 1}},
             {"at", one_of(std::vector<double>{0.0, 1e-3, 0.1})},
             {"snap", one_of(std::vector<double>{0.0, 0.001, 0.05, 0.5})}};
    if (below(2) == 0) {
      cut["until"] = one_of(std::vector<double>{0.05, 0.3});
      cut["along"] = {one_of(places()), 0, 1};
    }
    if (below(3) == 0) cut["frame"] = one_of(words({"world", "rest"}));
    if (below(4) == 0)
      cut = {{"type", "path"}, {"points", {{one_of(places()), -1, 0}, {0.1, 1, 0}}}};
    if (below(6) == 0) cut = {{"type", "surface"}, {"mesh", some_mesh()}, {"at", 1e-3}};
    return cut;
  }
  static const std::vector<double>& places() {
    static const std::vector<double> values{0.0, 0.05, 0.1, -0.3, 1.0, 100.0};
    return values;
  }

  std::string name_of_method() { return one_of(integrators::integrator_names()); }

  Json method_with_an_option() {
    const integrators::IntegratorEntry* entry = integrators::find_integrator(name_of_method());
    Json json{{"name", entry->traits.name}};
    for (const integrators::OptionInfo& option : entry->options) {
      if (below(3) > 0) continue;
      if (!option.choices.empty())
        json[option.name] = one_of(option.choices);
      else
        json[option.name] =
            one_of(std::vector<double>{option.minimum, option.maximum, 0.0, 1.0, 2.0});
    }
    return json;
  }

  static std::vector<std::string> words(std::initializer_list<std::string> list) { return list; }

  static const std::vector<Json>& strange_values() {
    static const std::vector<Json> values{nullptr,
                                          true,
                                          -7,
                                          5000000000,
                                          1e300,
                                          "",
                                          "x",
                                          "0,5",
                                          "../..",
                                          "a/b",
                                          ".",
                                          "\n",
                                          std::string("a\0b", 3),
                                          std::string(300, 'n'),
                                          "\u00e4\u20ac",
                                          Json::array(),
                                          Json::array({1, 2, 3}),
                                          Json::object(),
                                          "bar",
                                          "hanging-ball"};
    return values;
  }

  static const std::vector<std::string>& formulas() {
    static const std::vector<std::string> list{
        "x", "0.1*t", "1/t", "sqrt(x - 0.1)", "1e300*x", "x < 0.1 ? 1 : 2", "0,5", "log(t - 0.01)"};
    return list;
  }

  Json::json_pointer place_in(const Json& json) {
    std::vector<Json::json_pointer> places;
    collect_places(json, Json::json_pointer(), places);
    return one_of(places);
  }

  std::mt19937 random_;
};

/// Whether hundreds like it can be made: meshes and settling are as large as the scene says.
bool is_affordable(const SceneSpec& scene) {
  for (const BodySpec& body : scene.bodies) {
    double cells = 1.0;
    for (const auto& [name, values] : body.mesh.parameters)
      if (name == "cells" || name == "layers" || name == "wire_cells")
        for (const double value : values) cells *= value;
    if (cells > 500.0) return false;
  }
  // what is absurd is refused at once
  const double steps = scene.settle ? scene.settle->end / scene.settle->dt : 0.0;
  return steps < 50.0 || steps > 1e12;
}

/// Empty, or why not.
template <class Work>
std::string refusal(const Work& work) {
  try {
    work();
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(SceneFuzz, WhatValidateAcceptsRunsAndNothingElse) {
  const auto seed = static_cast<unsigned>(number_from("SINEW_FUZZ_SEED", 20250117));
  const unsigned long rounds = number_from("SINEW_FUZZ_ROUNDS", 300);
  std::cout << "seed " << seed << ", " << rounds << " mutants\n";
  Mutator mutator(seed);
  const test::TempDir dir;
  int parsed = 0, accepted = 0;
  for (unsigned long round = 0; round < rounds; ++round) {
    const Json json = mutator.mutant();
    SCOPED_TRACE("round " + std::to_string(round) + ": " + json.dump());
    const bool publishes = mutator.below(16) == 0;
    SceneSpec scene;
    if (!refusal([&] { scene = parse_scene(json.dump(), "mutant"); }).empty()) continue;
    if (!is_affordable(scene)) continue;
    ++parsed;
    scene.threads = 1;
    // a few steps show what a run refuses
    if (scene.time.end / scene.time.dt < 1e9)
      scene.time.end = std::min(scene.time.end, 3.0 * scene.time.dt);
    scene.time.max_halvings = std::min(scene.time.max_halvings, 2);
    if (scene.time.tolerance > 0.0) scene.time.dt_min = 0.1 * scene.time.dt;

    const std::string at_validation = refusal([&] { compile(scene); });
    std::string folder = scene.name;
    std::replace(folder.begin(), folder.end(), '/', '-');
    const std::filesystem::path directory =
        dir.path() / "runs" / (folder + "-" + scene.integrator.name);
    const std::string at_run = refusal([&] {
      const sim::RunSummary summary =
          study::run_scene(scene, {.directory = directory, .publish = publishes});
      if (summary.reason == sim::StopReason::failed)
        EXPECT_NE(summary.last_failure, integrators::StepStatus::accepted);
      else  // an end within a millionth of a step of the start is the start
        EXPECT_EQ(summary.accepted_steps > 0, scene.time.end > 1e-6 * scene.time.dt);
    });

    EXPECT_EQ(at_validation, at_run);
    accepted += at_run.empty() ? 1 : 0;
    std::filesystem::remove_all(dir.path() / "runs");
    if (HasFailure()) break;
  }
  std::cout << parsed << " could be read, " << accepted << " ran\n";
  EXPECT_GT(accepted, static_cast<int>(rounds / 10)) << "the changes are too wild to mean anything";
}

}  // namespace
}  // namespace sinew::scene
