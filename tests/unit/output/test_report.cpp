// SPDX-License-Identifier: Apache-2.0
// What a report holds is what the run wrote: the format read back by hand.
#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/output/publish/report.hpp>
#include <sinew/output/publish/report_page.hpp>
#include <sinew/output/record/surface_frames.hpp>
#include <sinew/scene/format/builtin_scenes.hpp>
#include <sinew/study/compare.hpp>
#include <sinew/study/run.hpp>

#include "support/temp_dir.hpp"

namespace sinew::output {
namespace {

using Json = nlohmann::json;
using test::TempDir;

std::vector<std::uint8_t> unpacked(const std::string& text, std::size_t size) {
  const auto digit = [](char c) -> unsigned {
    static const std::string digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    return static_cast<unsigned>(digits.find(c)) & 63U;
  };
  std::vector<std::uint8_t> bytes;
  for (std::size_t k = 0; k + 3 < text.size(); k += 4) {
    const unsigned group = digit(text[k]) << 18 | digit(text[k + 1]) << 12 |
                           digit(text[k + 2]) << 6 | digit(text[k + 3]);
    bytes.push_back(static_cast<std::uint8_t>(group >> 16));
    if (text[k + 2] != '=') bytes.push_back(static_cast<std::uint8_t>(group >> 8 & 255U));
    if (text[k + 3] != '=') bytes.push_back(static_cast<std::uint8_t>(group & 255U));
  }
  std::vector<std::uint8_t> result(size);
  uLongf length = size;
  EXPECT_EQ(uncompress(result.data(), &length, bytes.data(), bytes.size()), Z_OK);
  EXPECT_EQ(length, size);
  return result;
}

/// The data inside a page.
Json data_of(const std::string& page) {
  const std::string mark = "id=\"sinew-data\">";
  const std::size_t begin = page.find(mark) + mark.size();
  const std::string text = page.substr(begin, page.find("</script>", begin) - begin);
  EXPECT_EQ(text.find('<'), std::string::npos);
  return Json::parse(text);
}

class Report : public testing::Test {
 protected:
  Report() {
    scene::SceneSpec spec = scene::find_scene(
        "twisted-bar", {{"time.end", "0.1"},
                        {"bodies.0.mesh.cells", "[4, 2, 2]"},
                        {"output.fps", "50"},
                        {"output.probes", R"([{"name": "whole", "select": {}}])"}});
    study::RunOptions options;
    options.directory = dir.path() / "run";
    static_cast<void>(study::run_scene(spec, options));
  }

