// SPDX-License-Identifier: Apache-2.0
// Whole runs in this process: stopped after any step and continued, the files are those of a run
// that was never stopped.
#include <map>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/scene/format/scene_reader.hpp>
#include <sinew/sim/checkpoint.hpp>
#include <sinew/study/compare.hpp>
#include <sinew/study/forecast.hpp>
#include <sinew/study/run.hpp>

#include "support/temp_dir.hpp"

namespace sinew::scene {
namespace {

namespace fs = std::filesystem;
using test::TempDir;

/// Eight steps of 0.01 s; one side is let go on the third, the other between the fifth and sixth.
SceneSpec releasing_scene(const std::string& integrator) {
  return parse_scene(R"({ "sinew": 1, "threads": 1,
    "bodies": [ { "mesh": { "size": [1, 0.5, 0.5], "cells": [2, 1, 1] }, "material": { "young": 1e5 },
                  "damping": { "mass": 0.5, "stiffness": 1e-4 } } ],
    "motion": [ { "select": { "plane": { "normal": [1, 0, 0] } }, "position": ["x", "y", "z + t^2"], "until": 0.03 },
                { "select": { "plane": { "point": [1, 0, 0], "normal": [1, 0, 0] } },
                  "position": ["x + 0.1*t", "y", "z"], "until": 0.055 } ],
    "loads": [ { "value": [0, 0, -9.81] } ],
    "integrator": { "name": ")" +
                         integrator + R"(" },
    "time": { "dt": 0.01, "end": 0.08 },
    "output": { "fps": 100, "probes": [ { "name": "corner", "vertex": 0 } ] } })",
                     "test");
}

/// steps.csv holds wall times in its column 13.
std::string without_seconds(const std::string& table) {
  std::string result;
  std::istringstream rows(table);
  for (std::string row; std::getline(rows, row);) {
    std::istringstream cells(row);
    int column = 0;
    for (std::string cell; std::getline(cells, cell, ','); ++column)
      if (column != 13) result += cell + ',';
    result += '\n';
  }
  return result;
}

/// Everything that must not depend on interruptions.
std::map<std::string, std::string> results_of(const fs::path& directory) {
  std::map<std::string, std::string> files;
  for (const char* name : {"energy.csv", "probes.csv", "frames.pvd"})
    files[name] = core::read_file(directory / name);
  files["steps.csv"] = without_seconds(core::read_file(directory / "steps.csv"));
  for (const auto& frame : fs::directory_iterator(directory / "frames"))
    files[frame.path().filename().string()] = core::read_file(frame.path());
  return files;
}

/// Stops a run between any two nominal steps, resumes it, and compares everything it wrote.
void expect_same_files_after_interruptions(const SceneSpec& scene) {
  const TempDir dir;
  study::RunOptions options;
  options.publish = false;
  options.directory = dir.path() / "whole";
  const sim::RunSummary whole = study::run_scene(scene, options);
  ASSERT_EQ(whole.reason, sim::StopReason::reached_end);
  ASSERT_GE(whole.accepted_steps, 9) << "eight steps, one of them in two parts";
  const auto expected = results_of(options.directory);
  for (int stop = 0; stop < 9; ++stop) {
    options = {};
    options.publish = false;
    options.directory = dir.path() / std::to_string(stop);
    int asked = 0;
    options.stop_requested = [&] { return asked++ == stop; };
    ASSERT_EQ(study::run_scene(scene, options).reason, sim::StopReason::stopped_by_user) << stop;
    options.stop_requested = nullptr;
    options.resume = true;

    const sim::RunSummary resumed = study::run_scene(scene, options);

    EXPECT_EQ(resumed.reason, sim::StopReason::reached_end);
    EXPECT_EQ(resumed.accepted_steps, whole.accepted_steps);
    EXPECT_EQ(resumed.redone, whole.redone);
    const auto actual = results_of(options.directory);
    ASSERT_EQ(actual.size(), expected.size()) << "stopped after step " << stop;
    for (const auto& [name, content] : expected)
      EXPECT_TRUE(actual.at(name) == content) << name << " differs, stopped after step " << stop;
  }
}

TEST(RunScene, StoppedAfterAnyStepAndResumedTheFilesAreTheSame) {
  for (const std::string& integrator : integrators::integrator_names()) {
    SCOPED_TRACE(integrator);
    expect_same_files_after_interruptions(releasing_scene(integrator));
  }
}

