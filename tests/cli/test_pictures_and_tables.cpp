// SPDX-License-Identifier: Apache-2.0
// What people look at after a run: pictures, comparisons, damping curves.
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/sinew_command.hpp"
#include "support/legend.hpp"
#include "support/temp_dir.hpp"

namespace sinew::test {
namespace {

namespace fs = std::filesystem;

constexpr auto small_scene = R"({
  "sinew": 1, "name": "small",
  "bodies": [ { "name": "bar", "mesh": { "generator": "bar", "size": [1, 0.5, 0.5], "cells": [2, 1, 1] } } ],
  "fixed": [ { "select": { "plane": { "normal": [1, 0, 0] } } } ],
  "loads": [ { "value": [0, 0, -9.81] } ],
  "time": { "dt": 0.01, "end": 0.1 }, "output": { "fps": 50 } })";

/// Width and height of a PNG file, from its header.
std::pair<int, int> png_size(const fs::path& path) {
  const std::string bytes = content_of(path);
  EXPECT_TRUE(bytes.starts_with("\x89PNG\r\n\x1a\n")) << path;
  const auto number = [&](std::size_t at) {
    int value = 0;
    for (std::size_t k = 0; k < 4; ++k)
      value = 256 * value + static_cast<unsigned char>(bytes[at + k]);
    return value;
  };
  return {number(16), number(20)};
}

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream stream(row);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  return cells;
}

class Pictures : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path scene = dir.write("scene.json", small_scene);
    ASSERT_EQ(sinew({"run", scene.string(), "-o", run, "--quiet"}).exit_code, 0);
    if (!fs::exists(run + "/preview.png")) GTEST_SKIP() << "built without pictures";
  }

  const TempDir dir;
  const std::string run = (dir.path() / "run").string();
};

TEST_F(Pictures, EveryRunHasAPreviewOfFourInstants) {
  EXPECT_EQ(png_size(run + "/preview.png"), (std::pair{1600, 450}));
}

TEST_F(Pictures, AreDrawnAsAskedFor) {
  const std::string file = (dir.path() / "one.png").string();

  const CommandResult result =
      sinew({"render",    run,        "-o",        file,      "--time", "0.05",     "--size",
             "320x180",   "--colour", "von_mises", "--range", "0,5e4",  "--camera", "front",
             "--look-at", "-0.5,0,0", "--up",      "y",       "--dark", "--draft"});

  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  EXPECT_EQ(png_size(file), (std::pair{320, 180}));
}

TEST_F(Pictures, ThatCannotBeDrawnAreRefusedWithARemedy) {
  const std::string nowhere = (dir.path() / "nothing").string();
  const CommandResult kind = sinew({"render", run, "-o", "film.bmp"}, dir.path());
  const CommandResult field =
      sinew({"render", run, "-o", "x.png", "--colour", "mises"}, dir.path());
  const CommandResult missing = sinew({"render", nowhere, "-o", "x.png"}, dir.path());

  for (const CommandResult* result : {&kind, &field, &missing})
    EXPECT_EQ(result->exit_code, 2) << result->to_text();
  EXPECT_TRUE(contains(kind.err, ".png, films .gif or .mp4")) << kind.to_text();
  EXPECT_TRUE(contains(field.err, "known: speed, displacement, von_mises")) << field.to_text();
  EXPECT_TRUE(contains(missing.err, "not a run directory")) << missing.to_text();
  EXPECT_FALSE(fs::exists(dir.path() / "x.png"));
}

