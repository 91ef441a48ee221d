// SPDX-License-Identifier: Apache-2.0
// Formulas whose values are not finite: whoever wrote one is told which, where it stands and when
// it went wrong.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/scene/compile/compile.hpp>
#include <sinew/scene/format/scene_reader.hpp>
#include <sinew/study/run.hpp>

#include "support/temp_dir.hpp"

namespace sinew::scene {
namespace {

using test::TempDir;

/// A small bar, held at one end, for ten steps of 0.01 s.
std::string bar(const std::string& keys, const std::string& body_keys = "",
                const std::string& integrator = "si") {
  return R"({ "sinew": 1, "threads": 1,
    "bodies": [ { "mesh": { "size": [1, 0.5, 0.5], "cells": [2, 1, 1] }, "material": { "young": 1e5 })" +
         body_keys + R"( } ],
    "integrator": { "name": ")" +
         integrator + R"(" }, "time": { "dt": 0.01, "end": 0.1 }, "output": { "fps": 0 }, )" +
         keys + " }";
}

const std::string held = R"("fixed": [ { "select": { "plane": { "normal": [1, 0, 0] } } } ])";

std::string error_of(const SceneSpec& scene) {
  try {
    compile(scene);
  } catch (const InputError& error) {
    return error.what();
  }
  return "compiled";
}

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << "missing: " << part << "\nin: " << text;
}

TEST(Formulas, OfTheStartAreNamedWithTheirVertex) {
  const auto broken = [](const std::string& body_keys) {
    return error_of(parse_scene(bar(held, ", " + body_keys), "test"));
  };

  expect_parts(broken(R"("initial": { "displacement": ["0", "(0.7 - x)^0.5", "0"] })"),
               {"test: /bodies/0/initial/displacement/1: ", "'(0.7 - x)^0.5' is nan at [1, ",
                "t = 0", "of body 'body'", "root of a negative number"});
  expect_parts(broken(R"("velocity": ["0", "0", "1/t"])"),
               {"test: /bodies/0/velocity/2: the formula '1/t' is inf at t = 0"});
}

TEST(Formulas, OfMaterialsAreNamedWithTheirPlace) {
  const std::string keys = R"(, "material": { "density": "1000*(0.5 - x)^0.5" } } ])";
  const std::string text =
      R"({ "sinew": 1, "bodies": [ { "mesh": { "cells": [2, 1, 1] })" + keys + " }";

  expect_parts(error_of(parse_scene(text, "test")),
               {"test: /bodies/0/material/density: the formula '1000*(0.5 - x)^0.5' is nan at [",
                "above 0"});
}

TEST(Formulas, OfMotionThatCannotBeginAreNamed) {
  const std::string motion =
      R"("motion": [ { "select": { "plane": { "normal": [1, 0, 0] } }, "position": ["x", "y", )";

  expect_parts(error_of(parse_scene(bar(motion + R"("z + 1/t"] } ])"), "test")),
               {"test: /motion/0/position/2: the formula 'z + 1/t' is inf at [0, ", "t = 0"});
  // a position, but no velocity
  expect_parts(error_of(parse_scene(bar(motion + R"("t > 0 ? z + log(-t) : z"] } ])"), "test")),
               {"test: /motion/0/position/2: ", "is nan", "e-05"});
}

TEST(Formulas, OfSettlingAreNamed) {
  const std::string keys = R"("settle": { "dt": 0.1, "end": 1, "motion": [
      { "select": { "plane": { "point": [1, 0, 0], "normal": [1, 0, 0] } },
        "position": ["x", "y", "z + 0.01*(0.45 - t)^0.5"] } ] }, )";

  expect_parts(error_of(parse_scene(bar(keys + held), "test")),
               {"test: /settle/motion/0/position/2: ", "'z + 0.01*(0.45 - t)^0.5' is nan at [1, "});
}

TEST(Formulas, OfScenesMadeByProgramsAreCheckedToo) {
  SceneSpec scene = parse_scene(bar(held), "test");
  scene.bodies[0].velocity[1] = "0,5";
  scene.bodies[0].material.young = "1e6 +";
  scene.loads.push_back({.value = {"0", "0", "x = 3"}});

  expect_parts(error_of(scene), {"test: /bodies/0/material/young: '1e6 +' is not a formula"});
  scene.bodies[0].material.young = 1e6;
  expect_parts(error_of(scene), {"test: /loads/0/value/2: 'x = 3' is not a formula", "write =="});
  scene.loads.clear();
  expect_parts(error_of(scene), {"test: /bodies/0/velocity/1: '0,5' is not a formula", "point"});
}

