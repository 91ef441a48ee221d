// SPDX-License-Identifier: Apache-2.0
// sinew static, sinew sweep, and sinew compare of directories: exit codes and words.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/sinew_command.hpp"
#include "support/temp_dir.hpp"

namespace sinew::test {
namespace {

namespace fs = std::filesystem;

constexpr auto held_bar = R"({ "sinew": 1, "name": "bar",
  "bodies": [ { "name": "bar", "mesh": { "generator": "bar", "size": [1, 0.5, 0.5], "cells": [2, 1, 1] } } ],
  "fixed": [ { "select": { "plane": { "normal": [1, 0, 0] } } } ],
  "loads": [ { "value": [0, 0, -9.81] } ],
  "time": { "dt": 0.01, "end": 0.05 }, "output": { "fps": 0 } })";

class StudyCommands : public testing::Test {
 protected:
  StudyCommands() { dir_.write("scene.json", held_bar); }
  CommandResult call(const std::vector<std::string>& arguments) const {
    return sinew(arguments, dir_.path());
  }
  TempDir dir_;
};

TEST_F(StudyCommands, StaticSaysWhatItFound) {
  const CommandResult result = call({"static", "scene.json", "--load-steps", "2", "-o", "out"});
  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  EXPECT_TRUE(contains(result.out, "100 % of them, in 2 steps")) << result.out;
  EXPECT_TRUE(fs::exists(dir_.path() / "out/energy.csv"));
  const CommandResult again = call({"static", "scene.json", "-o", "out"});
  EXPECT_EQ(again.exit_code, 2) << again.to_text();
  EXPECT_TRUE(contains(again.err, "--force")) << again.err;
}

TEST_F(StudyCommands, StaticOfWhatNothingHoldsFails) {
  const CommandResult result =
      call({"static", "scene.json", "--set", "fixed=[]", "--load-steps", "1", "-o", "out"});
  EXPECT_EQ(result.exit_code, 3) << result.to_text();
  EXPECT_TRUE(contains(result.err, "is everything held")) << result.err;
}

TEST_F(StudyCommands, StaticTakesOptionsOfItsOwnMethod) {
  EXPECT_EQ(
      call({"static", "scene.json", "--set", "integrator.pseudo_step=10", "-o", "a"}).exit_code, 0);
  EXPECT_EQ(call({"static", "scene.json", "--set", "integrator.modes=3", "-o", "b"}).exit_code, 2);
}

TEST_F(StudyCommands, SweepSplitsAtCommasOutsideOfBrackets) {
  const CommandResult result =
      call({"sweep", "scene.json", "--set", "bodies.0.material.young=max(1e5,2e5*x),1e6", "--set",
            "loads.0.value=[0,0,-1],[0,0,-2]", "-o", "out"});
  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  EXPECT_TRUE(contains(result.out, "4: 4 finished")) << result.out;
  EXPECT_EQ(lines_of(content_of(dir_.path() / "out/sweep.csv")).size(), 5U);
  EXPECT_EQ(call({"sweep", "scene.json", "--set", "time.dt=0.01", "-o", "one"}).exit_code, 2);
  EXPECT_EQ(call({"sweep", "scene.json", "--set", "time.dt=0.01,", "-o", "one"}).exit_code, 2);
}

TEST_F(StudyCommands, WhatIsSetOfMethodsHoldsForThoseOfAnAxis) {
  const CommandResult result = call({"sweep", "scene.json", "--set", "integrator.name=siere,ere",
                                     "--set", "integrator.guard=off", "--modes", "3", "-o", "out"});
  EXPECT_EQ(result.exit_code, 2) << result.to_text();
  EXPECT_TRUE(contains(result.err, "modes")) << result.err;  // ere has none
  ASSERT_EQ(call({"sweep", "scene.json", "--set", "integrator.name=siere,beere", "--modes", "3",
                  "-o", "out"})
                .exit_code,
            0);
  for (const char* method : {"siere", "beere"}) {
    const std::string file = fmt::format("out/name={}/manifest.json", method);
    EXPECT_TRUE(contains(content_of(dir_.path() / file), "\"modes\": 3")) << method;
  }
  const CommandResult both = call({"sweep", "scene.json", "--integrator", "be", "--set",
                                   "integrator.name=siere,si", "-o", "both"});
  EXPECT_EQ(both.exit_code, 2) << both.to_text();
  EXPECT_TRUE(contains(both.err, "both say which method runs")) << both.err;
}