TEST_F(Pictures, OfUnknownPlacesAndRangesAreRefusedWithAnExample) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"--camera", "behind"}, "there is no view 'behind'"},
      {{"--camera", "1,1"}, "a place has three numbers"},
      {{"--fps", "0"}, "'0' is no number above 0"},
      {{"--fps", "5"}, "a picture has no speed and no frames per second"},
      {{"--speed", "2"}, "a picture has no speed and no frames per second"},
      {{"--look-at", "1,2"}, "such as 0,0,0.5"},
      {{"--up", "w"}, "--up y"},
      {{"--up", "0,0,0"}, "--up y"},
      {{"--range", "3"}, "two numbers"},
      {{"--range", "3,1"}, "the smaller one first"},
      {{"--size", "320"}, "1280x720"},
      {{"--size", "5x99999"}, "16 to 8192"},
      {{"--camera", "1,2,3", "--look-at", "1,2,3"}, "where it looks"}};
  for (const auto& [options, expected] : cases) {
    std::vector<std::string> all{"render", run, "-o", "x.png"};
    all.insert(all.end(), options.begin(), options.end());
    const CommandResult result = sinew(all, dir.path());
    EXPECT_EQ(result.exit_code, 2) << result.to_text();
    EXPECT_TRUE(contains(result.err, expected)) << result.to_text();
    EXPECT_FALSE(fs::exists(dir.path() / "x.png"));
  }
}

TEST_F(Pictures, FilmsNeedNoOtherProgram) {
  const auto pictures_in = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all{"render", run, "-o", "film.gif", "--draft", "--size", "96x54"};
    all.insert(all.end(), more.begin(), more.end());
    const CommandResult result = sinew(all, dir.path());
    EXPECT_EQ(result.exit_code, 0) << result.to_text();
    const std::string bytes = content_of(dir.path() / "film.gif");
    EXPECT_TRUE(bytes.starts_with("GIF89a")) << result.to_text();
    // every picture is preceded by when and how it is shown
    int count = 0;
    for (std::size_t at = 0; (at = bytes.find("\x21\xf9\x04\x05", at)) != std::string::npos; ++at)
      ++count;
    return count;
  };
  EXPECT_EQ(pictures_in({}), 6) << "the frames of a tenth of a second";
  EXPECT_EQ(pictures_in({"--fps", "20"}), 3);
  EXPECT_EQ(pictures_in({"--fps", "20", "--speed", "0.5"}), 5);
  const CommandResult fast =
      sinew({"render", run, "-o", "fast.gif", "--draft", "--speed", "100"}, dir.path());
  EXPECT_EQ(fast.exit_code, 2) << fast.to_text();
  EXPECT_TRUE(contains(fast.err, "the film would last 0.001 s")) << fast.to_text();
  EXPECT_FALSE(fs::exists(dir.path() / "fast.gif"));
}

TEST_F(Pictures, ThumbnailsHaveTheSizeThatWasAskedFor) {
  for (const char* size : {"16x16", "40x60"}) {
    const std::string file = (dir.path() / "small.png").string();
    const CommandResult result =
        sinew({"render", run, "-o", file, "--time", "0.05", "--size", size, "--draft"});
    EXPECT_EQ(result.exit_code, 0) << result.to_text();
    const auto [width, height] = png_size(file);
    EXPECT_EQ(std::to_string(width) + "x" + std::to_string(height), size);
  }
}

TEST(Compare, PrintsAndWritesOneRowPerMethod) {
  const TempDir dir;
  const fs::path scene = dir.write("scene.json", small_scene);

  const CommandResult result =
      sinew({"compare", scene.string(), "--integrators", "be,trapezoidal", "-o",
             (dir.path() / "cmp").string(), "--reference-dt", "1e-3"});

  ASSERT_EQ(result.exit_code, 0) << result.to_text();
  EXPECT_TRUE(contains(result.out, "error [m]")) << "a reference step asks for a reference";
  std::istringstream table(content_of(dir.path() / "cmp/compare.csv"));
  std::string header, be, trapezoidal, more;
  std::getline(table, header);
  std::getline(table, be);
  std::getline(table, trapezoidal);
  EXPECT_FALSE(std::getline(table, more));
  EXPECT_EQ(
      header,
      "integrator,dt,status,wall_seconds,accepted,rejected,factorizations,solves,krylov,newton,"
      "energy_final,numerical_loss,error,redone,reached,reason");
  EXPECT_EQ(cells_of(be).at(0), "be");
  EXPECT_EQ(cells_of(be).at(2), "finished");
  EXPECT_EQ(cells_of(be).at(4), "10") << "accepted steps";
  EXPECT_DOUBLE_EQ(std::stod(cells_of(be).at(14)), 0.1) << "the time it reached";
  EXPECT_EQ(cells_of(be).at(15), "\"reached the end time\"");
  EXPECT_GT(std::stod(cells_of(be).at(12)), std::stod(cells_of(trapezoidal).at(12)));
  const fs::path folder = dir.path() / "cmp";
  if (fs::exists(folder / "be/preview.png")) {
    EXPECT_EQ(png_size(folder / "preview.png").first, 1600) << "both, side by side in time";
  }
  const std::string energies = content_of(folder / "energies.svg");
  EXPECT_TRUE(contains(energies, "small: elastic energy")) << energies;
  EXPECT_FALSE(contains(energies, "contact energy")) << "there is none";
  const Legend legend = read_legend(content_of(folder / "work-precision.svg"));
  EXPECT_EQ(legend.names(), (std::set<std::string>{"be", "trapezoidal"}));
}

