// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sinew/mesh/closed_surface.hpp>
#include <sinew/mesh/closest_point.hpp>
#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/quadratic.hpp>
#include <sinew/mesh/quality.hpp>
#include <sinew/mesh/selection.hpp>
#include <sinew/mesh/surface.hpp>
#include <sinew/mesh/validate.hpp>

namespace sinew::mesh {
namespace {

constexpr Barycentric somewhere{0.1, 0.2, 0.3, 0.4};

TetMesh bent_bar() {
  TetMesh bar = to_second_order(make_bar({.size = {2.0, 1.0, 1.0}, .cells = {2, 1, 1}}));
  for (Vec3& x : bar.vertices)
    x[2] += 0.1 * x[0] * x[0];  // of degree 2: the nodes carry it exactly
  return bar;
}

TEST(Quadratic, ShapeFunctionsReproduceQuadraticFieldsAndTheirSlopes) {
  const auto field = [](const Vec3& x) {
    return 1.0 + 2.0 * x[0] - x[1] + x[2] * x[0] + 3.0 * x[1] * x[1] - x[2] * x[2];
  };
  std::array<Vec3, num_quadratic_nodes> nodes{Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(),
                                              Vec3::UnitZ()};
  for (std::size_t e = 0; e < 6; ++e)
    nodes[4 + e] = 0.5 * (nodes[tet_edges[e][0]] + nodes[tet_edges[e][1]]);
  const Vec3 x(somewhere[1], somewhere[2], somewhere[3]);
  const auto N = quadratic_shape(somewhere);
  const auto slopes = quadratic_slopes(somewhere);
  double value = 0.0, sum = 0.0;
  Vec3 slope = Vec3::Zero(), sum_of_slopes = Vec3::Zero();
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    value += N[k] * field(nodes[k]);
    slope += slopes[k] * field(nodes[k]);
    sum += N[k];
    sum_of_slopes += slopes[k];
  }
  EXPECT_NEAR(value, field(x), 1e-14);
  EXPECT_NEAR((slope - Vec3(2.0 + x[2], -1.0 + 6.0 * x[1], x[0] - 2.0 * x[2])).norm(), 0.0, 1e-14);
  EXPECT_NEAR(sum, 1.0, 1e-15);
  EXPECT_NEAR(sum_of_slopes.norm(), 0.0, 1e-14);
}

TEST(Quadratic, RaisingTheOrderKeepsCornersVolumeAndValidity) {
  const TetMesh linear = make_bar({.size = {3.0, 2.0, 1.0}, .cells = {3, 2, 2}});
  const TetMesh mesh = to_second_order(linear);
  EXPECT_TRUE(find_problems(mesh, "bar").empty());
  EXPECT_EQ(mesh.tets, linear.tets);
  EXPECT_EQ(mesh.num_vertices(), linear.num_vertices() + static_cast<int>(edges_of(linear).size()));
  double volume = 0.0;
  for (int t = 0; t < mesh.num_tets(); ++t) volume += tet_volume(mesh, t);
  EXPECT_NEAR(volume, 6.0, 1e-13);
  const TetMesh back = to_first_order(mesh);
  EXPECT_EQ(back.vertices, linear.vertices);
  EXPECT_EQ(back.tets, linear.tets);
  EXPECT_FALSE(back.is_quadratic());
}

TEST(Quadratic, VolumesOfCurvedTetsAreExact) {
  const TetMesh bar = bent_bar();  // a shear that changes no volume
  EXPECT_TRUE(find_problems(bar, "bar").empty());
  EXPECT_NEAR(assess_quality(bar).volume, 2.0, 1e-13);
  EXPECT_EQ(assess_quality(bar).num_components, 1);
}

TEST(Quadratic, SurfacesAreClosedAndPassThroughTheMiddleVertices) {
  const TetMesh bar = bent_bar();
  const Surface surface = extract_surface(bar);
  EXPECT_TRUE(is_closed(surface.triangles));
  EXPECT_EQ(surface.num_triangles(), 4 * static_cast<int>(extract_curved_faces(bar).size()));
  EXPECT_EQ(surface.tets.size(), surface.triangles.size());
  EXPECT_NEAR(enclosed_volume(bar.vertices, surface.triangles), 2.0, 1e-2);
}

TEST(Quadratic, MiddlesOfBoundaryEdgesGoWhereTheCallerSays) {
  const TetMesh ball = make_ball({.radius = 1.0, .shell_thickness = 0.0});
  const TetMesh round =
      to_second_order(ball, [](const Vec3& a, const Vec3& b) { return Vec3(a + b).normalized(); });
  EXPECT_TRUE(find_problems(round, "ball").empty());
  const double exact = 4.0 / 3.0 * 3.14159265358979;
  const double off_straight = exact - assess_quality(ball).volume;
  const double off_round = exact - assess_quality(round).volume;
  EXPECT_LT(std::abs(off_round), 0.05 * off_straight);
}

TEST(Quadratic, RepairTurnsTetsAroundWithTheirMiddles) {
  TetMesh mesh = bent_bar();
  const TetMesh sound = mesh;
  std::swap(mesh.tets[1][2], mesh.tets[1][3]);
  std::swap(mesh.middles[1][1], mesh.middles[1][2]);
  std::swap(mesh.middles[1][3], mesh.middles[1][4]);
  EXPECT_FALSE(find_problems(mesh, "bar").empty());
  mesh.vertices.push_back(Vec3::Ones());  // used by nothing
  const RepairReport report = repair(mesh);
  EXPECT_EQ(report.num_flipped_tets, 1);
  EXPECT_EQ(report.num_removed_vertices, 1);
  EXPECT_EQ(mesh.tets, sound.tets);
  EXPECT_EQ(mesh.middles, sound.middles);
}

TEST(Quadratic, ProblemsWithMiddleVerticesAreNamed) {
  const auto problems_of = [](const TetMesh& mesh) {
    std::string text;
    for (const Problem& problem : find_problems(mesh, "bar")) text += problem.what + "\n";
    return text;
  };
  const TetMesh sound = to_second_order(make_bar({.cells = {2, 1, 1}}));
  TetMesh mesh = sound;
  mesh.middles.pop_back();
  EXPECT_THAT(problems_of(mesh), ::testing::HasSubstr("have vertices on their edges"));
  mesh = sound;
  mesh.middles[0][2] = 1000;
  EXPECT_THAT(problems_of(mesh), ::testing::HasSubstr("middle vertices"));
  mesh = sound;
  mesh.middles[0][2] = mesh.tets[0][0];
  EXPECT_THAT(problems_of(mesh), ::testing::HasSubstr("and the corner of a tet"));
  mesh = sound;
  mesh.vertices.push_back(mesh.vertices[static_cast<std::size_t>(mesh.middles[0][5])]);
  mesh.middles[0][5] = mesh.num_vertices() - 1;
  EXPECT_THAT(problems_of(mesh), ::testing::HasSubstr("which is vertex"));
  mesh = sound;  // as if the file had another order
  for (Middles& middles : mesh.middles) std::swap(middles[4], middles[5]);
  EXPECT_THAT(problems_of(mesh), ::testing::HasSubstr("folded"));
}

TEST(Quadratic, PointsInCurvedTetsAreMeansOfTenVertices) {
  const TetMesh bar = bent_bar();
  const Vec3 place(0.7, 0.4, 0.5);
  const MeshPoint point = closest_points(bar, {}, std::vector<Vec3>{place}).front();
  ASSERT_EQ(point.vertices.size(), 10U);
  Vec3 mean = Vec3::Zero();
  for (std::size_t k = 0; k < 10; ++k)
    mean += point.weights[k] * bar.vertices[static_cast<std::size_t>(point.vertices[k])];
  EXPECT_NEAR((mean - place).norm(), 0.0, 1e-13);
  EXPECT_NEAR(point.distance, 0.0, 1e-13);
}

TEST(Quadratic, RegionsSelectMiddleVerticesToo) {
  TetMesh bar = to_second_order(make_bar({.cells = {1, 1, 1}}));
  Selection all;
  all.region = "0";
  EXPECT_EQ(select_vertices(bar, all).size(), bar.vertices.size());
}

}  // namespace
}  // namespace sinew::mesh