struct Failing {
  std::string name;
  std::string keys;                ///< of the scene
  std::vector<std::string> parts;  ///< of the reason
};

class FailingFormula : public testing::TestWithParam<std::tuple<Failing, std::string>> {};

/// Where it goes wrong, to within the last step that was tried.
double time_in(const std::string& reason) {
  const std::size_t at = reason.rfind("t = ");
  return at == std::string::npos ? -1.0 : std::stod(reason.substr(at + 4));
}

TEST_P(FailingFormula, IsNamedInTheReasonOfTheRun) {
  const auto& [failing, integrator] = GetParam();
  const TempDir dir;
  const SceneSpec scene = parse_scene(bar(failing.keys, "", integrator), "test");

  const sim::RunSummary summary =
      study::run_scene(scene, {.directory = dir.path() / "run", .publish = false});

  EXPECT_EQ(summary.reason, sim::StopReason::failed);
  const auto manifest =
      nlohmann::json::parse(core::read_file(dir.path() / "run" / "manifest.json"));
  EXPECT_EQ(manifest["status"], "failed");
  const auto reason = manifest["reason"].get<std::string>();
  expect_parts(reason, failing.parts);
  EXPECT_NEAR(time_in(reason), 0.05, 1e-3) << reason;
}

std::vector<Failing> failing_formulas() {
  const std::string end = R"("select": { "plane": { "point": [1, 0, 0], "normal": [1, 0, 0] } })";
  return {
      {"force",
       held + R"(, "loads": [ { "type": "force", "value": ["0", "0", "(0.05 - t)^0.5"] } ])",
       {"the formula '(0.05 - t)^0.5' is nan at t = 0.05", "(/loads/0/value/2)", "finite value"}},
      {"force_at_one_instant",
       held + R"(, "loads": [ { "value": ["0", "0", "-9.81"] },
                              { "type": "force", "value": ["(t < 0.05)^-1", "0", "0"] } ])",
       {"the formula '(t < 0.05)^-1' is ", "inf at t = 0.05", "(/loads/1/value/0)"}},
      {"gravity",
       held + R"(, "loads": [ { "value": ["0", "t > 0.05 ? log(x - 9) : 0", "0"] } ])",
       {"'t > 0.05 ? log(x - 9) : 0' is nan at [", "(/loads/0/value/1)"}},
      {"pressure",
       held + R"(, "loads": [ { "type": "pressure", "pressure": "10*(0.05 - t)^0.5" } ])",
       {"the formula '10*(0.05 - t)^0.5' is nan at t = 0.05", "(/loads/0/pressure)"}},
      {"wind",
       held + R"(, "loads": [ { "type": "wind", "velocity": ["-5", "x*(0.05 - t)^0.5", "0"] } ])",
       {"the formula 'x*(0.05 - t)^0.5' is nan at [", "(/loads/0/velocity/1)"}},
      {"motion",
       held + R"(, "motion": [ { )" + end +
           R"(, "position": ["x", "y", "z + (0.05 - t)^0.5/9"] } ])",
       {"the formula 'z + (0.05 - t)^0.5/9' is nan at [1, ", "(/motion/0/position/2)"}},
  };
}

INSTANTIATE_TEST_SUITE_P(Formulas, FailingFormula,
                         testing::Combine(testing::ValuesIn(failing_formulas()),
                                          testing::Values("si", "be", "tr-bdf2", "ere", "siere")),
                         [](const auto& tested) {
                           std::string name =
                               std::get<0>(tested.param).name + "_" + std::get<1>(tested.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Formulas, AreNotBlamedForWhatTheyDidNotDo) {
  const TempDir dir;
  // neither is finite for ever; one is let go before, and the method blows up before the other
  const std::string keys =
      R"("motion": [ { "select": { "plane": { "normal": [1, 0, 0] } },
                       "position": ["x", "y", "z + 0.01*(0.03 - t)^0.5"], "until": 0.02 } ],
         "loads": [ { "type": "force", "value": ["0", "0", "1e9*(49 - t)^0.5"] } ])";
  SceneSpec scene = parse_scene(bar(keys, "", "rk4"), "test");
  scene.time = {.dt = 0.1, .end = 50.0, .max_halvings = 0};

  const sim::RunSummary summary =
      study::run_scene(scene, {.directory = dir.path() / "run", .publish = false});

  EXPECT_EQ(summary.reason, sim::StopReason::failed);
  EXPECT_LT(summary.failure_time, 40.0);
  EXPECT_EQ(summary.cause, "");
}

}  // namespace
}  // namespace sinew::scene
