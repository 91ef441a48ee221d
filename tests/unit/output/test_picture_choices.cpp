// SPDX-License-Identifier: Apache-2.0
// What pictures choose by themselves: colours, numbers at axes, instants, which way is up.
#include <cmath>

#include <Eigen/Geometry>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sinew/core/atomic_file.hpp>
#include <sinew/output/publish/colour_range.hpp>
#include <sinew/output/publish/instants.hpp>
#include <sinew/output/publish/ticks.hpp>
#include <sinew/output/publish/upright.hpp>
#include <sinew/scene/format/scene_reader.hpp>
#include <sinew/study/run.hpp>

#include "support/temp_dir.hpp"

namespace sinew::output {
namespace {

SurfaceField field_of(std::vector<std::vector<float>> values) {
  return {.name = "speed", .unit = "m/s", .values = std::move(values)};
}

ColourRange range_of(const SurfaceField& field) {
  return robust_range(std::array{&field});
}

// ---- ranges ----------------------------------------------------------------------------------

TEST(ColourRange, AFewPeaksDoNotSetIt) {
  std::vector<float> calm(1000, 0.0F);
  for (std::size_t k = 0; k < calm.size(); ++k) calm[k] = 0.001F * static_cast<float>(k);
  std::vector<float> peaked = calm;
  for (std::size_t k = 0; k < 5; ++k) peaked[k] = 1e6F;
  const ColourRange range = range_of(field_of({calm, peaked}));
  EXPECT_EQ(range.low, 0.0);
  EXPECT_NEAR(range.high, 0.99, 0.01);
  EXPECT_TRUE(range.exceeds_high);
  EXPECT_FALSE(range.exceeds_low);
  EXPECT_DOUBLE_EQ(range.place(range.high), 1.0);
}

TEST(ColourRange, BeginsAtZeroUnlessThereAreNegativeValues) {
  EXPECT_EQ(range_of(field_of({{5.0F, 6.0F, 7.0F}})).low, 0.0);
  const ColourRange signed_range = range_of(field_of({{-2.0F, 0.0F, 3.0F}}));
  EXPECT_EQ(signed_range.low, -2.0);
  EXPECT_EQ(signed_range.high, 3.0);
}

TEST(ColourRange, WhatMovesRarelyIsSeen) {
  std::vector<float> rest(1000, 0.0F);
  std::vector<float> once = rest;
  once[7] = 2.0F;
  const ColourRange range = range_of(field_of({rest, once}));
  EXPECT_EQ(range.low, 0.0);
  EXPECT_EQ(range.high, 2.0);
}

TEST(ColourRange, SurvivesWhatIsNotFiniteAndNothingAtAll) {
  const float nan = std::nanf("");
  EXPECT_EQ(range_of(field_of({{nan, 1.0F, INFINITY, 2.0F}})).high, 2.0);
  EXPECT_EQ(range_of(field_of({})).high, 0.0);
  EXPECT_EQ(range_of(field_of({{nan}})).place(1.0), 0.0);
}

TEST(ColourRange, LimitsThatAreGivenAreKept) {
  const SurfaceField field = field_of({{-1.0F, 0.5F, 2.0F}});
  const ColourRange range = given_range(0.0, 3.0, std::array{&field});
  EXPECT_EQ(range.low, 0.0);
  EXPECT_EQ(range.high, 3.0);
  EXPECT_TRUE(range.exceeds_low);
  EXPECT_FALSE(range.exceeds_high);
}

TEST(ColourRange, ColoursAreThoseOfWhatMoves) {
  SurfaceFrames moving, still;
  moving.times = still.times = {0.0, 1.0};
  moving.fields = {field_of({{0.0F, 0.0F}, {0.0F, 1.0F}})};
  still.fields = {field_of({{0.0F, 0.0F}, {0.0F, 0.0F}}),
                  {.name = "displacement", .unit = "m", .values = {{0.0F, 1.0F}, {0.0F, 1.0F}}}};
  EXPECT_EQ(field_of_motion(std::array<const SurfaceFrames*, 1>{&moving}), "speed");
  EXPECT_EQ(field_of_motion(std::array<const SurfaceFrames*, 1>{&still}), "displacement");
  EXPECT_EQ(field_of_motion(std::array<const SurfaceFrames*, 2>{&still, &moving}), "speed");
  const SurfaceFrames without_frames;
  EXPECT_EQ(field_of_motion(std::array<const SurfaceFrames*, 2>{&moving, &without_frames}), "speed")
      << "a run without frames takes nothing from the others";
  still.fields.pop_back();
  EXPECT_EQ(field_of_motion(std::array<const SurfaceFrames*, 1>{&still}), "") << "constant";
}

// ---- numbers at axes -------------------------------------------------------------------------

TEST(Ticks, AreRoundInsideAndNeverTooMany) {
  for (const double low : {-3.7, 0.0, 1e-7, 12345.6})
    for (const double extent : {1e-6, 0.3, 1.0, 7.7, 1e5}) {
      const std::vector<double> ticks = round_ticks(low, low + extent);
      EXPECT_GE(ticks.size(), 3U) << low << " " << extent;
      EXPECT_LE(ticks.size(), 9U);
      for (const double tick : ticks) {
        EXPECT_GE(tick, low - 1e-5 * extent);
        EXPECT_LE(tick, low + extent * (1 + 1e-5));
      }
    }
  EXPECT_TRUE(round_ticks(1.0, 1.0).empty());
  EXPECT_TRUE(round_ticks(0.0, std::nan("")).empty());
}

TEST(Ticks, LabelsAreTheNumbersThemselves) {
  EXPECT_EQ(tick_label(0.1 + 0.2), "0.3");
  EXPECT_EQ(tick_label(0.0), "0");
  EXPECT_EQ(tick_label(-0.25), "-0.25");
  EXPECT_EQ(tick_label(1234567), "1.234567e6");
  EXPECT_EQ(tick_label(2e10), "2e10");
  EXPECT_EQ(tick_label(0.00005), "5e-5");
  EXPECT_EQ(tick_label(150000), "150000");
  for (const double low : {-7.123456, 0.0, 1e-9, 98765.4})
    for (const double extent : {1e-3, 0.77, 5e7})
      for (const double tick : round_ticks(low, low + extent))
        EXPECT_NEAR(std::stod(tick_label(tick)), tick, 1e-6 * extent) << tick_label(tick);
}

TEST(Ticks, OfLogarithmicAxesFitWhateverTheExtent) {
  EXPECT_EQ(logarithmic_ticks(0.9, 21.0).size(), 5U) << "1, 2, 5, 10, 20";
  for (const double high : {0.02, 1.0, 1e4, 1e12, 1e30}) {
    const std::vector<double> ticks = logarithmic_ticks(0.01, high);
    EXPECT_GE(ticks.size(), 2U) << high;
    EXPECT_LE(ticks.size(), 15U) << high;
  }
  EXPECT_GE(logarithmic_ticks(3.1, 3.9).size(), 2U) << "where there is no power of ten";
  EXPECT_TRUE(logarithmic_ticks(0.0, 1.0).empty());
}

TEST(Ticks, UnitsGetThePrefixThatFits) {
  EXPECT_EQ(scale_for(2.5e6, "Pa").unit, "MPa");
  EXPECT_EQ(scale_for(2.5e6, "Pa").factor, 1e6);
  EXPECT_EQ(scale_for(0.02, "m/s").unit, "mm/s");
  EXPECT_EQ(scale_for(1.0, "m").unit, "m");
  EXPECT_EQ(scale_for(3000.0, "m/s").unit, "m/s");
  EXPECT_EQ(scale_for(1e-9, "m").unit, "mm") << "the smallest here";
  EXPECT_EQ(scale_for(0.0, "m").unit, "m");
  EXPECT_EQ(scale_for(0.02, "nm/ps").unit, "nm/ps") << "no prefix of a prefix";
  EXPECT_EQ(scale_for(5e4, "").factor, 1.0);
}

// ---- instants --------------------------------------------------------------------------------

/// One point that goes through these heights.
SurfaceFrames path(const std::vector<float>& heights) {
  SurfaceFrames surface;
  for (std::size_t k = 0; k < heights.size(); ++k) {
    surface.times.push_back(0.1 * static_cast<double>(k));
    surface.positions.push_back({0.0F, 0.0F, heights[k]});
  }
  return surface;
}

TEST(Instants, AreThoseThatDiffer) {
  // twice up and down, so that every third frame shows the same
  const SurfaceFrames surface = path({0, 1, 0, 0, -1, 0, 0});
  EXPECT_EQ(telling_instants(std::array{&surface}, 4), (std::vector<std::size_t>{0, 1, 4, 6}));
}

TEST(Instants, OfSeveralRunsAreWhereTheyDiffer) {
  const SurfaceFrames damped = path({1, 0, 0, 0, 0, 0, 0, 0, 0});
  const SurfaceFrames swings = path({1, 0, -1, 0, 1, 0, -1, 0, 1});
  EXPECT_EQ(telling_instants(std::array{&damped, &swings}, 4),
            (std::vector<std::size_t>{0, 2, 4, 8}));
}

TEST(Instants, CopeWithFewFrames) {
  for (std::size_t frames = 0; frames < 4; ++frames) {
    const SurfaceFrames surface = path(std::vector<float>(frames, 1.0F));
    const std::vector<std::size_t> chosen = telling_instants(std::array{&surface}, 5);
    EXPECT_LE(chosen.size(), frames);
    EXPECT_EQ(chosen.empty(), frames == 0);
    EXPECT_TRUE(std::is_sorted(chosen.begin(), chosen.end()));
  }
  const SurfaceFrames surface = path({0, 1, 2});
  EXPECT_EQ(telling_instants(std::array{&surface}, 1), (std::vector<std::size_t>{0}));
  EXPECT_EQ(frame_at(surface.times, 0.12), 1U);
}

// ---- up --------------------------------------------------------------------------------------

TEST(Upright, BringsUpToZByARotation) {
  for (const Vec3& up : {Vec3(0, 0, 1), Vec3(0, 1, 0), Vec3(1, 0, 0), Vec3(0, 0, -1),
                         Vec3(0, -1, 0), Vec3(0.3, -2.0, -0.4)}) {
    const Mat3 rotation = upright(up);
    EXPECT_LT((rotation * up.normalized() - Vec3::UnitZ()).norm(), 1e-12) << up.transpose();
    EXPECT_LT((rotation * rotation.transpose() - Mat3::Identity()).norm(), 1e-12);
    EXPECT_NEAR(rotation.determinant(), 1.0, 1e-12);
  }
  EXPECT_EQ(upright(Vec3::UnitY()) * Vec3(1, 2, 3), Vec3(1, -3, 2)) << "exact for axes";
  EXPECT_EQ(upright(Vec3::UnitZ()), Mat3::Identity());
}

/// Extent of the positions of a glTF file, and upAxis of a USD file, of a bar of 1 x 0.5 x 0.25.
struct Exported {
  nlohmann::json low, high;
  std::string up_axis;
};

Exported exported_with(const std::string& up) {
  const test::TempDir dir;
  const std::filesystem::path run = dir.path() / "run";
  study::run_scene(scene::parse_scene(R"({ "sinew": 1, "up": )" + up + R"(,
        "bodies": [ { "mesh": { "size": [1, 0.5, 0.25], "cells": [2, 1, 1] } } ],
        "time": { "dt": 0.1, "end": 0.1 }, "output": { "fps": 10, "format": ["gltf", "usda"] } })",
                                      "test"),
                   {.directory = run});
  const std::string bytes = core::read_file(run / "animation.glb");
  const auto gltf = nlohmann::json::parse(bytes.substr(20, bytes.find("BIN", 20) - 24));
  const auto& positions = gltf["accessors"][0];
  const std::string usda = core::read_file(run / "animation.usda");
  const std::string key = "upAxis = \"";
  return {positions["min"], positions["max"], usda.substr(usda.find(key) + key.size(), 1)};
}

TEST(Upright, GltfIsTurnedAndUsdSaysWhichAxis) {
  const Exported z = exported_with(R"("z")"), y = exported_with(R"("y")");
  EXPECT_EQ(z.low, nlohmann::json::parse("[0.0, 0.0, -0.5]"));
  EXPECT_EQ(z.high, nlohmann::json::parse("[1.0, 0.25, 0.0]"));
  EXPECT_EQ(z.up_axis, "Z");
  EXPECT_EQ(y.low, nlohmann::json::parse("[0.0, 0.0, 0.0]"));
  EXPECT_EQ(y.high, nlohmann::json::parse("[1.0, 0.5, 0.25]")) << "y is up there already";
  EXPECT_EQ(y.up_axis, "Y");
}

}  // namespace
}  // namespace sinew::output
