// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/io/mesh_format.hpp>
#include <sinew/mesh/quadratic.hpp>

#include "sample_files.hpp"
#include "support/temp_dir.hpp"

namespace sinew::mesh {
namespace {

using test::SampleFile;
using test::TempDir;

TetMesh read_sample(const TempDir& dir, const SampleFile& sample) {
  if (!sample.partner.first.empty()) dir.write(sample.partner.first, sample.partner.second);
  return read_mesh(dir.write(sample.name, sample.content));
}

class EverySample : public ::testing::TestWithParam<SampleFile> {};

TEST_P(EverySample, IsReadExactly) {
  const TempDir dir;
  test::expect_same_mesh(read_sample(dir, GetParam()), test::sample_mesh());
}

INSTANTIATE_TEST_SUITE_P(Mesh, EverySample, ::testing::ValuesIn(test::all_samples()),
                         test::variant_name);

class EveryGmshSample : public ::testing::TestWithParam<SampleFile> {};

TEST_P(EveryGmshSample, NamesItsRegionsAfterVolumeGroups) {
  const TempDir dir;
  const std::map<int, std::string> expected{{7, "soft"}, {9, "hard part"}};
  EXPECT_EQ(read_sample(dir, GetParam()).region_names, expected);
}

INSTANTIATE_TEST_SUITE_P(Mesh, EveryGmshSample, ::testing::ValuesIn(test::gmsh_samples()),
                         test::variant_name);

TEST(MeshFormats, EveryFormatRoundTripsToTheLastBit) {
  const TempDir dir;
  TetMesh ball = make_ball({});
  ball.vertices[3] = Vec3(1.0 / 3.0, -1e-300, 0.1 + 0.2);
  ball.regions[5] = 12;
  for (const MeshFormat& format : mesh_formats()) {
    if (format.write == nullptr || format.written == MeshContent::particles) continue;
    for (const std::string& extension : format.extensions) {
      SCOPED_TRACE(extension);
      const std::filesystem::path path = dir.path() / ("ball" + extension);
      write_mesh(path, ball);
      test::expect_same_mesh(read_mesh(path), ball);
    }
  }
}

TEST(MeshFormats, TetsOfSecondOrderRoundTripToTheLastBit) {
  const TempDir dir;
  const TetMesh ball = to_second_order(
      make_ball({}), [](const Vec3& a, const Vec3& b) { return Vec3(0.1 * (a + b).normalized()); });
  for (const MeshFormat& format : mesh_formats()) {
    if (format.write == nullptr || format.written == MeshContent::particles) continue;
    for (const std::string& extension : format.extensions) {
      SCOPED_TRACE(extension);
      const std::filesystem::path path = dir.path() / ("round" + extension);
      write_mesh(path, ball);
      const TetMesh read = read_mesh(path);
      test::expect_same_mesh(read, ball);
      EXPECT_EQ(read.middles, ball.middles);
    }
  }
}

/// The unit tet whose vertices are numbered as in mesh/quadratic.hpp: each format lists those on
/// its edges in another order.
TEST(MeshFormats, VerticesOnEdgesAreFoundInTheOrderOfEachFormat) {
  const char* const lines[] = {"0 0 0",  "1 0 0",  "0 1 0",   "0 0 1",   ".5 0 0",
                               "0 .5 0", "0 0 .5", ".5 .5 0", ".5 0 .5", "0 .5 .5"};
  std::string plain, from_one, with_reference, from_zero;
  for (int k = 0; k < 10; ++k) {
    const std::string line = lines[k];
    plain += line + "\n";
    from_one += std::to_string(k + 1) + " " + line + "\n";
    from_zero += std::to_string(k) + " " + line + "\n";
    with_reference += line + " 0\n";
  }
  const TempDir dir;
  dir.write("a.node", "10 3 0 0\n" + from_zero);
  const std::filesystem::path paths[] = {
      dir.write("a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n" + from_one +
                             "$EndNodes\n$Elements\n1\n1 11 2 0 5 1 2 3 4 5 8 6 7 10 9\n"
                             "$EndElements\n"),
      dir.write("a.mesh", "MeshVersionFormatted 2\nDimension 3\nVertices\n10\n" + with_reference +
                              "TetrahedraP2\n1\n1 2 3 4 5 8 6 7 9 10 5\nEnd\n"),
      dir.write("a.vtk",
                "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\n"
                "POINTS 10 double\n" +
                    plain + "CELLS 1 11\n10 0 1 2 3 4 7 5 6 8 9\nCELL_TYPES 1\n24\n"),
      dir.write("a.ele", "1 10 0\n0 0 1 2 3 9 6 4 7 8 5\n")};
  for (const std::filesystem::path& path : paths) {
    SCOPED_TRACE(path.extension());
    const TetMesh mesh = load_mesh(path);
    EXPECT_EQ(mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}}));
    EXPECT_EQ(mesh.middles, (std::vector<Middles>{{4, 5, 6, 7, 8, 9}}));
  }
}

