// SPDX-License-Identifier: Apache-2.0
// Runs that are interrupted, politely or not, and continued: the files at the end must be those of
// a run that was never interrupted, byte for byte. Interruptions come when a certain frame appears,
// so they do not depend on how fast the machine is, and are tried again if they come too late.
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/sinew_command.hpp"
#include "support/temp_dir.hpp"

namespace sinew::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// 80 tets, 1500 steps, 76 frames: about a quarter of a second
constexpr auto scene_start = R"({
  "sinew": 1, "name": "swinging-bar",
  "bodies": [ { "name": "bar", "mesh": { "generator": "bar", "size": [1, 0.5, 0.5], "cells": [4, 2, 2] },
                "damping": { "mass": 0.1, "stiffness": 1e-4 } } ],
  "loads": [ { "value": [0, 0, -9.81] } ],
  "time": { "dt": 0.001, "end": 1.5 },
  "output": { "fps": 50, "probes": [ { "name": "tip", "vertex": 11 } ] },
)";
const std::string fixed_end =
    R"("fixed": [ { "select": { "plane": { "normal": [1, 0, 0] } } } ] })";
// let go between two steps at t = 0.5137 s, between frames 25 and 26
const std::string moved_end = R"json("motion": [ { "select": { "plane": { "normal": [1, 0, 0] } },
    "position": ["x", "y", "z + 0.05*sin(20*t)"], "until": 0.5137 } ] })json";

std::string frame_name(int number) {
  const std::string digits = std::to_string(number);
  return "frames/frame_" + std::string(6 - digits.size(), '0') + digits + ".vtu";
}

/// steps.csv without the column of wall times.
std::string without_seconds(const std::string& table) {
  constexpr int seconds_column = 13;
  std::string result;
  std::istringstream rows(table);
  for (std::string row; std::getline(rows, row);) {
    std::istringstream cells(row);
    int column = 0;
    for (std::string cell; std::getline(cells, cell, ','); ++column)
      if (column != seconds_column) result += cell + ',';
    result += '\n';
  }
  return result;
}

void expect_same_run(const fs::path& a, const fs::path& b) {
  for (const char* file : {"energy.csv", "probes.csv", "frames.pvd"}) {
    // gtest would print both files in full
    EXPECT_TRUE(content_of(a / file) == content_of(b / file))
        << file << " differs: " << a << " " << b;
    EXPECT_FALSE(content_of(a / file).empty()) << file;
  }
  EXPECT_TRUE(without_seconds(content_of(a / "steps.csv")) ==
              without_seconds(content_of(b / "steps.csv")));
  EXPECT_TRUE(fs::exists(a / frame_name(75)));
  for (const int frame : {0, 10, 26, 50, 75})
    EXPECT_TRUE(content_of(a / frame_name(frame)) == content_of(b / frame_name(frame)))
        << "frame " << frame << " differs";
  for (const auto& entry : fs::recursive_directory_iterator(a))
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
}

class ResumeTest : public testing::Test {
 protected:
  ResumeTest() {
    dir_.write("fixed.json", scene_start + fixed_end);
    dir_.write("moved.json", scene_start + moved_end);
  }

  fs::path path(const std::string& name) const { return dir_.path() / name; }
  Json manifest(const std::string& output) const {
    return Json::parse(content_of(path(output) / "manifest.json"));
  }
  CommandResult run(std::vector<std::string> arguments,
                    std::optional<Interruption> interruption = {}) const {
    arguments.emplace_back("--no-report");
    if (!interruption) return sinew(arguments, dir_.path());
    // On a busy machine a run may end before this process gets to send the signal. Then it is made
    // again, from where it was.
    const fs::path before = path("before"), output = path(output_of(arguments));
    if (fs::exists(output)) fs::copy(output, before, fs::copy_options::recursive);
    CommandResult result;
    for (int attempt = 0; attempt < 20; ++attempt) {
      result = sinew(arguments, dir_.path(), interruption);
      if (result.exit_code != 0) break;
      fs::remove_all(output);
      if (fs::exists(before)) fs::copy(before, output, fs::copy_options::recursive);
    }
    fs::remove_all(before);
    return result;
  }

