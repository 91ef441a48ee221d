// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/output/record/run_directory.hpp>

#include "support/temp_dir.hpp"

namespace sinew::output {
namespace {

namespace fs = std::filesystem;
using test::TempDir;

constexpr auto manifest =
    R"({ "format": 1, "status": "finished", "integrator": { "name": "si" } })";

/// A directory that looks like an earlier run, with a file of somebody else.
fs::path earlier_run(const TempDir& dir) {
  const fs::path run = dir.path() / "run";
  fs::create_directories(run / "frames");
  fs::create_directories(run / "checkpoint");
  dir.write("run/manifest.json", manifest);
  fs::create_directories(run / "obj");
  fs::create_directories(run / "ply");
  for (const char* name :
       {"energy.csv", "steps.csv.part", "frames/frame_000000.vtu", "checkpoint/state.bin",
        "report.html", "preview.png", "animation.glb", "animation.usda", "frames.npz",
        "obj/frame_000000.obj", "ply/frame_000000.ply", "notes.txt"})
    dir.write(std::string("run/") + name, "x");
  return run;
}

TEST(RunDirectory, IsMadeWithItsParents) {
  const TempDir dir;

  const RunDirectory directory = RunDirectory::create(dir.path() / "a" / "b");

  EXPECT_TRUE(fs::is_directory(dir.path() / "a" / "b"));
  EXPECT_EQ(directory.file("energy.csv"), dir.path() / "a" / "b" / "energy.csv");
}

TEST(RunDirectory, AnEmptyOneIsTaken) {
  const TempDir dir;

  const RunDirectory directory = RunDirectory::create(dir.path());

  EXPECT_EQ(directory.path(), dir.path());
  EXPECT_TRUE(fs::is_empty(dir.path()));
}

TEST(RunDirectory, AnEarlierRunIsEmptiedOfOurFilesOnly) {
  const TempDir dir;
  const fs::path run = earlier_run(dir);

  RunDirectory::create(run, true);

  EXPECT_TRUE(fs::exists(run / "notes.txt"));
  const auto left = fs::directory_iterator(run);
  EXPECT_EQ(std::distance(begin(left), end(left)), 1);
}

TEST(RunDirectory, AnEarlierRunStaysUnlessToldOtherwise) {
  const TempDir dir;
  const fs::path run = earlier_run(dir);

  try {
    RunDirectory::create(run);
    FAIL() << "an earlier run was replaced";
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("--force"), std::string::npos) << message;
    EXPECT_NE(message.find("-o"), std::string::npos) << message;
  }

  EXPECT_TRUE(fs::exists(run / "energy.csv"));
  EXPECT_TRUE(fs::exists(run / "frames/frame_000000.vtu"));
}

TEST(RunDirectory, TheNextFreeOneIsNumbered) {
  const TempDir dir;
  const fs::path run = earlier_run(dir);

  EXPECT_EQ(RunDirectory::next_free(dir.path() / "new"), dir.path() / "new");
  EXPECT_EQ(RunDirectory::next_free(run), dir.path() / "run-2");
  fs::create_directory(dir.path() / "run-2");
  dir.write("run-2/notes.txt", "no run at all");
  fs::create_directory(dir.path() / "run-3");

  EXPECT_EQ(RunDirectory::next_free(run), dir.path() / "run-3") << "an empty one is free";
}

TEST(RunDirectory, ARunKilledBeforeItsManifestIsReplaced) {
  const TempDir dir;
  dir.write("energy.csv.part", "step,t");
  dir.write("steps.csv.part", "");

  RunDirectory::create(dir.path());

  EXPECT_TRUE(fs::is_empty(dir.path()));
  dir.write("download.part", "somebody's");
  EXPECT_THROW(RunDirectory::create(dir.path()), InputError);
}

TEST(RunDirectory, AskingChangesNothing) {
  const TempDir dir;
  const fs::path run = earlier_run(dir);

  RunDirectory::require_usable(run, true);
  RunDirectory::require_usable(dir.path() / "new");

  EXPECT_TRUE(fs::exists(run / "energy.csv"));
  EXPECT_FALSE(fs::exists(dir.path() / "new"));
}

TEST(RunDirectory, WhatIsNoRunIsRefusedAndLeftAlone) {
  const TempDir dir;
  const fs::path file = dir.write("file", "x");
  const fs::path folder = dir.path() / "folder";
  fs::create_directory(folder);
  dir.write("folder/energy.csv", "somebody's bill");

  for (const fs::path& path : {file, folder}) {
    for (const bool may_replace : {false, true}) {
      EXPECT_THROW(RunDirectory::require_usable(path, may_replace), InputError) << path;
      EXPECT_THROW(RunDirectory::create(path, may_replace), InputError) << path;
    }
    EXPECT_THROW(RunDirectory::open(path), InputError) << path;
  }
  EXPECT_EQ(core::read_file(folder / "energy.csv"), "somebody's bill");
}

TEST(RunDirectory, AManifestMustBeOneOfOurs) {
  const TempDir dir;
  for (const char* other :
       {"", "not json", "[]", "{}", R"({ "format": 1 })", R"({ "status": "x" })"}) {
    dir.write("manifest.json", other);

    EXPECT_THROW(RunDirectory::create(dir.path(), true), InputError) << other;
    EXPECT_THROW(RunDirectory::open(dir.path()), InputError) << other;
  }
}

TEST(RunDirectory, OpeningKeepsEverything) {
  const TempDir dir;
  const fs::path run = earlier_run(dir);

  const RunDirectory directory = RunDirectory::open(run);

  EXPECT_TRUE(fs::exists(directory.checkpoint() / "state.bin"));
  EXPECT_TRUE(fs::exists(directory.frames() / "frame_000000.vtu"));
  EXPECT_TRUE(fs::exists(run / "steps.csv.part"));
}

TEST(RunDirectory, GoingOnDropsFramesAndCheckpointsThatWereCutOff) {
  const TempDir dir;
  const fs::path run = earlier_run(dir);
  dir.write("run/checkpoint/state.bin.part", "half");
  dir.write("run/frames/frame_000001.vtu.part", "half");

  RunDirectory::open(run);
  EXPECT_TRUE(fs::exists(run / "frames/frame_000001.vtu.part")) << "it may be growing right now";
  RunDirectory::open_to_continue(run);

  EXPECT_FALSE(fs::exists(run / "checkpoint/state.bin.part"));
  EXPECT_FALSE(fs::exists(run / "frames/frame_000001.vtu.part"));
  EXPECT_TRUE(fs::exists(run / "checkpoint/state.bin"));
}

TEST(RunDirectory, ThereMustBeOneToOpen) {
  const TempDir dir;

  EXPECT_THROW(RunDirectory::open(dir.path() / "nowhere"), InputError);
  EXPECT_THROW(RunDirectory::open(dir.path()), InputError);
}

}  // namespace
}  // namespace sinew::output
