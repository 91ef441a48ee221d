// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sinew/core/atomic_file.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/output/record/manifest_writer.hpp>
#include <sinew/scene/compile/compile.hpp>
#include <sinew/scene/format/scene_reader.hpp>
#include <sinew/scene/format/scene_writer.hpp>
#include <sinew/study/run.hpp>

#include "support/temp_dir.hpp"

namespace sinew::output {
namespace {

using Json = nlohmann::json;
using test::TempDir;

scene::SceneSpec small_scene(const std::vector<scene::Override>& overrides = {}) {
  return scene::parse_scene(R"({ "sinew": 1, "name": "small", "threads": 1,
    "bodies": [ { "mesh": { "size": [1, 0.5, 0.5], "cells": [2, 1, 1] } } ],
    "fixed": [ { "select": { "plane": { "normal": [1, 0, 0] } } } ],
    "loads": [ { "value": [0, 0, -9.81] } ],
    "integrator": { "name": "be", "max_newton": 17 },
    "time": { "dt": 0.1, "end": 0.3 }, "output": { "fps": 0 } })",
                            "test", overrides);
}

Json manifest_of(const scene::SceneSpec& scene, study::RunOptions options = {}) {
  const TempDir dir;
  options.directory = dir.path() / "run";
  study::run_scene(scene, options);
  return Json::parse(core::read_file(options.directory / "manifest.json"));
}

TEST(Manifest, HasEveryKeyOfTheContract) {
  const Json manifest = manifest_of(small_scene());

  const std::vector<std::pair<std::string, std::vector<std::string>>> promised{
      {"",
       {"format", "version", "status", "reason", "scene", "integrator", "up", "dt", "threads",
        "dofs", "elements", "steps", "guard", "health", "seconds", "counts", "energy", "machine"}},
      {"/steps", {"accepted", "rejected"}},
      {"/guard", {"policy", "redone"}},
      {"/health", {"energy_excess", "absurd_since", "unresolved_damping", "notes"}},
      {"/guard/redone", {"projected", "si", "be"}},
      {"/seconds",
       {"wall", "setup", "assemble", "factorize", "solve", "modes", "phi", "contact", "output"}},
      {"/counts", {"force", "tangent", "factorizations", "solves", "matvecs", "newton", "krylov"}},
      {"/energy", {"initial", "final", "drift", "drift_max"}},
      {"/machine", {"cpu", "cores", "compiler", "blas"}},
  };
  for (const auto& [pointer, keys] : promised)
    for (const std::string& key : keys)
      EXPECT_TRUE(manifest.at(Json::json_pointer(pointer)).contains(key)) << pointer << "/" << key;
}

TEST(Manifest, SaysWhichWayIsUp) {
  const auto up_with = [](const std::vector<scene::Override>& changes) {
    return manifest_of(small_scene(changes)).at("up");
  };
  EXPECT_EQ(up_with({}), Json::parse("[0.0, 0.0, 1.0]")) << "against gravity";
  EXPECT_EQ(up_with({{"loads.0.value", "[0, -9.81, 0]"}}), Json::parse("[0.0, 1.0, 0.0]"));
  EXPECT_EQ(up_with({{"loads.0.value", R"(["0", "-2*t", "0"])"}}), Json::parse("[0.0, 0.0, 1.0]"))
      << "gravity that begins with nothing";
  EXPECT_EQ(up_with({{"loads", "[]"}}), Json::parse("[0.0, 0.0, 1.0]"));
  EXPECT_EQ(up_with({{"up", R"("-x")"}}), Json::parse("[-1.0, 0.0, 0.0]"))
      << "the scene's word counts more than gravity";
  EXPECT_EQ(up_with({{"up", "[0, 3, 0]"}}), Json::parse("[0.0, 1.0, 0.0]"));
}