  /// What follows -o or --resume.
  static std::string output_of(const std::vector<std::string>& arguments) {
    for (std::size_t k = 0; k + 1 < arguments.size(); ++k)
      if (arguments[k] == "-o" || arguments[k] == "--resume") return arguments[k + 1];
    return {};
  }

  TempDir dir_;
};

TEST_F(ResumeTest, OnATerminalProgressIsOneLineOnStderr) {
  const CommandResult result =
      run_command({.program = SINEW_BINARY,
                   .arguments = {"run", "fixed.json", "-o", "out", "--end", "6"},
                   .directory = dir_.path(),
                   .has_terminal = true});

  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  // drawn every tenth of a second, and the run takes several of them
  for (const char* part : {"\rt ", "dt 0.001", "steps/s", "x real time", "ETA", "numerical loss"})
    EXPECT_TRUE(contains(result.err, part)) << part << "\n" << result.to_text();
  EXPECT_FALSE(contains(result.err, "\n")) << "one line, redrawn";
  EXPECT_TRUE(contains(result.out, "6000 accepted")) << result.to_text();
  EXPECT_FALSE(contains(result.out, "ETA")) << result.to_text();
}

TEST_F(ResumeTest, CtrlCExitsWith130AndSaysHowToContinue) {
  const CommandResult result = run({"run", "fixed.json", "-o", "out"},
                                   Interruption{.once_exists = path("out") / frame_name(10)});

  EXPECT_EQ(result.exit_code, 130) << result.to_text();
  EXPECT_EQ(manifest("out").at("status"), "stopped");
  EXPECT_EQ(manifest("out").at("reason"), "stopped by the user");
  EXPECT_TRUE(fs::exists(path("out/checkpoint/state.bin")));
  EXPECT_TRUE(contains(result.err, "sinew run --resume out")) << result.err;
  EXPECT_GE(manifest("out").at("steps").at("accepted").get<int>(), 200) << "frame 10 is at 0.2 s";
  EXPECT_LT(manifest("out").at("steps").at("accepted").get<int>(), 1500);
}

TEST_F(ResumeTest, AStoppedRunContinuesBitForBit) {
  for (const std::string integrator : {"si", "be"}) {
    const std::string out = "out-" + integrator, whole = "whole-" + integrator;
    ASSERT_EQ(run({"run", "fixed.json", "-o", whole, "--integrator", integrator}).exit_code, 0);
    const CommandResult stopped = run({"run", "fixed.json", "-o", out, "--integrator", integrator},
                                      Interruption{.once_exists = path(out) / frame_name(10)});
    ASSERT_EQ(stopped.exit_code, 130) << stopped.to_text();

    const CommandResult resumed =
        run({"run", "fixed.json", "--resume", out, "--integrator", integrator});

    EXPECT_EQ(resumed.exit_code, 0) << resumed.to_text();
    EXPECT_EQ(manifest(out).at("status"), "finished");
    EXPECT_EQ(manifest(out).at("steps"), manifest(whole).at("steps"));
    EXPECT_EQ(manifest(out).at("energy"), manifest(whole).at("energy"));
    expect_same_run(path(out), path(whole));
  }
}

TEST_F(ResumeTest, ARunMayBeStoppedTwice) {
  ASSERT_EQ(run({"run", "fixed.json", "-o", "whole"}).exit_code, 0);
  ASSERT_EQ(run({"run", "fixed.json", "-o", "out"},
                Interruption{.once_exists = path("out") / frame_name(5)})
                .exit_code,
            130);
  ASSERT_EQ(run({"run", "fixed.json", "--resume", "out"},
                Interruption{.once_exists = path("out") / frame_name(30)})
                .exit_code,
            130);

  const CommandResult resumed = run({"run", "fixed.json", "--resume", "out"});

  EXPECT_EQ(resumed.exit_code, 0) << resumed.to_text();
  expect_same_run(path("out"), path("whole"));
}

