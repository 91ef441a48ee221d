// SPDX-License-Identifier: Apache-2.0
// Sweeps: the grid, what is run again and what is not, and the same bytes after an interruption.
#include <atomic>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/study/joined_report.hpp>
#include <sinew/study/sweep.hpp>

#include "support/temp_dir.hpp"

namespace sinew::study {
namespace {

namespace fs = std::filesystem;
using test::TempDir;

scene::SceneSpec swept_scene(const std::vector<scene::Override>& changes) {
  return scene::parse_scene(R"({ "sinew": 1,
    "bodies": [ { "mesh": { "size": [1, 0.5, 0.5], "cells": [2, 1, 1] }, "material": { "young": 1e5 } } ],
    "fixed": [ { "select": { "plane": { "normal": [1, 0, 0] } } } ],
    "loads": [ {} ], "integrator": { "name": "si" }, "time": { "dt": 0.01, "end": 0.2 },
    "output": { "fps": 20, "probes": [ { "name": "corner", "vertex": 11 } ] } })",
                            "test", changes);
}

std::vector<SweepAxis> twelve() {
  return {{"bodies.0.material.young", {"1e5", "2e5", "4e5"}},
          {"integrator.name", {"si", "be"}},
          {"time.dt", {"0.01", "0.02"}}};
}

/// Without the last column, which is a time.
std::string table_of(const fs::path& directory) {
  std::istringstream rows(core::read_file(directory / "sweep.csv"));
  std::string result;
  for (std::string row; std::getline(rows, row);) {
    result += row.substr(0, row.rfind(','));
    result += '\n';
  }
  return result;
}

/// What must not depend on interruptions.
std::map<std::string, std::string> files_of(const fs::path& directory) {
  std::map<std::string, std::string> files{{"sweep.csv", table_of(directory)}};
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    if (name == "energy.csv" || name == "probes.csv" || entry.path().extension() == ".vtu")
      files[fs::relative(entry.path(), directory).string()] = core::read_file(entry.path());
  }
  return files;
}

TEST(Sweep, RunsTheGridInItsOrder) {
  const TempDir dir;
  const std::vector<SweptRun> runs =
      sweep(swept_scene, {.directory = dir.path() / "s", .axes = twelve()});
  ASSERT_EQ(runs.size(), 12U);
  EXPECT_EQ(runs[0].name, "young=1e5_name=si_dt=0.01");
  EXPECT_EQ(runs[1].name, "young=1e5_name=si_dt=0.02");
  EXPECT_EQ(runs[11].name, "young=4e5_name=be_dt=0.02");
  for (const SweptRun& run : runs) {
    EXPECT_EQ(run.status, "finished");
    EXPECT_FALSE(run.was_there);
  }
  const std::string table = table_of(dir.path() / "s");
  EXPECT_TRUE(table.starts_with(
      "run,bodies.0.material.young,integrator.name,time.dt,status,accepted,rejected,"));
  EXPECT_NE(table.find("\nyoung=2e5_name=be_dt=0.02,2e5,be,0.02,finished,10,0,"),
            std::string::npos);
  EXPECT_NE(table.find("corner_x,corner_y,corner_z"), std::string::npos);
}

TEST(Sweep, ProbesOfAllRunsHaveColumns) {
  const TempDir dir;
  const std::string left = R"([{"name": "left", "vertex": 0}])",
                    both = R"([{"name": "right", "vertex": 11}, {"name": "left", "vertex": 0}])";
  sweep(swept_scene,
        {.directory = dir.path() / "s", .axes = {{"output.probes", {left, both, "[]"}}}});
  std::istringstream rows(core::read_file(dir.path() / "s" / "sweep.csv"));
  std::vector<std::string> row(4);
  for (std::string& text : row) std::getline(rows, text);
  EXPECT_NE(row[0].find(",left_x,left_y,left_z,right_x,right_y,right_z,reason"), std::string::npos)
      << row[0];
  // vertex 0 is held at the origin
  EXPECT_NE(row[1].find(",0,0,0,,,,reached"), std::string::npos) << row[1];
  EXPECT_EQ(row[2].find(",0,0,0,,,,reached"), std::string::npos) << row[2];
  EXPECT_NE(row[2].find(",0,0,0,1.02"), std::string::npos) << row[2];
  EXPECT_NE(row[3].find(",,,,,,,reached"), std::string::npos) << row[3];
}

TEST(Sweep, LegendsAreWhatWasAskedFor) {
  const TempDir dir;
  sweep(swept_scene,
        {.directory = dir.path() / "s", .axes = {{"loads.0.value", {"[0,0,-1]", "[0,0,-2]"}}}});
  const std::string svg = core::read_file(dir.path() / "s" / "energies.svg");
  EXPECT_NE(svg.find("loads.0.value=[0,0,-1]"), std::string::npos);
  EXPECT_EQ(svg.find("value=-0-0--1-"), std::string::npos) << "the name of a folder";
}

TEST(Sweep, TheReportHasTheParametersOfEveryRun) {
  if (!output::has_report_page()) GTEST_SKIP() << "built without the page";
  const TempDir dir;
  sweep(swept_scene, {.directory = dir.path() / "s",
                      .axes = {{"integrator.name", {"si", "be"}}, {"time.dt", {"2e-2"}}}});
  const std::string page = core::read_file(dir.path() / "s" / "report.html");
  for (const char* method : {"si", "be"})
    EXPECT_NE(page.find(fmt::format(R"("parameters":[{{"name":"integrator.name","value":"{}"}},)"
                                    R"({{"name":"time.dt","value":"2e-2"}}])",
                                    method)),
              std::string::npos)
        << method;
}