TEST(MeshFormats, TetsOfBothOrdersInAFileAreRefused) {
  const TempDir dir;
  std::string nodes, tets = "1 11 2 0 5 1 2 3 4 5 8 6 7 10 9\n2 4 2 0 5 2 3 4 1\n";
  for (int k = 1; k <= 10; ++k) nodes += std::to_string(k) + " 0 0 0\n";
  const auto path =
      dir.write("a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n" + nodes +
                             "$EndNodes\n$Elements\n2\n" + tets + "$EndElements\n");
  try {
    read_mesh(path);
    ADD_FAILURE() << "was read";
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().front().what, "has tetrahedra of first and of second order");
  }
}

TEST(MeshFormats, EveryFormatIsRegisteredWithAReader) {
  for (const MeshFormat& format : mesh_formats()) {
    SCOPED_TRACE(format.name);
    EXPECT_FALSE(format.summary.empty());
    EXPECT_FALSE(format.extensions.empty());
    EXPECT_NE(format.read, nullptr);
  }
}

TEST(MeshFormats, GmshKeepsRegionNames) {
  const TempDir dir;
  const TetMesh ball = make_ball({});
  write_mesh(dir.path() / "ball.msh", ball);
  EXPECT_EQ(read_mesh(dir.path() / "ball.msh").region_names, ball.region_names);
}

TEST(MeshFormats, GmshEntitiesAreRegionsWhereThereAreNoGroups) {
  const TempDir dir;
  const auto path = dir.write("a.msh",
                              "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n"
                              "3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n1\n1 4 2 0 5 1 2 3 4\n"
                              "$EndElements\n");
  EXPECT_EQ(read_mesh(path).regions, std::vector<int>{5});
}

TEST(MeshFormats, ExtensionsAreRecognisedInAnyCase) {
  const TempDir dir;
  const SampleFile sample = test::medit_samples().front();
  test::expect_same_mesh(read_mesh(dir.write("A.MESH", sample.content)), test::sample_mesh());
}

TEST(MeshFormats, PiecesOfAVtuBecomeOneMesh) {
  const TempDir dir;
  std::string content = test::vtu_samples().front().content;
  const std::size_t begin = content.find("<Piece"), end = content.find("</UnstructuredGrid>");
  content.insert(end, content.substr(begin, end - begin));
  const TetMesh mesh = read_mesh(dir.write("a.vtu", content));
  EXPECT_EQ(mesh.num_vertices(), 10);
  ASSERT_EQ(mesh.num_tets(), 4);
  EXPECT_EQ(mesh.tets[2], (Tet{5, 6, 7, 8}));
}

TEST(MeshFormats, ACellArrayWithFractionsIsNoRegion) {
  const TempDir dir;
  std::string content = test::vtk_samples().front().content;
  content.replace(content.rfind("7\n9"), 1, "7.5");
  EXPECT_EQ(read_mesh(dir.write("a.vtk", content)).regions, (std::vector<int>{0, 0}));
}

TEST(MeshFormats, AnUnderflowingCoordinateIsZero) {
  const TempDir dir;
  std::string content = test::medit_samples().front().content;
  content.replace(content.find("0 0 0 1"), 1, "1e-999");
  test::expect_same_mesh(read_mesh(dir.write("a.mesh", content)), test::sample_mesh());
}

TEST(LoadMesh, ValidatesWhatItReads) {
  const TempDir dir;
  TetMesh mesh = test::sample_mesh();
  std::swap(mesh.tets[0][0], mesh.tets[0][1]);
  const auto path = dir.path() / "inverted.vtk";
  write_mesh(path, mesh);
  EXPECT_NO_THROW(read_mesh(path));
  EXPECT_THROW(load_mesh(path), InputError);
}

TEST(LoadMesh, RepairsWhenAskedToAndReportsIt) {
  const TempDir dir;
  TetMesh mesh = test::sample_mesh();
  std::swap(mesh.tets[0][0], mesh.tets[0][1]);
  const auto path = dir.path() / "inverted.vtk";
  write_mesh(path, mesh);
  RepairReport report;
  const TetMesh repaired = load_mesh(path, {.repair = true}, &report);
  EXPECT_EQ(report.num_flipped_tets, 1);
  EXPECT_GT(signed_volume(repaired, 0), 0.0);
}

TEST(WriteMesh, SaysWhenAFileCannotBeWritten) {
  const TempDir dir;
  EXPECT_THROW(write_mesh(dir.path() / "no" / "such" / "folder.msh", test::sample_mesh()),
               InputError);
  EXPECT_THROW(write_mesh(dir.path() / "a.step", test::sample_mesh()), InputError);
}

}  // namespace
}  // namespace sinew::mesh