TEST_F(ResumeTest, AKilledRunContinuesFromItsLastCheckpoint) {
  ASSERT_EQ(run({"run", "fixed.json", "-o", "whole"}).exit_code, 0);
  const CommandResult killed =
      run({"run", "fixed.json", "-o", "out", "--checkpoint-every", "0.001"},
          Interruption{.signal = SIGKILL, .once_exists = path("out") / frame_name(40)});
  ASSERT_EQ(killed.signal, SIGKILL) << killed.to_text();
  ASSERT_EQ(manifest("out").at("status"), "running");

  const CommandResult resumed = run({"run", "fixed.json", "--resume", "out"});

  EXPECT_EQ(resumed.exit_code, 0) << resumed.to_text();
  EXPECT_EQ(manifest("out").at("status"), "finished");
  expect_same_run(path("out"), path("whole"));
}

TEST_F(ResumeTest, ScriptedMotionIsStoppedBeforeAndAfterItsRelease) {
  ASSERT_EQ(run({"run", "moved.json", "-o", "whole"}).exit_code, 0);
  for (const int frame : {10, 40}) {
    const std::string out = "out-" + std::to_string(frame);
    const CommandResult stopped = run({"run", "moved.json", "-o", out},
                                      Interruption{.once_exists = path(out) / frame_name(frame)});
    ASSERT_EQ(stopped.exit_code, 130) << stopped.to_text();

    const CommandResult resumed = run({"run", "moved.json", "--resume", out});

    EXPECT_EQ(resumed.exit_code, 0) << resumed.to_text();
    expect_same_run(path(out), path("whole"));
  }
}

TEST_F(ResumeTest, ResumingAFinishedRunChangesNothing) {
  ASSERT_EQ(run({"run", "fixed.json", "-o", "whole"}).exit_code, 0);
  ASSERT_EQ(run({"run", "fixed.json", "-o", "out"},
                Interruption{.once_exists = path("out") / frame_name(10)})
                .exit_code,
            130);
  ASSERT_EQ(run({"run", "fixed.json", "--resume", "out"}).exit_code, 0);

  const CommandResult again = run({"run", "fixed.json", "--resume", "out"});

  EXPECT_EQ(again.exit_code, 0) << again.to_text();
  expect_same_run(path("out"), path("whole"));
}

TEST_F(ResumeTest, AFinishedRunIsMadeLonger) {
  ASSERT_EQ(run({"run", "fixed.json", "-o", "whole"}).exit_code, 0);
  ASSERT_EQ(run({"run", "fixed.json", "-o", "out", "--end", "0.7303"}).exit_code, 0);
  ASSERT_EQ(manifest("out").at("status"), "finished");

  const CommandResult longer = run({"run", "--resume", "out", "--end", "1.5"});

  EXPECT_EQ(longer.exit_code, 0) << longer.to_text();
  EXPECT_EQ(manifest("out").at("steps"), manifest("whole").at("steps"));
  EXPECT_EQ(manifest("out").at("energy"), manifest("whole").at("energy"));
  EXPECT_EQ(manifest("out").at("scene").at("time").at("end"), 1.5);
  expect_same_run(path("out"), path("whole"));

  const CommandResult shorter = run({"run", "--resume", "out", "--end", "1"});

  EXPECT_EQ(shorter.exit_code, 2) << shorter.to_text();
  EXPECT_TRUE(contains(shorter.err, "/time/end: the run to resume has already reached t = 1.5,"))
      << shorter.err;
  expect_same_run(path("out"), path("whole"));
}