TEST(RunScene, SpringsAreResumedToTheSameBits) {
  for (const char* integrator : {"si", "be", "bdf2"})
    for (const char* shape : {"rest", "current"}) {
      SCOPED_TRACE(integrator);
      SceneSpec scene = releasing_scene(integrator);
      scene.bodies[0].type = "springs";
      scene.bodies[0].springs.mass = 5.0;
      scene.bodies[0].springs.stiffness = 1e4;
      scene.bodies[0].damping.shape = shape;
      expect_same_files_after_interruptions(scene);
    }
}

TEST(RunScene, StepsChosenByTheirErrorAreTheSameAfterInterruptions) {
  for (const char* integrator : {"tr-bdf2", "si", "rk4"}) {
    SCOPED_TRACE(integrator);
    SceneSpec scene = releasing_scene(integrator);
    scene.time.tolerance = 1e-6;
    expect_same_files_after_interruptions(scene);
  }
}

TEST(RunScene, StepsThatTheGuardRedoesAreResumedToTheSameBits) {
  for (const char* integrator : {"si", "sbdf2", "ere", "siere", "sbdf2ere"}) {
    SCOPED_TRACE(integrator);
    SceneSpec scene = releasing_scene(integrator);
    // let go strongly compressed and bent
    scene.bodies[0].displacement = {"-0.7*x", "0.5*sin(9*x)", "0"};
    scene.bodies[0].velocity = {"0", "0", "50*sin(9*x)"};
    scene.bodies[0].material.young = "1e7";
    EXPECT_GT(study::run_scene(scene, {}).redone.total(), 0);
    expect_same_files_after_interruptions(scene);
  }
}

TEST(RunScene, AReleaseAtTheStartIsResumedToo) {
  const TempDir dir;
  SceneSpec scene = releasing_scene("si");
  scene.motion[0].until = 0.0;
  study::RunOptions options;
  options.publish = false;
  options.directory = dir.path() / "whole";
  study::run_scene(scene, options);
  const auto expected = results_of(options.directory);
  options.directory = dir.path() / "parts";
  int asked = 0;
  options.stop_requested = [&] { return asked++ == 4; };
  study::run_scene(scene, options);
  options.stop_requested = nullptr;
  options.resume = true;

  const sim::RunSummary resumed = study::run_scene(scene, options);

  EXPECT_EQ(resumed.reason, sim::StopReason::reached_end);
  EXPECT_TRUE(results_of(options.directory) == expected);
}

/// Runs to an end, then on to a later one, and compares with a run to the later one.
void expect_same_files_when_made_longer(SceneSpec scene, double first_end) {
  const TempDir dir;
  const double last_end = scene.time.end;
  study::RunOptions options;
  options.publish = false;
  options.directory = dir.path() / "whole";
  const sim::RunSummary whole = study::run_scene(scene, options);
  ASSERT_EQ(whole.reason, sim::StopReason::reached_end);
  options.directory = dir.path() / "parts";
  scene.time.end = first_end;
  ASSERT_EQ(study::run_scene(scene, options).reason, sim::StopReason::reached_end);
  const auto first = results_of(options.directory);
  options.resume = true;
  ASSERT_EQ(study::run_scene(scene, options).reason, sim::StopReason::reached_end);
  EXPECT_TRUE(results_of(options.directory) == first) << "nothing was left to do";
  scene.time.end = last_end;

  const sim::RunSummary longer = study::run_scene(scene, options);

  EXPECT_EQ(longer.reason, sim::StopReason::reached_end);
  EXPECT_EQ(longer.accepted_steps, whole.accepted_steps);
  const auto expected = results_of(dir.path() / "whole"), actual = results_of(options.directory);
  ASSERT_EQ(actual.size(), expected.size());
  for (const auto& [name, content] : expected)
    EXPECT_TRUE(actual.at(name) == content) << name << " differs, after an end at " << first_end;
}

