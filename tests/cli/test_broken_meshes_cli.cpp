// SPDX-License-Identifier: Apache-2.0
// Broken mesh files through the program: `mesh info`, `mesh convert` and a scene that uses them.
#include <gtest/gtest.h>

#include "cli/sinew_command.hpp"
#include "support/temp_dir.hpp"

namespace sinew::test {
namespace {

struct BrokenMesh {
  std::string name;
  std::string file;
  std::string content;
  std::string expected;  ///< part of the message
};

void PrintTo(const BrokenMesh& broken, std::ostream* out) {
  *out << broken.name;
}

/// A Medit file of four vertices and the given tets.
std::string medit(const std::string& tets, const std::string& last_vertex = "0 0 1 0") {
  return "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n" +
         last_vertex + "\nTetrahedra\n" + tets + "End\n";
}

// its volume is negative: the last two corners are exchanged
const std::string inverted = medit("1\n1 2 4 3 0\n");

std::vector<BrokenMesh> broken_meshes() {
  return {
      {"empty", "m.mesh", "", "empty"},
      {"other_format", "m.msh", medit("1\n1 2 3 4 0\n"), "not a Gmsh file"},
      {"unknown_extension", "m.step", "0 0 0", ".step"},
      {"truncated", "m.mesh", medit("1\n1 2 3 4 0\n").substr(0, 60), "m.mesh"},
      {"no_such_vertex", "m.mesh", medit("1\n1 2 3 5 0\n"), "5"},
      {"lying_count", "m.mesh", medit("1000000000\n1 2 3 4 0\n"), "1000000000"},
      {"not_finite", "m.mesh", medit("1\n1 2 3 4 0\n", "0 0 nan 0"), "not finite"},
      {"flat_tet", "m.mesh", medit("1\n1 2 3 4 0\n", "1 1 0 0"), "tet 0"},
      {"no_tets", "m.mesh", medit("0\n"), "no Tetrahedra"},
      {"inverted", "m.mesh", inverted, "repair"},
  };
}

class BrokenMeshTest : public testing::TestWithParam<BrokenMesh> {
 protected:
  BrokenMeshTest() { dir_.write(GetParam().file, GetParam().content); }

  void expect_refused(const CommandResult& result) const {
    EXPECT_EQ(result.exit_code, 2) << result.to_text();
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(contains(result.err, GetParam().file)) << result.to_text();
    EXPECT_TRUE(contains(result.err, GetParam().expected)) << result.to_text();
  }

  TempDir dir_;
};

TEST_P(BrokenMeshTest, InfoNamesTheFileAndTheProblem) {
  const CommandResult result = sinew({"mesh", "info", GetParam().file}, dir_.path());

  expect_refused(result);
}

TEST_P(BrokenMeshTest, ConvertMakesNoFile) {
  const CommandResult result = sinew({"mesh", "convert", GetParam().file, "new.vtu"}, dir_.path());

  expect_refused(result);
  EXPECT_FALSE(std::filesystem::exists(dir_.path() / "new.vtu"));
  EXPECT_FALSE(std::filesystem::exists(dir_.path() / "new.vtu.part"));
}

TEST_P(BrokenMeshTest, ASceneThatUsesItIsRefused) {
  dir_.write("scene.json",
             R"({ "sinew": 1, "bodies": [ { "mesh": ")" + GetParam().file + R"(" } ] })");

  const CommandResult result = sinew({"run", "scene.json", "-o", "out"}, dir_.path());

  expect_refused(result);
  EXPECT_FALSE(std::filesystem::exists(dir_.path() / "out"));
}

INSTANTIATE_TEST_SUITE_P(Meshes, BrokenMeshTest, testing::ValuesIn(broken_meshes()),
                         [](const auto& tested) { return tested.param.name; });

TEST(MeshCommands, RepairMakesAnInvertedMeshUsable) {
  const TempDir dir;
  dir.write("m.mesh", inverted);

  const CommandResult repaired =
      sinew({"mesh", "convert", "m.mesh", "new.vtu", "--repair"}, dir.path());
  const CommandResult info = sinew({"mesh", "info", "new.vtu"}, dir.path());

  EXPECT_EQ(repaired.exit_code, 0) << repaired.to_text();
  EXPECT_EQ(repaired.out, "new.vtu\n");
  EXPECT_TRUE(contains(repaired.err, "m.mesh")) << "what was repaired goes to stderr";
  EXPECT_EQ(info.exit_code, 0) << info.to_text();
}

TEST(MeshCommands, ASceneMayAskForTheRepair) {
  const TempDir dir;
  dir.write("m.mesh", inverted);
  dir.write("scene.json",
            R"({ "sinew": 1, "bodies": [ { "mesh": { "file": "m.mesh", "repair": true } } ] })");

  const CommandResult result = sinew({"validate", "scene.json"}, dir.path());

  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  EXPECT_TRUE(contains(result.out, "4 vertices, 1 tets")) << result.out;
}

TEST(MeshCommands, MeshFilesAreFoundBesideTheScene) {
  const TempDir dir;
  std::filesystem::create_directory(dir.path() / "inner");
  dir.write("inner/m.mesh", medit("1\n1 2 3 4 0\n"));
  dir.write("inner/scene.json", R"({ "sinew": 1, "bodies": [ { "mesh": "m.mesh" } ] })");

  const CommandResult result = sinew({"validate", "inner/scene.json"}, dir.path());

  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  EXPECT_NE(result.out.find("4 vertices, 1 tets, 12 unknowns"), std::string::npos) << result.out;
}

TEST(MeshCommands, ConvertToAnUnknownFormatIsRefused) {
  const TempDir dir;
  dir.write("m.mesh", medit("1\n1 2 3 4 0\n"));

  const CommandResult result = sinew({"mesh", "convert", "m.mesh", "new.step"}, dir.path());

  EXPECT_EQ(result.exit_code, 2) << result.to_text();
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "new.step"));
}