  const TempDir dir;
  const SurfaceFrames no_surface{};
};

TEST_F(Report, HoldsThePositionsOfTheFramesToItsResolution) {
  if (!has_report_page()) GTEST_SKIP() << "built without the page";
  const RunReader run(dir.path() / "run");
  const SurfaceFrames surface = read_surface_frames(run);
  const Json data = data_of(report_html("title </script>", {{"be", &run, &surface}}));

  EXPECT_EQ(data["format"], 1);
  EXPECT_EQ(data["title"], "title </script>");
  const Json& frames = data["runs"][0]["frames"];
  const std::size_t n = surface.chapters[0].num_vertices, count = 3 * n * surface.times.size();
  ASSERT_EQ(surface.times.size(), 6u);
  ASSERT_EQ(frames["times"].size(), 6u);
  const std::vector<std::uint8_t> bytes = unpacked(frames["positions"], 2 * count);
  std::size_t at = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const float low = frames["low"][axis], high = frames["high"][axis];
    std::vector<std::uint16_t> value(n, 0);
    for (std::size_t f = 0; f < 6; ++f)
      for (std::size_t v = 0; v < n; ++v, ++at) {
        value[v] = static_cast<std::uint16_t>(value[v] + bytes[at] + 256U * bytes[count + at]);
        const float x = low + (high - low) * static_cast<float>(value[v]) / 65535.0F;
        ASSERT_NEAR(x, surface.positions[f][3 * v + axis], 1e-5 * (high - low));
      }
  }
  const std::vector<std::uint8_t> indices =
      unpacked(data["runs"][0]["surface"]["indices"], 12 * surface.chapters[0].triangles.size());
  EXPECT_EQ(indices[0] + 256 * indices[1], surface.chapters[0].triangles[0][0]);
  ASSERT_EQ(frames["fields"].size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    const Json& field = frames["fields"][k];
    const std::vector<std::uint8_t> steps = unpacked(field["data"], 6 * n);
    const float low = field["low"], high = field["high"];
    EXPECT_EQ(field["name"], surface.fields[k].name);
    EXPECT_LT(low, high);
    std::vector<std::uint8_t> value(n, 0);
    for (std::size_t f = 0; f < 6; ++f)
      for (std::size_t v = 0; v < n; ++v) {
        value[v] = static_cast<std::uint8_t>(value[v] + steps[f * n + v]);
        const float shown = low + (high - low) * static_cast<float>(value[v]) / 255.0F;
        ASSERT_NEAR(shown, surface.fields[k].values[f][v], 0.501 * (high - low) / 255.0F);
      }
  }
}

TEST_F(Report, HoldsProbesModesAndTheClaim) {
  if (!has_report_page()) GTEST_SKIP() << "built without the page";
  const RunReader run(dir.path() / "run");
  const SurfaceFrames surface = read_surface_frames(run);
  const std::vector<ReportRun> runs{{"be", &run, &surface}};

  const Json data = data_of(report_html("bar", runs, std::nullopt, "Bars <untwist>."));

  EXPECT_EQ(data["claim"], "Bars <untwist>.");
  EXPECT_EQ(data["runs"][0]["probes"], run.table("probes.csv"));
  EXPECT_EQ(data["runs"][0]["probes"].get<std::string>().substr(0, 10), "t,whole_x,");
  EXPECT_FALSE(data["runs"][0].contains("modes"));
  EXPECT_FALSE(data_of(report_html("bar", runs)).contains("claim"));
  const std::string modes = "mode,kind,frequency\n1,vibration,2.5\n";
  core::write_atomically(dir.path() / "run" / "modes.csv", modes);
  EXPECT_EQ(data_of(report_html("bar", runs))["runs"][0]["modes"], modes);
}

TEST_F(Report, HoldsTheParametersOfASweepInTheirOrder) {
  if (!has_report_page()) GTEST_SKIP() << "built without the page";
  const RunReader run(dir.path() / "run");
  const ReportRun plain{"be", &run, &no_surface};
  ReportRun swept = plain;
  swept.parameters = {{"time.dt", "1e-2"}, {"bodies.0.name", R"(a "<b>")"}};

  const Json runs = data_of(report_html("bar", {swept, plain}))["runs"];

  EXPECT_EQ(runs[0]["parameters"], Json::parse(R"([{"name": "time.dt", "value": "1e-2"},
      {"name": "bodies.0.name", "value": "a \"<b>\""}])"));
  EXPECT_FALSE(runs[1].contains("parameters"));
}

TEST_F(Report, LongRunsKeepEveryRejectedStepAndEveryChangeOfRung) {
  if (!has_report_page()) GTEST_SKIP() << "built without the page";
  std::string steps = "step,t,dt,status,newton,rung,seconds\n";
  for (int k = 1; k <= 20000; ++k) {
    if (k == 9001) steps += "9001,9001.5,1,energy-rose,0,4,0\n";
    steps += fmt::format("{},{},1,accepted,0,{},0\n", k, k, k > 7000 && k <= 7003 ? 2 : 0);
  }
  core::write_atomically(dir.path() / "run" / "steps.csv", steps);
  const RunReader run(dir.path() / "run");

  const Json data = data_of(report_html("bar", {{"be", &run, &no_surface}}));

  const std::string kept = data["runs"][0]["steps"];
  EXPECT_LT(std::count(kept.begin(), kept.end(), '\n'), 4100);
  for (const char* row : {"\n1,1,1,accepted,0,0,0\n", "\n7001,7001,1,accepted,0,2,0\n",
                          "\n7004,7004,1,accepted,0,0,0\n", "\n9001,9001.5,1,energy-rose,0,4,0\n",
                          "\n20000,20000,1,accepted,0,0,0\n"})
    EXPECT_NE(kept.find(row), std::string::npos) << row;
}

TEST(ReportOfContact, HoldsItsForcesAndObstacles) {
  if (!has_report_page()) GTEST_SKIP() << "built without the page";
  const TempDir dir;
  study::RunOptions options;
  options.directory = dir.path() / "run";
  static_cast<void>(study::run_scene(
      scene::parse_scene(
          R"({"sinew": 1, "bodies": [{"mesh": {"size": [1, 1, 1], "cells": [1, 1, 1]},
            "transform": {"translate": [0, 0, 0.001]}, "material": {"young": 1e6}}],
          "loads": [{"type": "gravity"}], "obstacles": [{"type": "plane"}],
          "contact": {"model": "penalty", "distance": 0.01, "stiffness": 1e6},
          "integrator": {"name": "be"}, "time": {"dt": 0.05, "end": 2}, "output": {"fps": 1}})",
          "test"),
      options));
  const RunReader run(options.directory);
  const SurfaceFrames surface = read_surface_frames(run);
  const Json data = data_of(report_html("contact", {{"be", &run, &surface}}));
  const Json& of_run = data["runs"][0];
  EXPECT_EQ(of_run["surface"]["triangles"], 14);
  EXPECT_EQ(of_run["surface"]["body_triangles"], 12);
  const Json& forces = of_run["frames"]["vectors"][0];
  EXPECT_EQ(forces["name"], "contact_force");
  const std::size_t frames = of_run["frames"]["times"].size(), last = forces["counts"][frames - 1];
  EXPECT_EQ(last, 4u);  // the corners that it stands on, not the floor
  std::size_t count = 0;
  for (const Json& one : forces["counts"]) count += one.get<std::size_t>();
  const std::vector<std::uint8_t> bytes = unpacked(forces["data"], 16 * count);
  double weight = 0.0;
  for (std::size_t k = count - last; k < count; ++k) {
    float up = 0.0F;
    std::memcpy(&up, &bytes[16 * k + 12], sizeof up);
    weight += up;
  }
  EXPECT_NEAR(weight, 9810.0, 10.0);
}

