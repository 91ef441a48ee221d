// SPDX-License-Identifier: Apache-2.0
// What a scene may say and is unlikely to mean is noticed, named and has a remedy.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sinew/core/error.hpp>

#include "support/temp_dir.hpp"
#include "toy_scenes.hpp"

namespace sinew::scene {
namespace {

using namespace toy;
using test::TempDir;

/// A tet on the unit triangle whose fourth corner is this high, and a good one below it.
std::string medit_file(double height) {
  return fmt::format(
      "MeshVersionFormatted 2\nDimension 3\nVertices 5\n0 0 0 1\n1 0 0 1\n0 1 0 1\n0.3 0.3 {} 1\n"
      "0.3 0.3 -0.7 1\nTetrahedra 2\n1 2 3 4 1\n1 3 2 5 1\nEnd\n",
      height);
}

SceneSpec scene_of(const std::filesystem::path& mesh) {
  return parse_scene(
      fmt::format(R"({{ "sinew": 1, "bodies": [ {{ "mesh": "{}" }} ] }})", mesh.string()), "test");
}

/// All warnings about a scene, one per line.
std::string warnings_about(const SceneSpec& scene) {
  std::string text;
  for (const Problem& warning : compile(scene).warnings) text += warning.to_string() + "\n";
  return text;
}

std::string warnings_about_body(const std::string& keys) {
  return warnings_about(bar_scene(keys));
}

TEST(CheckSense, ALargeSoftBodyMayBeInMillimetres) {
  // the bar is 2 m long
  const std::string warning = warnings_about_body(R"("transform": { "scale": 46.5 })");

  expect_part(warning, "test: /bodies/0/mesh: a body 93 m long with a Young's modulus of 1e+06 Pa");
  expect_part(warning, R"("transform": { "scale": 0.001 })");
  EXPECT_EQ(warnings_about_body(""), "");
  EXPECT_EQ(warnings_about_body(R"("transform": { "scale": 9 })"), "");
  EXPECT_EQ(warnings_about_body(R"("transform": { "scale": 46.5 }, "material": { "young": 3e10 })"),
            "")
      << "a tower of concrete";
}

TEST(CheckSense, ModuliOfMetalsMayBeInOtherUnits) {
  expect_part(warnings_about_body(R"("material": { "young": 210 })"),
              "if GPa are meant, write 2.1e+11");
  expect_part(warnings_about_body(R"("material": { "young": 210000, "density": 7850 })"),
              "if MPa are meant, write 2.1e+11");
  EXPECT_EQ(warnings_about_body(R"("material": { "young": 210000 })"), "") << "soft rubber";
  EXPECT_EQ(warnings_about_body(R"("material": { "young": 2.1e11, "density": 7850 })"), "");
}

TEST(CheckSense, FlatTetsAreCountedAndTheWorstIsNamed) {
  const TempDir dir;

  const std::string warning = warnings_about(scene_of(dir.write("flat.mesh", medit_file(1e-4))));

  expect_part(warning,
              "/bodies/0/mesh: 1 of 2 tets is nearly flat; the worst, tet 0, has a radius");
  expect_part(warning, "sinew mesh info");
  EXPECT_EQ(warnings_about(scene_of(dir.write("good.mesh", medit_file(0.7)))), "");
}

TEST(CheckSense, ASurfaceIsToldHowToBecomeASolid) {
  const TempDir dir;
  const auto surface = dir.write("square.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
  const auto rope = dir.write("rope.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n");

  const std::string refusal = refusal_of(scene_of(surface));

  expect_part(refusal,
              "/bodies/0/mesh: a solid needs tets, and this mesh is a surface of 2 triangles");
  for (const char* remedy : {"sinew mesh tetrahedralize", "Gmsh", ".msh", R"("type": "springs")"})
    expect_part(refusal, remedy);
  expect_part(refusal_of(scene_of(rope)), "a solid needs tets, and this mesh is made of bars");
}

TEST(CheckSense, AnEndBeforeTheFirstStepIsNoticed) {
  SceneSpec scene = bar_scene("");
  scene.time.dt = 0.01;
  scene.time.end = 0.001;

  const std::string warning = warnings_about(scene);

  expect_part(warning, "test: /time/end: the end, 0.001 s, comes before the first step of 0.01 s");
  expect_part(warning, "lower dt");
  scene.time.end = 0.0;
  EXPECT_EQ(warnings_about(scene), "") << "the start alone";
  scene.time.end = 0.01;
  EXPECT_EQ(warnings_about(scene), "");
}

TEST(CheckSense, AProbeFollowsOneThing) {
  SceneSpec scene = bar_scene("");
  scene.output.probes.push_back({.name = "tip", .vertex = 0});
  EXPECT_EQ(refusal_of(scene), "compiled");
  scene.output.probes[0].select.region = "0";

  const std::string refusal = refusal_of(scene);

  expect_part(refusal, "test: /output/probes/0: a probe follows one vertex or one selection");
  expect_part(refusal, "leave out vertex or select");
}

}  // namespace
}  // namespace sinew::scene