TEST(Manifest, TellsWhatWasRun) {
  const scene::SceneSpec scene = small_scene();

  const Json manifest = manifest_of(scene);

  EXPECT_EQ(manifest.at("format"), 1);
  EXPECT_EQ(manifest.at("status"), "finished");
  EXPECT_EQ(manifest.at("scene"), Json::parse(scene::to_json(scene))) << "the resolved scene";
  EXPECT_EQ(manifest.at("dt"), 0.1);
  EXPECT_EQ(manifest.at("threads"), 1);
  EXPECT_EQ(manifest.at("dofs"), 3 * 8);
  EXPECT_EQ(manifest.at("elements"), 10);
  EXPECT_EQ(manifest.at("steps").at("accepted"), 3);
  EXPECT_GT(manifest.at("counts").at("newton").get<int>(), 0);
}

TEST(Manifest, NamesEveryOptionOfTheIntegrator) {
  for (const integrators::IntegratorEntry& entry : integrators::integrators()) {
    const std::string name(entry.traits.name);
    const Json manifest =
        manifest_of(small_scene({{"/integrator", R"({"name": ")" + name + R"("})"},
                                 {"time.dt", "1e-3"},
                                 {"time.end", "3e-3"}}));

    EXPECT_EQ(manifest.at("integrator").at("name"), name);
    for (const integrators::OptionInfo& option : entry.options)
      EXPECT_TRUE(manifest.at("integrator").contains(option.name)) << name << ": " << option.name;
  }
  EXPECT_EQ(manifest_of(small_scene()).at("integrator").at("max_newton"), 17);
}

TEST(Manifest, SaysWhoWatchedTheSteps) {
  const Json be = manifest_of(small_scene()).at("guard");
  const Json si = manifest_of(small_scene({{"/integrator", R"({"name": "si"})"}})).at("guard");

  EXPECT_EQ(be.at("policy"), "watch");
  EXPECT_EQ(si.at("policy"), "ladder");
  EXPECT_EQ(si.at("redone"), (Json{{"projected", 0}, {"si", 0}, {"be", 0}}));
}

TEST(Manifest, TellsHowStepsWereRedone) {
  sim::RunSummary summary;
  summary.accepted_steps = 150;
  summary.redone = {.projected = 2, .linear = 0, .nonlinear = 1};

  EXPECT_EQ(guard_text(summary), "3 of 150 steps redone: 2 with the projected tangent, 1 by be");
}

TEST(Manifest, SaysRunningUntilTheEnd) {
  const TempDir dir;
  struct Watch final : sim::Observer {
    explicit Watch(std::filesystem::path file) : path(std::move(file)) {}
    void on_step(const sim::FrameView&, const sim::StepRecord&) override {
      status = Json::parse(core::read_file(path)).at("status");
    }
    std::filesystem::path path;
    std::string status;
  } watch(dir.path() / "run" / "manifest.json");

  study::run_scene(small_scene(), {.directory = dir.path() / "run", .observers = {&watch}});

  EXPECT_EQ(watch.status, "running");
}

TEST(Manifest, AStoppedRunSaysSo) {
  int asked = 0;
  study::RunOptions options;
  options.stop_requested = [&] { return ++asked > 2; };

  const Json manifest = manifest_of(small_scene(), options);

  EXPECT_EQ(manifest.at("status"), "stopped");
  EXPECT_EQ(manifest.at("steps").at("accepted"), 2);
}

TEST(Manifest, TheReasonOfAFailureNamesStepTimeAndRemedy) {
  sim::RunSummary summary;
  summary.reason = sim::StopReason::failed;
  summary.accepted_steps = 41;
  summary.failure_time = 0.205;
  summary.failure_dt = 0.00125;
  for (const auto status :
       {integrators::StepStatus::newton_not_converged, integrators::StepStatus::linear_solve_failed,
        integrators::StepStatus::phi_not_converged, integrators::StepStatus::not_finite}) {
    summary.last_failure = status;

    const std::string reason = reason_text(summary);

    EXPECT_EQ(reason.find("step 42 at t = 0.205 s failed with dt = 0.00125 s: "), 0u) << reason;
    EXPECT_NE(reason.find("reduce dt"), std::string::npos) << reason;
  }
}

TEST(Manifest, NothingIsWrittenForASceneThatCannotRun) {
  const TempDir dir;
  scene::SceneSpec scene = small_scene();
  scene.fixed[0].select = {};  // everything

  EXPECT_THROW(study::run_scene(scene, {.directory = dir.path() / "run"}), std::exception);
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "run"));
}

}  // namespace
}  // namespace sinew::output