TEST(Compare, AReferenceThatFailsIsSaidSo) {
  const TempDir dir;
  const fs::path scene = dir.write("scene.json", small_scene);

  const CommandResult result =
      sinew({"compare", scene.string(), "--integrators", "be", "-o", (dir.path() / "cmp").string(),
             "--reference-integrator", "rk4", "--reference-dt", "0.005", "--set",
             "time.max_halvings=0", "--set", "bodies.0.material.young=1e12"});

  EXPECT_EQ(result.exit_code, 3) << result.to_text();
  EXPECT_TRUE(contains(result.err, "the reference run, rk4 with dt = 0.005 s, failed"))
      << result.to_text();
  const std::string table = content_of(dir.path() / "cmp/compare.csv");
  EXPECT_TRUE(contains(table, "be,0.01,finished,")) << "the runs are kept: " << table;
}

TEST(Compare, SaysOfEveryRunHowItEnded) {
  const TempDir dir;
  const fs::path scene = dir.write("scene.json", small_scene);

  // far above what an explicit method bears
  const CommandResult result = sinew({"compare", scene.string(), "--integrators", "be,rk4", "-o",
                                      (dir.path() / "cmp").string(), "--set", "time.max_halvings=0",
                                      "--set", "bodies.0.material.young=1e12"});

  EXPECT_EQ(result.exit_code, 3) << result.to_text();
  EXPECT_TRUE(contains(result.err, "finished be\n")) << result.to_text();
  EXPECT_TRUE(contains(result.err, "failed rk4: step ")) << result.to_text();
  EXPECT_FALSE(contains(result.err, "finished rk4")) << result.to_text();
  EXPECT_TRUE(contains(result.out, "failed      rk4: step ")) << result.to_text();
  const std::string table = content_of(dir.path() / "cmp/compare.csv");
  EXPECT_TRUE(contains(table, "rk4,0.01,failed,")) << table;
  EXPECT_TRUE(contains(table, ",\"step ")) << "and why: " << table;
}

TEST(Compare, AnEarlierComparisonIsReplacedOnlyWithForce) {
  const TempDir dir;
  const fs::path scene = dir.write("scene.json", small_scene);
  const auto compare = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"compare", scene.string(), "--integrators", "be", "--quiet"});
    return sinew(options, dir.path());
  };
  ASSERT_EQ(compare({"-o", "cmp"}).exit_code, 0);
  const std::string before = content_of(dir.path() / "cmp/compare.csv");

  const CommandResult refused = compare({"-o", "cmp", "--dt", "0.02"});

  EXPECT_EQ(refused.exit_code, 2) << refused.to_text();
  EXPECT_TRUE(contains(refused.err, "cmp: there is an earlier comparison")) << refused.err;
  for (const char* way_out : {"--force", "-o"})
    EXPECT_TRUE(contains(refused.err, way_out)) << refused.err;
  EXPECT_EQ(content_of(dir.path() / "cmp/compare.csv"), before);

  EXPECT_EQ(compare({"-o", "cmp", "--dt", "0.02", "--force"}).exit_code, 0);
  EXPECT_TRUE(contains(content_of(dir.path() / "cmp/compare.csv"), "be,0.02,finished,"));

  const CommandResult first = compare({}), second = compare({});
  EXPECT_EQ(first.exit_code, 0) << first.to_text();
  EXPECT_EQ(second.exit_code, 0) << second.to_text();
  EXPECT_TRUE(contains(second.err, "-compare-2")) << second.err;
  EXPECT_EQ(std::distance(fs::directory_iterator(dir.path() / "runs"), fs::directory_iterator()),
            2);
}