TEST_F(ResumeTest, TheSceneNeedNotBeNamedAgain) {
  ASSERT_EQ(
      run({"run", "fixed.json", "-o", "whole", "--dt", "0.002", "--integrator", "be"}).exit_code,
      0);
  ASSERT_EQ(run({"run", "fixed.json", "-o", "out", "--dt", "0.002", "--integrator", "be"},
                Interruption{.once_exists = path("out") / frame_name(10)})
                .exit_code,
            130);

  const CommandResult resumed = run({"run", "--resume", "out"});

  EXPECT_EQ(resumed.exit_code, 0) << resumed.to_text();
  expect_same_run(path("out"), path("whole"));
}

TEST_F(ResumeTest, AnotherStepSizeIsRefused) {
  ASSERT_EQ(run({"run", "fixed.json", "-o", "out"},
                Interruption{.once_exists = path("out") / frame_name(10)})
                .exit_code,
            130);

  const CommandResult result = run({"run", "--resume", "out", "--dt", "0.0005"});

  EXPECT_EQ(result.exit_code, 2) << result.to_text();
  EXPECT_TRUE(contains(result.err, "/time/dt")) << result.err;
  EXPECT_EQ(manifest("out").at("status"), "stopped") << "nothing was touched";
}

TEST_F(ResumeTest, ThereMustBeSomethingToResume) {
  ASSERT_EQ(run({"run", "fixed.json", "-o", "finished", "--steps", "1", "--checkpoint-every", "0"})
                .exit_code,
            0);
  fs::create_directory(path("empty"));

  const CommandResult missing = run({"run", "fixed.json", "--resume", "nowhere"});
  const CommandResult empty = run({"run", "fixed.json", "--resume", "empty"});
  const CommandResult without = run({"run", "fixed.json", "--resume", "finished"});

  EXPECT_EQ(missing.exit_code, 2) << missing.to_text();
  EXPECT_TRUE(contains(missing.err, "not a run directory")) << missing.err;
  EXPECT_EQ(empty.exit_code, 2) << empty.to_text();
  EXPECT_EQ(without.exit_code, 2) << without.to_text();
  EXPECT_TRUE(contains(without.err, "no checkpoint to resume from")) << without.err;
  EXPECT_FALSE(fs::exists(path("nowhere")));
  EXPECT_EQ(manifest("finished").at("status"), "finished") << "a refused resume touches nothing";
}

TEST_F(ResumeTest, TheCheckpointOfAnotherSceneIsRefused) {
  ASSERT_EQ(run({"run", "fixed.json", "-o", "out"},
                Interruption{.once_exists = path("out") / frame_name(10)})
                .exit_code,
            130);
  const std::string before = content_of(path("out/energy.csv"));

  for (const auto& [change, place] :
       {std::pair{"bodies.0.mesh.cells=[3, 1, 1]", "/bodies/0/mesh/cells"},
        std::pair{"bodies.0.material.young=77", "/bodies/0/material/young"},
        std::pair{"integrator.name=rk4", "/integrator"}, std::pair{"time.dt=0.0123", "/time/dt"}}) {
    const CommandResult result = run({"run", "fixed.json", "--resume", "out", "--set", change});

    EXPECT_EQ(result.exit_code, 2) << result.to_text();
    EXPECT_TRUE(contains(result.err, place)) << result.err;
    EXPECT_TRUE(contains(result.err, "differs from the scene")) << result.err;
    EXPECT_TRUE(content_of(path("out/energy.csv")) == before);
  }
}

TEST_F(ResumeTest, ADamagedCheckpointIsRefused) {
  ASSERT_EQ(run({"run", "fixed.json", "-o", "out"},
                Interruption{.once_exists = path("out") / frame_name(10)})
                .exit_code,
            130);
  const std::string bytes = content_of(path("out/checkpoint/state.bin"));
  dir_.write("out/checkpoint/state.bin", bytes.substr(0, bytes.size() / 2));

  const CommandResult result = run({"run", "fixed.json", "--resume", "out"});

  EXPECT_EQ(result.exit_code, 2) << result.to_text();
  EXPECT_TRUE(contains(result.err, "state.bin")) << result.err;
  EXPECT_EQ(manifest("out").at("status"), "stopped");
}

}  // namespace
}  // namespace sinew::test