TEST(MeshCommands, TetrahedralizeFillsASurface) {
  const TempDir dir;
  // a tetrahedron of volume 1/6, then without one of its sides
  const std::string corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
  const std::string sides = "f 1 3 2\nf 1 2 4\nf 1 4 3\n";
  dir.write("closed.obj", corners + sides + "f 2 3 4\n");
  dir.write("open.obj", corners + sides);

  const CommandResult closed =
      sinew({"mesh", "tetrahedralize", "closed.obj", "-o", "out.msh", "--cells", "20"}, dir.path());
  EXPECT_EQ(closed.exit_code, 0) << closed.to_text();
  EXPECT_NE(closed.out.find("inside      0.166667 m^3"), std::string::npos) << closed.out;
  EXPECT_EQ(closed.err, "");
  EXPECT_EQ(sinew({"mesh", "info", "out.msh"}, dir.path()).exit_code, 0);

  const CommandResult open = sinew(
      {"mesh", "tetrahedralize", "open.obj", "-o", "out.vtu", "--size", "0.05", "--levels", "2"},
      dir.path());
  EXPECT_EQ(open.exit_code, 0) << open.to_text();
  EXPECT_NE(open.err.find("not closed"), std::string::npos) << open.err;

  const std::vector<std::vector<std::string>> wrong{
      {"closed.obj", "-o", "out.msh"},
      {"closed.obj", "-o", "out.msh", "--cells", "10", "--size", "0.1"},
      {"closed.obj", "-o", "out.msh", "--size", "10"},
      {"closed.obj", "-o", "out.stl", "--cells", "10"},
      {"nowhere.obj", "-o", "out.msh", "--cells", "10"}};
  for (std::vector<std::string> arguments : wrong) {
    arguments.insert(arguments.begin(), {"mesh", "tetrahedralize"});
    const CommandResult refused = sinew(arguments, dir.path());
    EXPECT_EQ(refused.exit_code, 2) << refused.to_text();
    EXPECT_NE(refused.err.find("error: "), std::string::npos);
  }
}

TEST(MeshCommands, CutWritesPiecesThatASceneCanRun) {
  const TempDir dir;
  dir.write("m.mesh", medit("1\n1 2 3 4 0\n"));

  const CommandResult cut = sinew(
      {"mesh", "cut", "m.mesh", "cut.vtu", "--plane", "0.25", "0", "0", "1", "0", "0", "--pieces"},
      dir.path());

  ASSERT_EQ(cut.exit_code, 0) << cut.to_text();
  EXPECT_NE(cut.out.find("4 tets of 1, 6 vertices added, 1 faces opened"), std::string::npos)
      << cut.out;
  EXPECT_NE(cut.out.find("piece 1"), std::string::npos) << cut.out;
  dir.write("whole.json", R"({ "sinew": 1, "bodies": [ { "mesh": "cut.vtu" } ] })");
  const CommandResult refused = sinew({"validate", "whole.json"}, dir.path());
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("\"torn\": true"), std::string::npos) << refused.err;
  dir.write("torn.json",
            R"({ "sinew": 1, "bodies": [ { "mesh": { "file": "cut.vtu", "torn": true } } ] })");
  const CommandResult taken = sinew({"validate", "torn.json"}, dir.path());
  EXPECT_EQ(taken.exit_code, 0) << taken.to_text();

  const CommandResult missed = sinew(
      {"mesh", "cut", "m.mesh", "no.vtu", "--plane", "9", "0", "0", "1", "0", "0"}, dir.path());
  EXPECT_EQ(missed.exit_code, 2);
  EXPECT_NE(missed.err.find("does not meet the mesh"), std::string::npos) << missed.err;
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "no.vtu"));
  EXPECT_EQ(sinew({"mesh", "cut", "m.mesh", "no.vtu"}, dir.path()).exit_code, 2);
}

TEST(MeshCommands, StabilityOfAMeshFile) {
  const TempDir dir;
  dir.write("m.mesh", medit("1\n1 2 3 4 0\n"));

  const CommandResult result =
      sinew({"info", "m.mesh", "--stability", "--set", "bodies.0.material.young=1e5"}, dir.path());

  EXPECT_EQ(result.exit_code, 0) << result.to_text();
  EXPECT_NE(result.out.find("m: 1 elements, 4 free nodes"), std::string::npos) << result.out;
}

}  // namespace
}  // namespace sinew::test