TEST(Compare, WhatIsNoComparisonIsLeftAloneEvenWithForce) {
  const TempDir dir;
  const fs::path scene = dir.write("scene.json", small_scene);
  fs::create_directory(dir.path() / "site");
  dir.write("site/report.html", "somebody's page");
  ASSERT_EQ(
      sinew({"run", scene.string(), "-o", "run", "--quiet", "--no-report"}, dir.path()).exit_code,
      0);
  const std::string before = content_of(dir.path() / "run/manifest.json");

  for (const char* place : {"site", "run"}) {
    const CommandResult result = sinew(
        {"compare", scene.string(), "--integrators", "be", "-o", place, "--force"}, dir.path());
    EXPECT_EQ(result.exit_code, 2) << result.to_text();
  }

  EXPECT_EQ(content_of(dir.path() / "site/report.html"), "somebody's page");
  EXPECT_EQ(content_of(dir.path() / "run/manifest.json"), before);
}

TEST(Compare, AStopIsNotTheEnd) {
  const TempDir dir;
  const fs::path scene = dir.write("scene.json", small_scene);
  const fs::path out = dir.path() / "cmp";

  const CommandResult result = sinew({"compare", scene.string(), "--integrators", "be,sdirk2", "-o",
                                      out.string(), "--end", "1e5", "--fps", "0"},
                                     {}, Interruption{.once_exists = out / "be/manifest.json"});

  EXPECT_EQ(result.exit_code, 130) << result.to_text();
  for (const char* name : {"be", "sdirk2"}) {
    EXPECT_TRUE(contains(result.err, std::string("stopped ") + name + ": stopped by the user at t"))
        << result.to_text();
    EXPECT_FALSE(contains(result.err, std::string("finished ") + name)) << result.to_text();
  }
  EXPECT_TRUE(contains(content_of(out / "compare.csv"), "sdirk2,0.01,stopped,"));
}

// ---- modes -----------------------------------------------------------------------------------

constexpr auto free_bar = R"({ "sinew": 1, "name": "free",
  "bodies": [ { "mesh": { "generator": "bar", "size": [1, 0.2, 0.2], "cells": [8, 2, 2] },
                "damping": { "mass": 0.1, "stiffness": 1e-4 } } ] })";

TEST(Modes, LeaveATableAndShapesThatCanBeDrawn) {
  const TempDir dir;
  std::ofstream(dir.path() / "free.json") << free_bar;

  const CommandResult result = sinew({"modes", "free.json", "-n", "3"}, dir.path());

  ASSERT_EQ(result.exit_code, 0) << result.to_text();
  EXPECT_TRUE(contains(result.out, "6 motions")) << result.out;
  EXPECT_TRUE(contains(result.out, "frequency")) << result.out;
  const fs::path out = dir.path() / "runs/free-modes";
  std::istringstream table(content_of(out / "modes.csv"));
  std::string row;
  std::getline(table, row);
  EXPECT_EQ(row, "mode,kind,frequency,omega,eigenvalue,residual,damping_ratio");
  int rigid = 0, vibrating = 0;
  while (std::getline(table, row)) {
    rigid += contains(row, "0,rigid,") ? 1 : 0;
    vibrating += row.starts_with(std::to_string(vibrating + 1) + ",vibration,") ? 1 : 0;
  }
  EXPECT_EQ(rigid, 6);
  EXPECT_EQ(vibrating, 3);
  for (const char* name : {"frames.pvd", "frames/mode_01.vtu", "frames/mode_03.vtu"})
    EXPECT_TRUE(fs::exists(out / name)) << name;
  EXPECT_FALSE(fs::exists(out / "frames/mode_04.vtu"));
  const auto manifest = nlohmann::json::parse(content_of(out / "manifest.json"));
  EXPECT_EQ(manifest["status"], "finished");
  EXPECT_EQ(manifest["integrator"]["name"], "modes");
  if (fs::exists(out / "preview.png")) {
    const CommandResult picture =
        sinew({"render", out.string(), "-o", "shape.png", "--time", "2"}, dir.path());
    EXPECT_EQ(picture.exit_code, 0) << picture.to_text();
  }
  // again, swinging: an earlier one is replaced where that is asked for
  const std::vector<std::string> again{"modes", "free.json", "-n", "1", "--frames", "4"};
  const CommandResult numbered = sinew(again, dir.path());
  EXPECT_TRUE(contains(numbered.err, "-modes-2")) << numbered.to_text();
  EXPECT_TRUE(fs::exists(out / "frames/mode_01.vtu"));
  std::vector<std::string> forced = again;
  forced.emplace_back("--force");
  ASSERT_EQ(sinew(forced, dir.path()).exit_code, 0);
  EXPECT_FALSE(fs::exists(out / "frames/mode_01.vtu"));
  EXPECT_TRUE(fs::exists(out / "frames/mode_01_003.vtu"));
}

