// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/quality.hpp>
#include <sinew/mesh/surface.hpp>
#include <sinew/mesh/tet_mesh.hpp>

#include "sample_files.hpp"

namespace sinew::mesh {
namespace {

const std::array<Vec3, 4> regular_tet{Vec3(1, 1, 1), Vec3(-1, 1, -1), Vec3(1, -1, -1),
                                      Vec3(-1, -1, 1)};

/// Volume inside a closed surface, by the divergence theorem.
double enclosed_volume(const TetMesh& mesh, const Surface& surface) {
  double volume = 0.0;
  for (const auto& [a, b, c] : surface.triangles)
    volume += mesh.vertices[a].dot(mesh.vertices[b].cross(mesh.vertices[c])) / 6.0;
  return volume;
}

TEST(TetMesh, VolumeIsPositiveForARightHandedTetAndChangesSignWhenFlipped) {
  TetMesh mesh = test::sample_mesh();
  EXPECT_DOUBLE_EQ(signed_volume(mesh, 0), 1.0 / 6.0);
  std::swap(mesh.tets[0][1], mesh.tets[0][2]);
  EXPECT_DOUBLE_EQ(signed_volume(mesh, 0), -1.0 / 6.0);
}

TEST(TetMesh, IndicesOutOfRangeAreCaught) {
  TetMesh mesh = test::sample_mesh();
  EXPECT_THROW(signed_volume(mesh, 2), InternalError);
  mesh.tets[0][3] = 5;
  EXPECT_THROW(signed_volume(mesh, 0), InternalError);
}

TEST(TetMesh, BoundingBoxHoldsAllVertices) {
  const BoundingBox box = bounding_box(test::sample_mesh());
  EXPECT_EQ(box.low, Vec3(0, 0, 0));
  EXPECT_EQ(box.high, Vec3(1, 1.5, 1));
  EXPECT_DOUBLE_EQ(bounding_diagonal(test::sample_mesh()), std::sqrt(4.25));
  EXPECT_EQ(bounding_diagonal(TetMesh{}), 0.0);
}

TEST(Surface, OfTwoTetsHasSixTrianglesInTheOrderOfTheTets) {
  const Surface surface = extract_surface(test::sample_mesh());
  EXPECT_EQ(surface.tets, (std::vector<int>{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(surface.triangles.front(), (Triangle{0, 3, 2}));
}

TEST(Surface, PointsOutwardSoThatItEnclosesTheVolumeOfTheTets) {
  for (const GeneratorEntry& generator : generators()) {
    SCOPED_TRACE(generator.name);
    const TetMesh mesh = generator.make(generator.default_values());
    double volume = 0.0;
    for (int i = 0; i < mesh.num_tets(); ++i) volume += signed_volume(mesh, i);
    EXPECT_NEAR(enclosed_volume(mesh, extract_surface(mesh)), volume, 1e-12 * volume);
  }
}

TEST(Surface, EveryTriangleIsAFaceOfItsTet) {
  const TetMesh mesh = make_ball({});
  const Surface surface = extract_surface(mesh);
  for (int i = 0; i < surface.num_triangles(); ++i)
    for (const int vertex : surface.triangles[i]) {
      const Tet& tet = mesh.tets[surface.tets[i]];
      EXPECT_NE(std::find(tet.begin(), tet.end(), vertex), tet.end());
    }
}

TEST(Quality, OfTheRegularTetIsOneWithItsKnownDihedralAngle) {
  EXPECT_NEAR(radius_ratio(regular_tet), 1.0, 1e-14);
  for (const double angle : dihedral_angles(regular_tet))
    EXPECT_NEAR(angle, std::acos(1.0 / 3.0) * 180.0 / std::numbers::pi, 1e-12);
}

TEST(Quality, OfACubeCornerIsItsKnownValue) {
  // r_in = a / (3 + sqrt 3), r_circ = a sqrt(3) / 2
  const std::array<Vec3, 4> corner{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  const double expected = 3.0 / (3.0 + std::sqrt(3.0)) * 2.0 / std::sqrt(3.0);
  EXPECT_NEAR(radius_ratio(corner), expected, 1e-14);
  // right angles at the three edges that meet in the corner
  const std::array<double, 6> angles = dihedral_angles(corner);
  for (int e = 0; e < 3; ++e) EXPECT_NEAR(angles[e], 90.0, 1e-12);
  for (int e = 3; e < 6; ++e)
    EXPECT_NEAR(angles[e], std::acos(1.0 / std::sqrt(3.0)) * 180.0 / std::numbers::pi, 1e-12);
}

TEST(Quality, IsZeroForAFlatTetAndNegativeForAnInvertedOne) {
  const std::array<Vec3, 4> flat{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(1, 1, 0)};
  EXPECT_EQ(radius_ratio(flat), 0.0);
  EXPECT_EQ(radius_ratio({Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()}), 0.0);
  std::array<Vec3, 4> inverted = regular_tet;
  std::swap(inverted[0], inverted[1]);
  EXPECT_NEAR(radius_ratio(inverted), -1.0, 1e-14);
}

TEST(Quality, ReportCountsWhatIsThere) {
  TetMesh mesh = test::sample_mesh();
  mesh.region_names[9] = "hard";
  // a second piece, touching nothing
  for (const Vec3& corner : regular_tet) mesh.vertices.push_back(corner + Vec3(9, 0, 0));
  mesh.tets.push_back({5, 6, 7, 8});
  mesh.regions.push_back(9);

  const QualityReport report = assess_quality(mesh);
  EXPECT_EQ(report.num_vertices, 9);
  EXPECT_EQ(report.num_tets, 3);
  EXPECT_EQ(report.num_surface_triangles, 10);
  EXPECT_EQ(report.num_components, 2);
  ASSERT_EQ(report.regions.size(), 2u);
  EXPECT_EQ(report.regions[0].number, 7);
  EXPECT_EQ(report.regions[0].num_tets, 1);
  EXPECT_EQ(report.regions[1].name, "hard");
  EXPECT_EQ(report.regions[1].num_tets, 2);
  EXPECT_NEAR(report.regions[1].volume, signed_volume(mesh, 1) + 8.0 / 3.0, 1e-14);
  EXPECT_DOUBLE_EQ(report.edge_length.min, 1.0);
  EXPECT_DOUBLE_EQ(report.edge_length.max, std::sqrt(8.0));
  EXPECT_EQ(report.worst_tet, 0);
  EXPECT_NEAR(report.radius_ratio.max, 1.0, 1e-14);
}

TEST(Quality, TextNamesEveryFigureWithItsUnit) {
  const std::string text = assess_quality(make_ball({})).to_text();
  for (const char* part : {"vertices", "tets", "surface triangles", "components", "bounding box",
                           "m^3", "radius ratio", "deg", "\"core\"", "\"shell\"", "worst is tet"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " is missing in\n" << text;
}

TEST(Quality, OfAnEmptyMeshIsAllZero) {
  const QualityReport report = assess_quality(TetMesh{});
  EXPECT_EQ(report.num_components, 0);
  EXPECT_EQ(report.worst_tet, -1);
  EXPECT_FALSE(report.to_text().empty());
}

}  // namespace
}  // namespace sinew::mesh
