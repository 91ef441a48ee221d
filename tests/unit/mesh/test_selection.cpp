// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/selection.hpp>

namespace sinew::mesh {
namespace {

const TetMesh& bar() {
  static const TetMesh mesh = make_bar({.size = {4, 1, 1}, .cells = {4, 2, 2}});
  return mesh;
}

TEST(Selection, NoConditionPicksEverything) {
  EXPECT_EQ(select_vertices(bar(), {}).size(), 45u);
  EXPECT_EQ(select_tets(bar(), {}).size(), 80u);
}

TEST(Selection, BoxPlaneSphereAndIndexPickWhatTheySay) {
  EXPECT_EQ(select_vertices(bar(), {.box = {{Vec3(3.5, 2, 2), Vec3(9, -1, -1)}}}).size(), 9u);
  EXPECT_EQ(select_vertices(bar(), {.plane = Selection::Plane{Vec3(1, 0, 0), Vec3(-5, 0, 0), 1e-9}})
                .size(),
            9u);
  EXPECT_EQ(select_vertices(bar(), {.sphere = Selection::Sphere{Vec3(0, 0, 0), 0.5}}).size(), 3u);
  EXPECT_EQ(select_vertices(bar(), {.vertices = std::vector<int>{7, 3, 7}}),
            (std::vector<int>{3, 7}));
}

TEST(Selection, SeveralConditionsMustAllHold) {
  Selection select;
  select.box = {{Vec3(-1, -1, -1), Vec3(1, 9, 9)}};
  select.plane = Selection::Plane{Vec3(0, 0, 0), Vec3(0, 0, 1), 1e-9};

  for (const int v : select_vertices(bar(), select)) {
    EXPECT_LE(bar().vertices[v][0], 1.0);
    EXPECT_EQ(bar().vertices[v][2], 0.0);
  }
  EXPECT_EQ(select_vertices(bar(), select).size(), 6u);
}

TEST(Selection, RegionsAreFoundByNameAndByNumber) {
  const TetMesh ball = make_ball({});

  const std::vector<int> by_name = select_tets(ball, {.region = "shell"});

  EXPECT_EQ(by_name, select_tets(ball, {.region = "1"}));
  EXPECT_FALSE(by_name.empty());
  for (const int t : by_name) EXPECT_EQ(ball.regions[t], 1);
  // vertices on the boundary of two regions belong to both
  EXPECT_GT(select_vertices(ball, {.region = "shell"}).size() +
                select_vertices(ball, {.region = "core"}).size(),
            ball.vertices.size());
}

TEST(Selection, UnknownRegionsAndVerticesAreNamed) {
  const TetMesh ball = make_ball({});
  try {
    static_cast<void>(select_tets(ball, {.region = "shel"}));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'shell'"), std::string::npos);
  }
  EXPECT_THROW(static_cast<void>(select_vertices(ball, {.vertices = std::vector<int>{100000}})),
               InputError);
}

TEST(Selection, BarsAreFoundByRegionAndByTheirMiddle) {
  TetMesh rope;
  rope.vertices = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
  rope.bars = {{0, 1}, {1, 2}, {2, 3}};
  rope.bar_regions = {0, 1, 1};
  rope.region_names = {{1, "thin"}};

  EXPECT_EQ(select_bars(rope, rope.bars, {.region = "thin"}), (std::vector<int>{1, 2}));
  EXPECT_EQ(select_vertices(rope, {.region = "thin"}), (std::vector<int>{1, 2, 3}));
  const std::array<Vec3, 2> first_half{Vec3(0, -1, -1), Vec3(1.4, 1, 1)};
  EXPECT_EQ(select_bars(rope, rope.bars, {.box = first_half}), (std::vector<int>{0}));
  EXPECT_EQ(select_bars(rope, rope.bars, {.vertices = std::vector<int>{0, 1, 2}}),
            (std::vector<int>{0, 1}));
  EXPECT_THROW(static_cast<void>(select_bars(rope, rope.bars, {.region = "thick"})), InputError);
}

}  // namespace
}  // namespace sinew::mesh
