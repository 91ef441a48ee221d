// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <gtest/gtest.h>

#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/validate.hpp>

#include "sample_files.hpp"

namespace sinew::mesh {
namespace {

/// The only problem of a mesh, as text; fails when there are none or several.
std::string only_problem(const TetMesh& mesh) {
  const std::vector<Problem> problems = find_problems(mesh, "m.msh");
  EXPECT_EQ(problems.size(), 1u);
  if (problems.empty()) return "";
  EXPECT_EQ(problems[0].file, "m.msh");
  EXPECT_FALSE(problems[0].hint.empty());
  return problems[0].to_string();
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(Validate, AcceptsAGoodMesh) {
  EXPECT_TRUE(find_problems(test::sample_mesh(), "m").empty());
  EXPECT_NO_THROW(require_valid(test::sample_mesh(), "m"));
}

TEST(Validate, ReportsAnEmptyMeshByItsMissingParts) {
  EXPECT_EQ(find_problems(TetMesh{}, "m").size(), 2u);
  TetMesh points_only = test::sample_mesh();
  points_only.tets.clear();
  points_only.regions.clear();
  EXPECT_TRUE(contains(only_problem(points_only), "no tetrahedra"));
}

TEST(Validate, ReportsNonFiniteCoordinates) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    TetMesh mesh = test::sample_mesh();
    mesh.vertices[4][1] = bad;
    EXPECT_TRUE(contains(only_problem(mesh), "vertex 4 (counting from 0): a coordinate"));
  }
}

TEST(Validate, ReportsIndicesOutOfRange) {
  for (const int bad : {-1, 5, std::numeric_limits<int>::max()}) {
    TetMesh mesh = test::sample_mesh();
    mesh.tets.push_back({0, 1, 2, bad});
    mesh.regions.push_back(0);
    EXPECT_TRUE(contains(only_problem(mesh), "must lie in 0..4"));
  }
}

TEST(Validate, ReportsRepeatedVertices) {
  TetMesh mesh = test::sample_mesh();
  mesh.tets.push_back({4, 1, 2, 4});
  mesh.regions.push_back(0);
  EXPECT_TRUE(contains(only_problem(mesh), "tet 2 (counting from 0)"));
}

TEST(Validate, ReportsInvertedTetsAndPointsToRepair) {
  TetMesh mesh = test::sample_mesh();
  std::swap(mesh.tets[1][0], mesh.tets[1][1]);
  const std::string text = only_problem(mesh);
  EXPECT_TRUE(contains(text, "tet 1 (counting from 0): inverted"));
  EXPECT_TRUE(contains(text, "--repair"));
}

TEST(Validate, CallsATetDegenerateByItsShapeAndNotByItsSize) {
  for (const double scale : {1e-9, 1.0, 1e9}) {
    TetMesh mesh = test::sample_mesh();
    for (Vec3& vertex : mesh.vertices) vertex *= scale;
    EXPECT_TRUE(find_problems(mesh, "m").empty()) << scale;
    // almost in the plane of the first three corners of its tet
    const Vec3 centre = (mesh.vertices[1] + mesh.vertices[2] + mesh.vertices[3]) / 3.0;
    mesh.vertices[4] = centre + Vec3::Constant(1e-14 * scale);
    EXPECT_TRUE(contains(only_problem(mesh), "degenerate")) << scale;
    mesh.vertices[4] = centre + Vec3::Constant(1e-6 * scale);
    EXPECT_TRUE(find_problems(mesh, "m").empty()) << scale;
  }
}

TEST(Validate, ReportsCoincidentVerticesInPairs) {
  TetMesh mesh = test::sample_mesh();
  mesh.vertices.push_back(mesh.vertices[1]);
  mesh.vertices.push_back(Vec3(5, 5, 5));
  mesh.tets.push_back({4, 5, 6, 0});
  mesh.regions.push_back(0);
  if (signed_volume(mesh, 2) < 0.0) std::swap(mesh.tets[2][0], mesh.tets[2][1]);
  EXPECT_TRUE(contains(only_problem(mesh), "vertices 1 and 5 (counting from 0)"));
}

TEST(Validate, TreatsMinusZeroAsZeroWhenComparingVertices) {
  TetMesh mesh = test::sample_mesh();
  mesh.vertices.push_back(Vec3(1.0, -0.0, -0.0));
  mesh.vertices.push_back(Vec3(5, 5, 5));
  mesh.tets.push_back({4, 5, 6, 0});
  mesh.regions.push_back(0);
  if (signed_volume(mesh, 2) < 0.0) std::swap(mesh.tets[2][0], mesh.tets[2][1]);
  EXPECT_TRUE(contains(only_problem(mesh), "vertices 1 and 5 (counting from 0)"));
}

TEST(Validate, ReportsDuplicateTetsWhateverTheOrderOfTheirCorners) {
  TetMesh mesh = test::sample_mesh();
  mesh.tets.push_back({1, 2, 0, 3});
  mesh.regions.push_back(0);
  std::string all;
  for (const Problem& problem : find_problems(mesh, "m")) all += problem.to_string() + "\n";
  EXPECT_TRUE(contains(all, "tets 0 and 2 (counting from 0): have the same four corners"));
}

TEST(Validate, ReportsFacesWithMoreThanTwoSides) {
  TetMesh mesh = test::sample_mesh();
  mesh.vertices.push_back(Vec3(2, 2, 2));
  mesh.tets.push_back({1, 2, 3, 5});
  mesh.regions.push_back(0);
  EXPECT_TRUE(contains(only_problem(mesh), "the face (1, 2, 3) is shared by 3 tets"));
}

TEST(Validate, ReportsUnusedVerticesAndPointsToRepair) {
  TetMesh mesh = test::sample_mesh();
  mesh.vertices.push_back(Vec3(9, 9, 9));
  const std::string text = only_problem(mesh);
  EXPECT_TRUE(contains(text, "vertex 5 (counting from 0): no tet uses this vertex"));
  EXPECT_TRUE(contains(text, "--repair"));
}

TEST(Validate, ReportsARegionListOfTheWrongLength) {
  TetMesh mesh = test::sample_mesh();
  mesh.regions.pop_back();
  EXPECT_TRUE(contains(only_problem(mesh), "1 region numbers for 2 tets"));
}

TEST(Validate, ListsTenProblemsOfAKindAndCountsTheRest) {
  TetMesh mesh = make_bar({});
  for (int i = 0; i < 25; ++i) std::swap(mesh.tets[i][0], mesh.tets[i][1]);
  const std::vector<Problem> problems = find_problems(mesh, "m");
  ASSERT_EQ(problems.size(), 11u);
  EXPECT_EQ(problems.back().what, "... and 15 more inverted tets");
}

TEST(Validate, FindsSeveralKindsAtOnce) {
  TetMesh mesh = test::sample_mesh();
  std::swap(mesh.tets[1][0], mesh.tets[1][1]);
  mesh.vertices.push_back(Vec3(9, 9, 9));
  mesh.regions.clear();
  EXPECT_EQ(find_problems(mesh, "m").size(), 3u);
  try {
    require_valid(mesh, "m");
    FAIL() << "an invalid mesh was accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().size(), 3u);
  }
}

TEST(Repair, TurnsInvertedTetsAround) {
  TetMesh mesh = make_bar({});
  for (int i = 0; i < mesh.num_tets(); i += 3) std::swap(mesh.tets[i][0], mesh.tets[i][1]);
  const RepairReport report = repair(mesh);
  EXPECT_EQ(report.num_flipped_tets, (mesh.num_tets() + 2) / 3);
  EXPECT_EQ(report.num_removed_vertices, 0);
  EXPECT_TRUE(report.changed_anything());
  EXPECT_TRUE(find_problems(mesh, "m").empty());
}

TEST(Repair, RemovesUnusedVerticesAndMapsTheOthers) {
  TetMesh mesh = test::sample_mesh();
  mesh.vertices.insert(mesh.vertices.begin() + 1, Vec3(9, 9, 9));
  for (Tet& tet : mesh.tets)
    for (int& vertex : tet) vertex += vertex >= 1 ? 1 : 0;
  const RepairReport report = repair(mesh);
  EXPECT_EQ(report.num_removed_vertices, 1);
  EXPECT_EQ(report.vertex_map, (std::vector<int>{0, -1, 1, 2, 3, 4}));
  test::expect_same_mesh(mesh, test::sample_mesh());
  EXPECT_EQ(report.to_text(), "turned 0 inverted tets around, removed 1 unused vertices");
}

TEST(Repair, LeavesAGoodMeshAlone) {
  TetMesh mesh = test::sample_mesh();
  const RepairReport report = repair(mesh);
  EXPECT_FALSE(report.changed_anything());
  EXPECT_EQ(report.to_text(), "nothing to repair");
  test::expect_same_mesh(mesh, test::sample_mesh());
}

TEST(Repair, NeverTouchesDegenerateOrBrokenTets) {
  TetMesh mesh = test::sample_mesh();
  mesh.vertices[4] = (mesh.vertices[1] + mesh.vertices[2] + mesh.vertices[3]) / 3.0;
  mesh.tets.push_back({0, 1, 2, 99});
  mesh.tets.push_back({0, 0, 2, 3});
  mesh.regions = {0, 0, 0, 0};
  const std::vector<Tet> before = mesh.tets;
  EXPECT_FALSE(repair(mesh).changed_anything());
  EXPECT_EQ(mesh.tets, before);
}

}  // namespace
}  // namespace sinew::mesh
