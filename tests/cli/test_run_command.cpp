// SPDX-License-Identifier: Apache-2.0
// What sinew run promises to people and scripts: exit codes, what goes to stdout and what to
// stderr, and what a run leaves behind, also where it fails.
#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/sinew_command.hpp"
#include "support/temp_dir.hpp"

namespace sinew::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// A bar of ten tets that takes milliseconds.
constexpr auto small_scene = R"({
  "sinew": 1, "name": "small",
  "bodies": [ { "name": "bar", "mesh": { "generator": "bar", "size": [1, 0.5, 0.5], "cells": [2, 1, 1] } } ],
  "fixed": [ { "select": { "plane": { "normal": [1, 0, 0] } } } ],
  "loads": [ { "value": [0, 0, -9.81] } ],
  "time": { "dt": 0.01, "end": 0.1 },
  "output": { "fps": 50, "probes": [ { "name": "tip", "vertex": 11 } ] } })";

std::size_t count_files(const fs::path& folder) {
  if (!fs::exists(folder)) return 0;
  const auto files = fs::directory_iterator(folder);
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

class RunTest : public testing::Test {
 protected:
  RunTest() { dir_.write("scene.json", small_scene); }

  CommandResult run(std::vector<std::string> options, const std::string& output = "out") const {
    std::vector<std::string> arguments{"run", "scene.json"};
    if (!output.empty()) arguments.insert(arguments.end(), {"-o", output});
    arguments.insert(arguments.end(), options.begin(), options.end());
    // nothing here looks at it, and it takes longer than these runs
    if (std::find(options.begin(), options.end(), "--format") == options.end())
      arguments.emplace_back("--no-report");
    return sinew(arguments, dir_.path());
  }
  fs::path path(const std::string& name) const { return dir_.path() / name; }
  Json manifest(const std::string& output = "out") const {
    return Json::parse(content_of(path(output) / "manifest.json"));
  }
  std::size_t num_rows(const std::string& table) const {
    return lines_of(content_of(path("out") / table)).size() - 1;
  }

  TempDir dir_;
};

TEST_F(RunTest, ARunLeavesWhatTheContractNames) {
  const CommandResult result = run({});

  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  for (const char* file : {"manifest.json", "energy.csv", "steps.csv", "probes.csv", "frames.pvd",
                           "frames/frame_000000.vtu"})
    EXPECT_TRUE(fs::is_regular_file(path("out") / file)) << file;
  EXPECT_EQ(manifest().at("status"), "finished");
  EXPECT_EQ(num_rows("energy.csv"), 11u) << "the start and ten steps";
  EXPECT_EQ(num_rows("probes.csv"), 11u);
  EXPECT_EQ(num_rows("steps.csv"), 10u);
  EXPECT_EQ(count_files(path("out/frames")), 6u) << "0.1 s at 50 frames per second, and the start";
}

TEST_F(RunTest, TheSummaryGoesToStdoutAndNothingElseDoes) {
  const CommandResult result = run({});

  EXPECT_TRUE(contains(result.out, "10 accepted")) << result.to_text();
  EXPECT_TRUE(contains(result.out, "out")) << result.to_text();
  EXPECT_EQ(result.err, "") << "a run shorter than the progress interval says nothing";
}

TEST_F(RunTest, StepsThatWereRedoneAreMentioned) {
  const std::vector<std::string> squeezed{
      "--integrator", "si", "--set",
      R"~(bodies.0.initial.displacement=["-0.6*x", "0.5*sin(9*x)", 0])~"};
  const CommandResult result = run(squeezed);

  EXPECT_TRUE(contains(result.out, "steps redone: ")) << result.to_text();
  EXPECT_TRUE(manifest().at("guard").at("redone").at("projected").get<long>() +
                  manifest().at("guard").at("redone").at("be").get<long>() >
              0);
}

TEST_F(RunTest, QuietPrintsNothing) {
  const CommandResult result = run({"--quiet"});

  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "");
}

TEST_F(RunTest, JsonPrintsTheManifest) {
  const CommandResult result = run({"--json"});

  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  EXPECT_EQ(Json::parse(result.out), manifest());
}

TEST_F(RunTest, StepsAndDtDecideTheEnd) {
  const CommandResult result = run({"--dt", "0.002", "--steps", "7"});

  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  EXPECT_EQ(manifest().at("dt"), 0.002);
  EXPECT_EQ(manifest().at("steps").at("accepted"), 7);
  EXPECT_EQ(manifest().at("scene").at("time").at("end"), 7 * 0.002);
}

TEST_F(RunTest, NoStepsIsARunOfTheStartAlone) {
  const CommandResult result = run({"--steps", "0"});

  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  EXPECT_EQ(num_rows("energy.csv"), 1u);
  EXPECT_EQ(num_rows("steps.csv"), 0u);
}