TEST(RunScene, AFinishedRunMadeLongerIsTheLongRun) {
  for (const std::string& integrator : integrators::integrator_names()) {
    SCOPED_TRACE(integrator);
    SceneSpec scene = releasing_scene(integrator);
    scene.output.fps = 40.0;  // frames at 0, 0.03, 0.05 and 0.08 s, and at the end of each part
    // on the grid, in the middle of a step, in the step that an edit cuts in two, and before it
    for (const double end : {0.04, 0.035, 0.058, 0.0525})
      expect_same_files_when_made_longer(scene, end);
  }
}

TEST(RunScene, StepsChosenByTheirErrorAreMadeLongerToo) {
  for (const char* integrator : {"tr-bdf2", "rk4"}) {
    SCOPED_TRACE(integrator);
    SceneSpec scene = releasing_scene(integrator);
    scene.time.tolerance = 1e-6;
    for (const double end : {0.04, 0.035, 0.058}) expect_same_files_when_made_longer(scene, end);
  }
}

TEST(RunScene, WhatItTookIsCountedOverAllParts) {
  const TempDir dir;
  study::RunOptions options;
  options.publish = false;
  options.directory = dir.path() / "run";
  SceneSpec scene = releasing_scene("be");
  scene.time.end = 0.04;
  study::run_scene(scene, options);
  const fs::path folder = options.directory / "checkpoint";
  sim::Checkpoint point = sim::load_checkpoint(folder);
  EXPECT_GT(point.wall_seconds, 0.0);
  EXPECT_GT(point.profile.counts.newton, 0);
  // as if it had taken days
  point.wall_seconds = 2e5;
  point.output_seconds = 3e4;
  point.profile.seconds.solve = 1e5;
  point.profile.counts.newton = 1000000;
  sim::save_checkpoint(folder, point);
  scene.time.end = 0.08;
  options.resume = true;

  const sim::RunSummary summary = study::run_scene(scene, options);

  EXPECT_GT(summary.wall_seconds, 2e5);
  EXPECT_GT(summary.profile.counts.newton, 1000000);
  const auto manifest = nlohmann::json::parse(core::read_file(options.directory / "manifest.json"));
  EXPECT_EQ(manifest["seconds"]["wall"], summary.wall_seconds);
  EXPECT_GT(manifest["seconds"]["output"].get<double>(), 3e4);
  EXPECT_GE(manifest["seconds"]["solve"].get<double>(), 1e5);
}

TEST(RunScene, ARunCannotBeMadeShorter) {
  const TempDir dir;
  study::RunOptions options;
  options.publish = false;
  options.directory = dir.path() / "run";
  SceneSpec scene = releasing_scene("be");
  study::run_scene(scene, options);
  const auto before = results_of(options.directory);
  options.resume = true;
  scene.time.end = 0.05;

  try {
    study::run_scene(scene, options);
    FAIL() << "a run was made shorter";
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().front().where, "/time/end");
  }

  EXPECT_TRUE(results_of(options.directory) == before);
}

TEST(RunScene, CheckpointsMayBeTurnedOff) {
  const TempDir dir;
  study::RunOptions options;
  options.publish = false;
  options.checkpoint_every = 0.0;
  options.directory = dir.path() / "run";

  study::run_scene(releasing_scene("be"), options);

  EXPECT_FALSE(fs::exists(options.directory / "checkpoint"));
}

TEST(RunScene, SettlingSaysHowFarItIs) {
  SceneSpec scene = releasing_scene("be");
  scene.fixed.push_back({.body = scene.motion[0].body, .select = scene.motion[0].select});
  scene.motion.clear();
  scene.settle = SettleSpec{.dt = 0.01, .end = 0.05};
  scene.time.end = 0.01;
  std::vector<double> times;
  study::RunOptions options;
  options.on_settling = [&times](double t, double end) {
    times.push_back(t);
    EXPECT_EQ(end, 0.05);
  };

  study::run_scene(scene, options);

  ASSERT_EQ(times.size(), 5u);
  for (std::size_t k = 0; k < times.size(); ++k)
    EXPECT_NEAR(times[k], 0.01 * static_cast<double>(k + 1), 1e-12);
}