TEST(Modes, AboutTheInitialStateDiffer) {
  const TempDir dir;
  std::ofstream(dir.path() / "free.json") << free_bar;
  const auto first = [&](const char* at) {
    const CommandResult result =
        sinew({"modes", "free.json", "-n", "1", "--at", at, "-o", at, "--set",
               R"(bodies.0.initial.displacement=["0.05*x", "0", "0"])"},
              dir.path());
    EXPECT_EQ(result.exit_code, 0) << result.to_text();
    return content_of(dir.path() / at / "modes.csv");
  };
  EXPECT_NE(first("rest"), first("initial"));
}

TEST(Modes, ThatCannotBeFoundAreRefusedWithARemedy) {
  const TempDir dir;
  std::ofstream(dir.path() / "free.json") << free_bar;
  fs::create_directories(dir.path() / "mine");
  std::ofstream(dir.path() / "mine/thesis.txt") << "precious";
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"free.json", "-n", "100000"}, "choose another number with -n"},
      {{"free.json", "-n", "0"}, "choose another number with -n"},
      {{"free.json", "-o", "mine"}, "choose another place with -o"},
      {{"free.json", "--at", "noon"}, "--at"},
      {{"hanging-bal"}, "hanging-ball"},
      {{"free.json", "--set", R"(fixed=[{"select": {}}])"}, "vertices"}};
  for (const auto& [arguments, expected] : cases) {
    std::vector<std::string> all{"modes"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const CommandResult result = sinew(all, dir.path());
    EXPECT_EQ(result.exit_code, 2) << result.to_text();
    EXPECT_TRUE(contains(result.err, expected)) << result.to_text();
    EXPECT_FALSE(fs::exists(dir.path() / "runs"));
  }
  EXPECT_EQ(content_of(dir.path() / "mine/thesis.txt"), "precious");
}

TEST(Damping, WritesTheCurvesAsATableAndAPicture) {
  const TempDir dir;

  const CommandResult result =
      sinew({"damping", "--integrators", "be,trapezoidal", "-o", dir.path().string()});

  ASSERT_EQ(result.exit_code, 0) << result.to_text();
  EXPECT_TRUE(contains(result.out, "0.693147")) << "be at h omega = 1";
  std::istringstream table(content_of(dir.path() / "damping.csv"));
  std::string row;
  std::getline(table, row);
  EXPECT_EQ(row, "integrator,h_omega,d_over_omega");
  int rows = 0;
  while (std::getline(table, row)) {
    const std::vector<std::string> cells = cells_of(row);
    const double theta = std::stod(cells.at(1)), damping = std::stod(cells.at(2));
    const double expected = cells.at(0) == "be" ? std::log(1.0 + theta * theta) / theta : 0.0;
    EXPECT_NEAR(damping, expected, 1e-10) << row;
    ++rows;
  }
  EXPECT_EQ(rows, 2 * 161) << "forty points per decade from 0.01 to 100";
  const std::string picture = content_of(dir.path() / "damping.svg");
  EXPECT_TRUE(contains(picture, "<polyline")) << "and it holds curves";
  EXPECT_EQ(sinew({"damping", "--integrators", "bee", "-o", dir.path().string()}).exit_code, 2);
}