TEST_F(RunTest, TheEndNeedNotBeAMultipleOfDt) {
  const CommandResult result = run({"--end", "0.025"});

  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  EXPECT_EQ(num_rows("steps.csv"), 3u);
  const std::string last = lines_of(content_of(path("out/probes.csv"))).back();
  // two whole steps and a half one, up to the rounding of their sum
  EXPECT_NEAR(std::stod(last), 0.025, 1e-15);
}

TEST_F(RunTest, SetTakesDottedPathsAndPointers) {
  const CommandResult result =
      run({"--set", "time.dt=0.05", "--set", "/bodies/0/material/young=2e5", "--set", "name=other",
           "--set", R"(integrator={"name": "be"})", "--set", R"(loads.1={"value": [1, 0, 0]})"});

  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  const Json scene = manifest().at("scene");
  EXPECT_EQ(scene.at("time").at("dt"), 0.05);
  EXPECT_EQ(scene.at("bodies").at(0).at("material").at("young"), 2e5);
  EXPECT_EQ(scene.at("name"), "other");
  EXPECT_EQ(scene.at("integrator").at("name"), "be");
  EXPECT_EQ(scene.at("loads").size(), 2u);
}

TEST_F(RunTest, EveryIntegratorRunsTheSmallScene) {
  for (const std::string& name : listed("integrators")) {
    // explicit methods are stable up to about 5e-3 s: the smallest height of a tet, 0.29 m, over
    // the speed of pressure waves, 62 m/s
    const CommandResult result = run({"--integrator", name, "--dt", "1e-4", "--steps", "5"}, name);

    EXPECT_EQ(result.exit_code, 0) << result.to_text();
    EXPECT_EQ(manifest(name).at("integrator").at("name"), name);
  }
}

TEST_F(RunTest, FpsAndFormatDecideTheFrames) {
  const CommandResult result = run({"--fps", "10", "--format", "vtu"});

  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  EXPECT_EQ(count_files(path("out/frames")), 2u) << "the start and the end";
}

TEST_F(RunTest, WithoutAReportThereAreFramesButNoPictures) {
  const CommandResult result =
      sinew({"run", "scene.json", "-o", "out", "--no-report"}, dir_.path());

  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  EXPECT_GT(count_files(path("out/frames")), 1u);
  EXPECT_FALSE(fs::exists(path("out/report.html")));
  EXPECT_FALSE(fs::exists(path("out/preview.png")));
  EXPECT_EQ(run({"--format", "obj", "--no-report"}).exit_code, 2);
}

TEST_F(RunTest, NoFramesMeansNone) {
  const CommandResult result = run({"--no-frames"});

  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  EXPECT_FALSE(fs::exists(path("out/frames")));
  EXPECT_FALSE(fs::exists(path("out/frames.pvd")));
}

TEST_F(RunTest, ThreadsDoNotChangeABit) {
  const CommandResult one = run({"--threads", "1"}, "one");
  const CommandResult two = run({"--threads", "2"}, "two");

  EXPECT_EQ(one.exit_code, 0) << one.to_text();
  EXPECT_EQ(two.exit_code, 0) << two.to_text();
  EXPECT_EQ(manifest("one").at("threads"), 1);
  EXPECT_EQ(manifest("two").at("threads"), 2);
  for (const char* file : {"energy.csv", "probes.csv", "frames/frame_000005.vtu"})
    EXPECT_EQ(content_of(path("one") / file), content_of(path("two") / file)) << file;
}

TEST_F(RunTest, WithoutAPlaceItChoosesOne) {
  const CommandResult result = run({"--steps", "1"}, "");

  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  EXPECT_TRUE(fs::exists(path("runs/small-si/manifest.json"))) << result.to_text();
}

TEST_F(RunTest, PlacesThatItChoosesAreNumbered) {
  ASSERT_EQ(run({"--steps", "1"}, "").exit_code, 0);

  const CommandResult second = run({"--steps", "2"}, "");
  const CommandResult third = run({"--steps", "3"}, "");

  EXPECT_EQ(second.exit_code, 0) << second.to_text();
  EXPECT_TRUE(contains(second.err, "runs/small-si already; this goes to runs/small-si-2"))
      << second.err;
  EXPECT_EQ(third.exit_code, 0) << third.to_text();
  EXPECT_EQ(manifest("runs/small-si").at("steps").at("accepted"), 1);
  EXPECT_EQ(manifest("runs/small-si-2").at("steps").at("accepted"), 2);
  EXPECT_EQ(manifest("runs/small-si-3").at("steps").at("accepted"), 3);

  const CommandResult forced = run({"--steps", "4", "--force"}, "");

  EXPECT_EQ(forced.exit_code, 0) << forced.to_text();
  EXPECT_EQ(manifest("runs/small-si").at("steps").at("accepted"), 4);
  EXPECT_EQ(count_files(path("runs")), 3u);
}