TEST(Sweep, InterruptedAndRepeatedTheFilesAreTheSame) {
  const TempDir dir;
  sweep(swept_scene, {.directory = dir.path() / "whole", .axes = twelve()});
  const auto expected = files_of(dir.path() / "whole");
  ASSERT_GT(expected.size(), 60U);
  const fs::path parts = dir.path() / "parts";
  std::atomic<int> ended = 0, steps = 0;
  SweepOptions options{.directory = parts, .axes = twelve(), .at_once = 2};
  options.on_ended = [&](const SweptRun& run) { ended += run.status == "finished" ? 1 : 0; };
  options.on_progress = [&](const std::vector<BatchProgress>&) { steps += ended >= 4 ? 1 : 0; };
  // in the middle of a run
  options.interrupted = [&] { return steps > 3; };
  std::vector<SweptRun> runs = sweep(swept_scene, options);
  const auto count = [&](const char* status) {
    return std::count_if(runs.begin(), runs.end(),
                         [&](const SweptRun& run) { return run.status == status; });
  };
  EXPECT_GE(count("finished"), 4);
  EXPECT_GT(count("stopped"), 0);
  const auto finished = count("finished");
  options.interrupted = nullptr;
  runs = sweep(swept_scene, options);
  EXPECT_EQ(count("finished"), 12);
  EXPECT_EQ(std::count_if(runs.begin(), runs.end(), [](const auto& run) { return run.was_there; }),
            finished);
  const auto actual = files_of(parts);
  ASSERT_EQ(actual.size(), expected.size());
  for (const auto& [name, content] : expected) EXPECT_TRUE(actual.at(name) == content) << name;
}

TEST(Sweep, RunsAgainWhatHasChanged) {
  const TempDir dir;
  SweepOptions options{.directory = dir.path() / "s", .axes = {{"time.dt", {"0.01", "0.02"}}}};
  sweep(swept_scene, options);
  const auto longer = [](std::vector<scene::Override> changes) {
    if (changes.front().value == "0.02") changes.push_back({"time.end", "0.1"});
    return swept_scene(changes);
  };
  const std::vector<SweptRun> runs = sweep(longer, options);
  EXPECT_TRUE(runs[0].was_there);
  EXPECT_FALSE(runs[1].was_there);
  EXPECT_NE(table_of(options.directory).find("dt=0.02,0.02,finished,5,"), std::string::npos);
}

TEST(Sweep, ValuesThatLookAlikeInNamesAreToldApart) {
  const TempDir dir;
  const std::vector<SweptRun> runs =
      sweep(swept_scene, {.directory = dir.path() / "s",
                          .axes = {{"bodies.0.material.young", {"1e5*(2-x)", "1e5/(2-x)"}}}});
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].name, "young=1e5--2-x-");
  EXPECT_EQ(runs[1].name, "young=1e5--2-x--2");
  EXPECT_EQ(runs[1].status, "finished");
}

TEST(Sweep, FailedRunsSayWhyAndAreResultsToo) {
  const TempDir dir;
  SweepOptions options{.directory = dir.path() / "s",
                       .axes = {{"integrator.name", {"explicit-euler", "be"}}}};
  const auto stiff = [](std::vector<scene::Override> changes) {
    changes.push_back({"bodies.0.material.young", "1e9"});
    return swept_scene(changes);
  };
  std::vector<SweptRun> runs = sweep(stiff, options);
  EXPECT_EQ(runs[0].status, "failed");
  EXPECT_NE(runs[0].reason, "");
  EXPECT_EQ(runs[1].status, "finished");
  EXPECT_NE(table_of(options.directory).find(runs[0].reason), std::string::npos);
  runs = sweep(stiff, options);
  EXPECT_TRUE(runs[0].was_there);
}

TEST(Sweep, ATableOfOtherValuesStaysUnlessItMayGo) {
  const TempDir dir;
  SweepOptions options{.directory = dir.path() / "s", .axes = {{"time.dt", {"0.02"}}}};
  sweep(swept_scene, options);
  options.axes = {{"time.end", {"0.1"}}};
  EXPECT_THROW(sweep(swept_scene, options), InputError);
  options.replace = true;
  EXPECT_EQ(sweep(swept_scene, options).front().status, "finished");
}

TEST(Sweep, RefusesOtherPlacesAndValuesGivenTwice) {
  const TempDir dir;
  core::write_atomically(dir.path() / "letter.txt", "dear");
  EXPECT_THROW(sweep(swept_scene, {.directory = dir.path(), .axes = {{"time.dt", {"0.01"}}}}),
               InputError);
  EXPECT_THROW(
      sweep(swept_scene, {.directory = dir.path() / "s", .axes = {{"time.dt", {"0.01", "0.01"}}}}),
      InputError);
  EXPECT_THROW(
      sweep(swept_scene, {.directory = dir.path() / "s", .axes = {{"time.dt", {"0.01", "fast"}}}}),
      InputError);
  EXPECT_THROW(sweep(swept_scene, {.directory = dir.path() / "s",
                                   .axes = {{"time.dt", {"0.01"}}, {"time.dt", {"0.02"}}}}),
               InputError);
  EXPECT_FALSE(fs::exists(dir.path() / "s"));
}

TEST(JoinedReport, NamesRunsByWhatTellsThemApart) {
  const auto names = [](const std::vector<fs::path>& paths) {
    std::vector<std::string> found;
    for (const JoinedRun& run : named_by_difference(paths)) found.push_back(run.name);
    return found;
  };
  EXPECT_EQ(names({"runs/a", "runs/b/"}), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(names({"x/be", "y/be", "y/si"}), (std::vector<std::string>{"x/be", "y/be", "y/si"}));
}

}  // namespace
}  // namespace sinew::study