TEST(Damping, ThePictureOfAllMethodsTellsThemApart) {
  const TempDir dir;
  const CommandResult result = sinew({"damping", "-o", dir.path().string()});
  ASSERT_EQ(result.exit_code, 0) << result.to_text();
  std::set<std::string> methods;
  std::istringstream table(content_of(dir.path() / "damping.csv"));
  std::string row;
  std::getline(table, row);
  while (std::getline(table, row)) methods.insert(cells_of(row).at(0));
  ASSERT_GT(methods.size(), 20U);

  const Legend legend = read_legend(content_of(dir.path() / "damping.svg"));

  EXPECT_EQ(legend.names(), methods);
  expect_readable(legend);
  const auto entry_of = [&](const std::string& name) {
    for (std::size_t k = 0; k < legend.entries.size(); ++k)
      if (Legend{.entries = {legend.entries[k]}}.names().contains(name)) return k;
    return legend.entries.size();
  };
  EXPECT_NE(entry_of("trapezoidal"), entry_of("blend")) << "one damps, the other does not";
  EXPECT_EQ(entry_of("trapezoidal"), entry_of("implicit-midpoint")) << "neither damps";
  EXPECT_NE(entry_of("trapezoidal"), entry_of("ere")) << "other families have other axes";
  EXPECT_EQ(entry_of("si"), entry_of("be")) << "the same for linear forces";
}

TEST(Reproduce, SaysWhatItTestsAndThenItsVerdict) {
  const TempDir dir;
  const CommandResult result =
      sinew({"reproduce", "exp-fig5", "--quick", "-o", (dir.path() / "exp-fig5").string()});

  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  const std::string statement = "with it the curve is smooth";
  EXPECT_LT(result.out.find(statement), result.out.find("verdict     exp-fig5: 1 agree"))
      << result.to_text();
  EXPECT_TRUE(contains(result.out, "verdict     exp-fig5: 1 agree, 0 differ")) << result.to_text();
  EXPECT_TRUE(
      content_of(dir.path() / "exp-fig5/exp-fig5.csv").starts_with("filter,h,h_omega,error"));
  EXPECT_TRUE(content_of(dir.path() / "exp-fig5/exp-fig5.svg").starts_with("<svg"));

  const CommandResult page = sinew({"reproduce", "page", "-o", dir.path().string()});
  EXPECT_EQ(page.exit_code, 0) << page.to_text();
  const std::string text = content_of(dir.path() / "reproduction.md");
  EXPECT_TRUE(contains(text, statement) && contains(text, "Without a result: `siere-")) << text;
}

TEST(Reproduce, RefusesWhatItDoesNotKnow) {
  const TempDir dir;
  EXPECT_EQ(sinew({"reproduce", "exp-fig99"}).exit_code, 2);
  EXPECT_EQ(sinew({"reproduce", "page", "-o", dir.path().string()}).exit_code, 2);
  const CommandResult list = sinew({"reproduce"});
  EXPECT_TRUE(contains(list.out, "siere-fig7") && contains(list.out, "all")) << list.to_text();
}

TEST(Kernels, ThatCannotServeAreRefusedWithARemedy) {
  const TempDir dir;
  const fs::path scene = dir.write("scene.json", small_scene);
  const auto refusal = [&](std::vector<std::string> settings) {
    std::vector<std::string> arguments{
        "run", scene.string(), "-o", (dir.path() / "run").string(), "--integrator", "eti"};
    for (const std::string& setting : settings) {
      arguments.emplace_back("--set");
      arguments.push_back(setting);
    }
    const CommandResult result = sinew(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.to_text();
    EXPECT_FALSE(fs::exists(dir.path() / "run"));
    return result.err;
  };
  EXPECT_TRUE(contains(refusal({"integrator.kernel=dense", "bodies.0.mesh.cells=[20,6,6]"}),
                       "/integrator/kernel: dense is for small systems"));
  EXPECT_TRUE(contains(refusal({"integrator.filter=gautschi", "integrator.form=one-step"}),
                       "/integrator/form: there is no one-step form"));
  EXPECT_TRUE(contains(refusal({"integrator.form=two-step", "time.tolerance=1e-3"}),
                       "/time/tolerance: eti keeps a history"));
}

}  // namespace
}  // namespace sinew::test