TEST_F(RunTest, ANameWithSlashesStaysInsideRuns) {
  const CommandResult result = run({"--steps", "1", "--set", "name=../../elsewhere"}, "");

  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  EXPECT_EQ(count_files(path("runs")), 1u);
  EXPECT_EQ(count_files(dir_.path()), 2u) << "the scene and runs/";
}

TEST_F(RunTest, ADirectoryThatIsNoRunIsLeftAlone) {
  fs::create_directory(path("out"));
  dir_.write("out/thesis.txt", "years of work");

  for (const std::vector<std::string>& options : {std::vector<std::string>{}, {"--force"}}) {
    const CommandResult result = run(options);

    EXPECT_EQ(result.exit_code, 2) << result.to_text();
    EXPECT_TRUE(contains(result.err, "not an earlier run")) << result.err;
  }
  EXPECT_EQ(count_files(path("out")), 1u);
  EXPECT_EQ(content_of(path("out/thesis.txt")), "years of work");
}

TEST_F(RunTest, AManifestOfAnotherProgramIsNoRun) {
  fs::create_directory(path("out"));
  dir_.write("out/manifest.json", R"({ "name": "some web page" })");

  const CommandResult result = run({"--force"});

  EXPECT_EQ(result.exit_code, 2) << result.to_text();
  EXPECT_TRUE(contains(content_of(path("out/manifest.json")), "some web page"));
}

TEST_F(RunTest, AFileInTheWayIsLeftAlone) {
  dir_.write("out", "a file");

  const CommandResult result = run({"--force"});

  EXPECT_EQ(result.exit_code, 2) << result.to_text();
  EXPECT_EQ(content_of(path("out")), "a file");
}

TEST_F(RunTest, AnEarlierRunIsLeftAlone) {
  ASSERT_EQ(run({}).exit_code, 0);
  const std::string before = content_of(path("out/energy.csv"));

  const CommandResult result = run({"--steps", "2"});

  EXPECT_EQ(result.exit_code, 2) << result.to_text();
  EXPECT_TRUE(contains(result.err, "out: there is an earlier run")) << result.err;
  for (const char* way_out : {"--force", "-o"})
    EXPECT_TRUE(contains(result.err, way_out)) << result.err;
  EXPECT_EQ(content_of(path("out/energy.csv")), before);
}

TEST_F(RunTest, WithForceAnEarlierRunIsReplacedButForeignFilesStay) {
  ASSERT_EQ(run({}).exit_code, 0);
  dir_.write("out/notes.txt", "mine");

  const CommandResult result = run({"--steps", "2", "--force"});

  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  EXPECT_EQ(num_rows("energy.csv"), 3u);
  EXPECT_EQ(count_files(path("out/frames")), 2u) << "no frame of the longer run is left";
  EXPECT_EQ(content_of(path("out/notes.txt")), "mine");
}

TEST_F(RunTest, NoPartFilesAreLeft) {
  ASSERT_EQ(run({}).exit_code, 0);

  for (const auto& entry : fs::recursive_directory_iterator(path("out")))
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
}

TEST_F(RunTest, ADryRunSaysWhatItWouldBeAndWritesNothing) {
  const CommandResult result =
      sinew({"run", "scene.json", "--dry-run", "--dt", "0.002"}, dir_.path());

  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  for (const char* part : {"small: 1 body, 12 vertices, 10 tets, 24 unknowns", "si, dt = 0.002 s",
                           "steps       50, to t = 0.1 s", "frames      6 of ", "memory      ",
                           " MB: the most", "time        about ", "measured on the first 20 steps",
                           "directory   runs/small-si", "nothing was written"})
    EXPECT_TRUE(contains(result.out, part)) << part << "\n" << result.to_text();
  EXPECT_EQ(count_files(dir_.path()), 1u) << "the scene";
}

TEST_F(RunTest, ADryRunOfAShortRunIsTheRun) {
  const CommandResult result = sinew({"run", "scene.json", "--dry-run"}, dir_.path());

  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  EXPECT_TRUE(contains(result.out, "steps       10, ")) << result.out;
  EXPECT_TRUE(contains(result.out, "time        measured: ")) << result.out;
}