TEST(ReportPage, IsTheBuiltPageByteForByte) {
  if (!has_report_page()) GTEST_SKIP() << "built without the page";
  const std::filesystem::path built =
      std::filesystem::path(SINEW_SOURCE_DIR) / "web/dist/report.html";
  EXPECT_EQ(core::read_file(built), report_page());
}

TEST_F(Report, ShowsRunsWithoutFramesToo) {
  if (!has_report_page()) GTEST_SKIP() << "built without the page";
  std::filesystem::remove_all(dir.path() / "run" / "frames");
  const RunReader run(dir.path() / "run");
  const SurfaceFrames surface = read_surface_frames(run);

  const Json data = data_of(report_html("none", {{"be", &run, &surface}}));

  EXPECT_TRUE(data["runs"][0]["frames"].is_null());
  EXPECT_EQ(data["runs"][0]["manifest"]["status"], "finished");
  EXPECT_FALSE(data["runs"][0]["energy"].get<std::string>().empty());
}

TEST(SurfaceFramesBox, OfARunThatBlewUpStaysNearTheBody) {
  SurfaceFrames surface;
  surface.times = {0.0, 1.0};
  surface.positions = {{0, 0, 0, 2, 0, 0, 0, 1, 0}, {1e8F, 0, 0, -1e8F, 3, 0, 0, NAN, 0.5F}};

  const auto [low, high] = surface.bounds();

  EXPECT_EQ(low, (std::array<float, 3>{-40.0F, 0.0F, 0.0F})) << "twenty sizes, the size being 2";
  EXPECT_EQ(high, (std::array<float, 3>{42.0F, 3.0F, 0.5F}));
}

TEST_F(Report, DamagedRunsAreRefusedWithAMessage) {
  const std::filesystem::path frame = dir.path() / "run" / "frames" / "frame_000003.vtu";
  const std::string whole = core::read_file(frame);
  core::write_atomically(frame, whole.substr(0, whole.size() / 2));
  EXPECT_THROW(static_cast<void>(read_surface_frames(RunReader(dir.path() / "run"))), InputError);
  core::write_atomically(dir.path() / "run" / "manifest.json", "{ \"format\": ");
  EXPECT_THROW(RunReader(dir.path() / "run"), InputError);
  EXPECT_THROW(RunReader(dir.path() / "nothing"), InputError);
}

TEST(Compare, RunsEveryMethodAndStepAndMeasuresTheirErrors) {
  const TempDir dir;
  const scene::SceneSpec spec = scene::find_scene(
      "twisted-bar",
      {{"time.end", "0.1"}, {"bodies.0.mesh.cells", "[4, 2, 2]"}, {"output.fps", "50"}});
  study::CompareOptions options;
  options.directory = dir.path() / "cmp";
  options.integrators = {"be", "tr-bdf2"};
  options.steps = {0.01, 0.005};
  options.reference.emplace();

  const std::vector<study::ComparedRun> runs = study::compare(spec, options).runs;

  ASSERT_EQ(runs.size(), 4u);
  for (const study::ComparedRun& run : runs) {
    ASSERT_TRUE(run.error.has_value()) << run.name;
    EXPECT_TRUE(std::filesystem::exists(options.directory / run.name / "manifest.json"));
  }
  EXPECT_LT(*runs[1].error, *runs[0].error) << "be: the smaller step is better";
  EXPECT_LT(*runs[3].error, *runs[2].error) << "tr-bdf2 as well";
  EXPECT_LT(*runs[2].error, 0.5 * *runs[0].error) << "and of higher order";
  EXPECT_TRUE(std::filesystem::exists(options.directory / "compare.csv"));
  if (!has_report_page()) return;
  const Json data = data_of(core::read_file(options.directory / "report.html"));
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const Json& row = data["errors"]["rows"][k];
    EXPECT_EQ(row["run"], data["runs"][k]["name"]);
    EXPECT_EQ(row["output"], data["runs"][k]["manifest"]["seconds"]["output"]);
    EXPECT_LE(row["output"], row["seconds"]);
  }
}

TEST(Compare, NamesThatDoNotExistOrRepeatAreRefusedBeforeAnythingRuns) {
  const TempDir dir;
  study::CompareOptions options;
  options.directory = dir.path() / "cmp";
  for (const std::vector<std::string>& names :
       {std::vector<std::string>{"be", "bee"}, std::vector<std::string>{"be", "be"}}) {
    options.integrators = names;
    EXPECT_THROW(static_cast<void>(study::compare(scene::find_scene("twisted-bar"), options)),
                 InputError);
    EXPECT_FALSE(std::filesystem::exists(options.directory));
  }
}

}  // namespace
}  // namespace sinew::output