TEST_F(StudyCommands, ASweepMakesWhatARunLacksOfItsReport) {
  const std::vector<std::string> command{"sweep", "scene.json", "--set", "time.dt=0.01,0.025",
                                         "--fps", "100",        "-o",    "out"};
  ASSERT_EQ(call(command).exit_code, 0);
  const fs::path run = dir_.path() / "out/dt=0.01";
  if (!fs::exists(run / "report.html")) GTEST_SKIP() << "built without the page";
  const std::string picture = content_of(run / "preview.png");
  // as if it had been killed just after its last step
  fs::remove(run / "report.html");
  fs::remove(run / "preview.png");
  const CommandResult again = call(command);
  EXPECT_EQ(again.exit_code, 0) << again.to_text();
  EXPECT_TRUE(contains(again.out, "1 of them were there already")) << again.out;
  EXPECT_TRUE(fs::exists(run / "report.html"));
  EXPECT_EQ(content_of(run / "preview.png"), picture);
}

TEST_F(StudyCommands, AFullDiskIsSaid) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no full device here";
  for (const char* command : {"list scenes", "man", "damping --help"}) {
    const CommandResult result =
        run_command({.program = "/bin/sh",
                     .arguments = {"-c", fmt::format("'{}' {} > /dev/full", SINEW_BINARY, command)},
                     .directory = dir_.path()});
    EXPECT_EQ(result.exit_code, 2) << command;
    EXPECT_TRUE(contains(result.err, "standard output cannot be written")) << result.err;
  }
}

TEST_F(StudyCommands, ASweepWithAFailedRunExitsWith3AndSaysWhy) {
  const CommandResult result = call({"sweep", "scene.json", "--set", "bodies.0.material.young=1e12",
                                     "--set", "integrator.name=rk4,be", "-o", "out"});
  EXPECT_EQ(result.exit_code, 3) << result.to_text();
  EXPECT_TRUE(contains(result.err, "failed name=rk4: ")) << result.err;
  EXPECT_TRUE(contains(result.err, "finished name=be")) << result.err;
}

TEST_F(StudyCommands, CompareJoinsDirectoriesAndChoosesNothing) {
  ASSERT_EQ(call({"run", "scene.json", "-o", "a", "--no-report"}).exit_code, 0);
  ASSERT_EQ(call({"run", "scene.json", "--dt", "0.005", "-o", "b", "--no-report"}).exit_code, 0);
  const CommandResult result = call({"compare", "a", "b", "-o", "both"});
  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  EXPECT_TRUE(fs::exists(dir_.path() / "both/energies.svg"));
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"--dt", "0.1"}, {"--integrators", "si"}, {"--end", "1"}}) {
    std::vector<std::string> arguments{"compare", "a", "b", "-o", "other"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(call(arguments).exit_code, 2) << more.front();
  }
  EXPECT_EQ(call({"compare", "a", "missing", "-o", "other"}).exit_code, 2);
  const CommandResult against =
      call({"compare", "scene.json", "--integrators", "be", "--against", "a", "-o", "other"});
  EXPECT_EQ(against.exit_code, 2);
  EXPECT_TRUE(contains(against.err, "--against is for runs that are finished")) << against.err;
}

TEST_F(StudyCommands, CompareMeasuresDistancesToAnySeries) {
  for (const char* dt : {"0.01", "0.005"})
    ASSERT_EQ(call({"run", "scene.json", "--dt", dt, "--set", "output.fps=100", "-o",
                    std::string("h") + dt, "--no-report"})
                  .exit_code,
              0);
  // frames without a manifest, as any program leaves them
  const fs::path elsewhere = dir_.path() / "elsewhere";
  fs::create_directories(elsewhere);
  fs::copy(dir_.path() / "h0.01/frames", elsewhere / "frames");
  fs::copy_file(dir_.path() / "h0.01/frames.pvd", elsewhere / "series.pvd");

  const CommandResult result = call({"compare", "h0.01", "h0.005", "elsewhere/series.pvd",
                                     "--against", "elsewhere/series.pvd", "-o", "all"});

  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  EXPECT_TRUE(contains(result.out, "distance    0 m, root-mean-square, from")) << result.out;
  EXPECT_TRUE(fs::exists(dir_.path() / "all/imported")) << result.out;
  EXPECT_EQ(lines_of(result.out).size(), 3U) << "a distance each and what to open: " << result.out;
  const CommandResult unknown = call({"compare", "h0.01", "h0.005", "--against", "x", "-o", "no"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_TRUE(contains(unknown.err, "--against names none of these results")) << unknown.err;
  EXPECT_FALSE(fs::exists(dir_.path() / "no"));
}

}  // namespace
}  // namespace sinew::test