TEST_F(RunTest, ADryRunRefusesWhatARunRefuses) {
  ASSERT_EQ(run({}).exit_code, 0);
  const std::string before = content_of(path("out/manifest.json"));

  EXPECT_EQ(run({"--dry-run"}).exit_code, 2) << "there is an earlier run";
  EXPECT_EQ(run({"--dry-run", "--force"}).exit_code, 0);
  EXPECT_EQ(run({"--dry-run", "--set", "time.dt=-1"}, "new").exit_code, 2);
  const CommandResult failing = run({"--dry-run", "--integrator", "rk4", "--dt", "1", "--end",
                                     "100", "--set", "time.max_halvings=0"},
                                    "new");
  EXPECT_EQ(failing.exit_code, 3) << failing.to_text();
  EXPECT_TRUE(contains(failing.err, "failed with dt = 1 s")) << failing.err;

  EXPECT_EQ(content_of(path("out/manifest.json")), before);
  EXPECT_FALSE(fs::exists(path("new")));
}

TEST_F(RunTest, LevelsOfTheLogSayMoreAndMore) {
  const auto at_level = [&](const std::string& level) {
    return run({"--log-level", level, "--steps", "3", "--force", "--set",
                "bodies.0.material.poisson=0.495"});
  };
  const CommandResult errors = at_level("errors"), warnings = at_level("warnings"),
                      info = at_level("info"), debug = at_level("debug");

  EXPECT_EQ(errors.out + errors.err, "");
  EXPECT_EQ(warnings.out, "");
  EXPECT_TRUE(contains(warnings.err, "warning: ")) << warnings.err;
  EXPECT_TRUE(contains(info.out, "3 accepted")) << info.out;
  EXPECT_FALSE(contains(info.err, "step 1 ")) << info.err;
  for (const char* step : {"step 1  t 0.01 s  dt 0.01 s  accepted", "step 2 ", "step 3 "})
    EXPECT_TRUE(contains(debug.err, step)) << debug.err;

  const CommandResult unknown = at_level("inof");
  EXPECT_EQ(unknown.exit_code, 2) << unknown.to_text();
  EXPECT_TRUE(contains(unknown.err, "did you mean 'info'?")) << unknown.err;
}

// ---- numerical failure -----------------------------------------------------------------------

class FailureTest : public testing::TestWithParam<std::string> {};

TEST_P(FailureTest, AnUnstableMethodExitsWith3AndKeepsEverything) {
  const TempDir dir;

  const CommandResult result = sinew({"run", "hanging-ball", "--integrator", GetParam(), "--dt",
                                      "0.005", "--set", "time.max_halvings=0", "-o", "out"},
                                     dir.path());

  EXPECT_EQ(result.exit_code, 3) << result.to_text();
  const fs::path out = dir.path() / "out";
  const Json manifest = Json::parse(content_of(out / "manifest.json"));
  EXPECT_EQ(manifest.at("status"), "failed");
  const long accepted = manifest.at("steps").at("accepted");
  const std::string reason = manifest.at("reason");
  EXPECT_TRUE(contains(reason, "step " + std::to_string(accepted + 1) + " at t = ")) << reason;
  EXPECT_TRUE(contains(reason, "reduce dt")) << reason;
  EXPECT_TRUE(contains(result.err, reason)) << result.err;
  EXPECT_EQ(static_cast<long>(lines_of(content_of(out / "energy.csv")).size()), accepted + 2);
  EXPECT_EQ(static_cast<long>(lines_of(content_of(out / "probes.csv")).size()), accepted + 2);
  const std::vector<std::string> steps = lines_of(content_of(out / "steps.csv"));
  EXPECT_EQ(static_cast<long>(steps.size()), accepted + 2) << "the failed attempt is a row too";
  EXPECT_TRUE(contains(steps.back(), "energy-absurd")) << steps.back();
  for (const auto& entry : fs::recursive_directory_iterator(out))
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
}

INSTANTIATE_TEST_SUITE_P(Methods, FailureTest, testing::Values("rk4", "symplectic-euler"),
                         [](const auto& tested) {
                           return tested.param == "rk4" ? "rk4" : "symplectic_euler";
                         });

TEST(Failure, HalvingIsTriedBeforeGivingUp) {
  const TempDir dir;

  const CommandResult result =
      sinew({"run", "hanging-ball", "--integrator", "symplectic-euler", "--dt", "0.005", "--set",
             "time.max_halvings=2", "--set", "integrator.guard=off", "-o", "out", "--no-frames"},
            dir.path());

  EXPECT_EQ(result.exit_code, 3) << result.to_text();
  const Json manifest = Json::parse(content_of(dir.path() / "out" / "manifest.json"));
  // the step, its half and its quarter were refused at the end, at least
  EXPECT_GE(manifest.at("steps").at("rejected").get<int>(), 3);
  EXPECT_TRUE(contains(manifest.at("reason"), "dt = 0.00125 s")) << manifest.at("reason");
  // it was told to go on, and says what became of that
  EXPECT_GT(manifest.at("health").at("absurd_since").get<double>(), 0.0);
  EXPECT_TRUE(contains(result.out, "no solution")) << result.out;
}

}  // namespace
}  // namespace sinew::test
