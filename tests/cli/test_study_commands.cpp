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
  EXPECT_TRUE(
      contains(result.out, "distance    0 m, root-mean-square over 12 points at 5 times, from"))
      << result.out;
  EXPECT_TRUE(fs::exists(dir_.path() / "all/imported")) << result.out;
  EXPECT_EQ(lines_of(result.out).size(), 3U) << "a distance each and what to open: " << result.out;
  const CommandResult unknown = call({"compare", "h0.01", "h0.005", "--against", "x", "-o", "no"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_TRUE(contains(unknown.err, "--against names none of these results")) << unknown.err;
  EXPECT_FALSE(fs::exists(dir_.path() / "no"));
}

TEST_F(StudyCommands, CompareSaysWhatDistancesCover) {
  for (const auto& [end, name] : {std::pair{"0.05", "long"}, std::pair{"0.02", "short"}})
    ASSERT_EQ(call({"run", "scene.json", "--end", end, "--set", "output.fps=100", "-o", name,
                    "--no-report"})
                  .exit_code,
              0);
  const CommandResult result =
      call({"compare", "long", "short", "--against", "long", "-o", "both"});
  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  EXPECT_TRUE(contains(result.out, "over 12 points at 2 times")) << result.out;
  EXPECT_TRUE(contains(result.err, "is of the time up to 0.02 s only, of 0.05 s")) << result.err;
  const CommandResult twice = call({"compare", "long", "./long", "-o", "twice"});
  EXPECT_EQ(twice.exit_code, 2) << twice.to_text();
  EXPECT_TRUE(contains(twice.err, "this is given twice")) << twice.err;
}

TEST_F(StudyCommands, CompareRefusesAReferenceThatIsCoarser) {
  const CommandResult result = call({"compare", "scene.json", "--integrators", "be", "--dt",
                                     "0.01,0.002", "--reference-dt", "0.005", "-o", "out"});
  EXPECT_EQ(result.exit_code, 2) << result.to_text();
  EXPECT_TRUE(contains(result.err, "0.005 s, is longer than one that is compared, 0.002 s"))
      << result.err;
}

TEST_F(StudyCommands, ModesWithoutAFrequencyAreAFailure) {
  // what turns about a hinge has no stiffness: its frequency is made of rounding errors
  dir_.write("chain.json", R"({ "sinew": 1, "name": "chain",
    "bodies": [ { "type": "springs", "particles": [[0, 0, 0], [1, 0, 0], [2, 0, 0]],
                  "masses": [1, 1, 1], "springs": [[0, 1], [1, 2]], "stiffness": 1000 } ],
    "fixed": [ { "select": { "vertices": [0] } } ], "time": { "dt": 0.01, "end": 0.1 } })");
  const CommandResult result = call({"modes", "chain.json", "-n", "2", "-o", "out"});
  EXPECT_EQ(result.exit_code, 3) << result.to_text();
  EXPECT_TRUE(contains(result.out, "not converged")) << result.out;
  EXPECT_TRUE(contains(result.err, "do parts move there without any stiffness?")) << result.err;
  EXPECT_TRUE(contains(content_of(dir_.path() / "out/manifest.json"), R"("status": "failed")"));
  const CommandResult stable = call({"info", "chain.json", "--stability"});
  EXPECT_EQ(stable.exit_code, 0) << stable.to_text();
  for (const char* broken : {"inf", "nan"})
    EXPECT_FALSE(contains(stable.out, broken)) << stable.out;
}

TEST_F(StudyCommands, StiffenSaysWhyRunsFailed) {
  dir_.write("chain.json", R"({ "sinew": 1, "name": "chain",
    "bodies": [ { "type": "springs", "particles": [[0, 0, 0], [1, 0, 0]], "masses": [1, 1],
                  "springs": [[0, 1]], "stiffness": 1000, "velocity": ["x", "0", "0"] } ],
    "integrator": { "name": "rk4" }, "time": { "dt": 1, "end": 100 } })");
  const CommandResult result = call({"stiffen", "chain.json"});
  EXPECT_EQ(result.exit_code, 3) << result.to_text();
  EXPECT_TRUE(contains(result.err, "20 of 20 runs failed, the last of them so: step"))
      << result.err;
}

/// Two particles that swing about each other, in nm, ps and u.
constexpr auto molecule = R"({ "sinew": 1, "name": "pair", "units": "md",
  "bodies": [ { "type": "springs", "particles": [[0, 0, 0], [0.2, 0, 0]], "masses": [12, 12],
                "springs": [[0, 1]], "stiffness": 1000, "velocity": ["x", "0", "0"] } ],
  "time": { "dt": 0.001, "end": 0.005 }, "output": { "fps": 1000 } })";

TEST_F(StudyCommands, MoleculesAreInTheirOwnUnitsEverywhere) {
  dir_.write("pair.json", molecule);
  const CommandResult compared =
      call({"compare", "pair.json", "--integrators", "be,verlet", "--reference", "-o", "compared"});
  EXPECT_EQ(compared.exit_code, 0) << compared.to_text();
  for (const char* title : {"dt [ps]", "energy [kJ/mol]", "loss [kJ/mol]", "error [nm]"})
    EXPECT_TRUE(contains(compared.out, title)) << title << "\n" << compared.out;
  const std::string curves = content_of(dir_.path() / "compared/work-precision.svg");
  EXPECT_TRUE(contains(curves, "error [nm]"));
  EXPECT_TRUE(contains(curves, " ps</text>")) << "the step of the reference";
  EXPECT_TRUE(contains(content_of(dir_.path() / "compared/energies.svg"), "[kJ/mol]"));

  const CommandResult modes = call({"modes", "pair.json", "-n", "1", "-o", "modes"});
  EXPECT_EQ(modes.exit_code, 0) << modes.to_text();
  EXPECT_TRUE(contains(modes.out, "frequency [THz]")) << modes.out;
  EXPECT_TRUE(contains(modes.out, "omega [1/ps]")) << modes.out;
  const CommandResult valid = call({"validate", "pair.json"});
  EXPECT_TRUE(contains(valid.out, "5 steps of 0.001 ps")) << valid.to_text();
  const CommandResult limit = call({"info", "pair.json", "--stability"});
  EXPECT_TRUE(contains(limit.out, "step [ps]")) << limit.to_text();
  const CommandResult failed = call({"run", "pair.json", "--integrator", "rk4", "--dt", "10",
                                     "--end", "10000", "-o", "failed", "--no-report"});
  EXPECT_EQ(failed.exit_code, 3) << failed.to_text();
  EXPECT_TRUE(contains(failed.err, " ps failed with dt = ")) << failed.err;

  ASSERT_EQ(call({"run", "scene.json", "-o", "solid", "--no-report"}).exit_code, 0);
  const CommandResult mixed = call({"compare", "solid", "compared/be", "-o", "mixed"});
  EXPECT_EQ(mixed.exit_code, 2) << mixed.to_text();
  EXPECT_TRUE(contains(mixed.err, "its numbers are in nm and ps (md), those of 'solid' in m and s"))
      << mixed.err;
}

}  // namespace
}  // namespace sinew::test