TEST(CompareScene, SaysHowFarEachRunIs) {
  const TempDir dir;
  study::CompareOptions options;
  options.directory = dir.path() / "cmp";
  options.integrators = {"be", "si"};
  std::map<std::string, double> reached;
  std::vector<study::BatchProgress> last;
  options.on_progress = [&](const std::vector<study::BatchProgress>& runs) {
    for (const study::BatchProgress& run : runs) {
      EXPECT_GE(run.t, reached[run.name]) << "time does not go back";
      reached[run.name] = run.t;
      EXPECT_FALSE(run.is_running && run.has_ended);
    }
    last = runs;
  };

  const study::ComparisonResult result = study::compare(releasing_scene("be"), options);

  ASSERT_EQ(result.runs.size(), 2u);
  ASSERT_EQ(last.size(), 2u);
  for (std::size_t k = 0; k < last.size(); ++k) {
    EXPECT_EQ(last[k].name, options.integrators[k]);
    EXPECT_TRUE(last[k].has_ended);
    EXPECT_NEAR(last[k].t, last[k].end, 1e-12);
    EXPECT_EQ(result.runs[k].reached, last[k].t);
  }
}

TEST(Forecast, KnowsWhatARunWouldBe) {
  SceneSpec scene = releasing_scene("be");
  scene.time.end = 1.005;
  scene.output.fps = 40.0;

  const study::Forecast found = study::forecast(scene);

  EXPECT_EQ(found.tets, 10);
  EXPECT_EQ(found.vertices, 12);
  EXPECT_EQ(found.steps, 101) << "the last one is short";
  EXPECT_EQ(found.frames, 42) << "41 on their grid, and the end";
  EXPECT_GE(found.measured_steps, 2);
  EXPECT_LE(found.measured_steps, 20);
  EXPECT_EQ(found.measured.reason, sim::StopReason::stopped_by_user) << "enough was seen";
  EXPECT_GT(found.seconds(), 100.0 * found.step_seconds);
  EXPECT_GT(found.frame_bytes, 0.0);
}

TEST(Forecast, AgreesWithTheRunAboutStepsAndFrames) {
  for (const auto& [end, fps] :
       {std::pair{0.08, 100.0}, {0.075, 40.0}, {0.08, 1000.0}, {0.0, 60.0}}) {
    const TempDir dir;
    SceneSpec scene = releasing_scene("be");
    scene.motion.clear();  // edits between the steps make more of them
    scene.time.end = end;
    scene.output.fps = fps;
    study::RunOptions options;
    options.publish = false;
    options.directory = dir.path() / "run";

    const study::Forecast found = study::forecast(scene);
    const sim::RunSummary summary = study::run_scene(scene, options);

    EXPECT_EQ(found.steps, summary.accepted_steps) << end;
    const fs::directory_iterator frames(options.directory / "frames");
    EXPECT_EQ(found.frames, std::distance(begin(frames), fs::directory_iterator())) << fps;
  }
}

TEST(RunScene, AnEarlierRunIsReplacedOnlyWhenAsked) {
  const TempDir dir;
  study::RunOptions options;
  options.publish = false;
  options.directory = dir.path() / "run";
  SceneSpec scene = releasing_scene("be");
  study::run_scene(scene, options);

  EXPECT_THROW(study::run_scene(scene, options), InputError);

  options.replace = true;
  scene.time.end = 0.01;
  EXPECT_EQ(study::run_scene(scene, options).accepted_steps, 1);
}

TEST(RunScene, TheManifestHoldsTheSceneItWasMadeWith) {
  const TempDir dir;
  study::RunOptions options;
  options.publish = false;
  options.directory = dir.path() / "run";
  const SceneSpec scene = releasing_scene("be");
  study::run_scene(scene, options);

  const SceneSpec again = study::scene_of_run(options.directory, {{"time.end", "0.5"}});

  EXPECT_EQ(again.integrator.name, "be");
  EXPECT_EQ(again.motion.at(1).until, 0.055);
  EXPECT_EQ(again.time.end, 0.5);
  EXPECT_THROW(study::scene_of_run(dir.path()), InputError);
}

TEST(RunScene, WithoutADirectoryNothingIsWritten) {
  struct Count final : sim::Observer {
    void on_step(const sim::FrameView&, const sim::StepRecord&) override { ++steps; }
    int steps = 0;
  } count;
  study::RunOptions options;
  options.publish = false;
  options.observers = {&count};

  const sim::RunSummary summary = study::run_scene(releasing_scene("si"), options);

  EXPECT_EQ(summary.reason, sim::StopReason::reached_end);
  EXPECT_EQ(count.steps, 9);
}

}  // namespace
}  // namespace sinew::scene
