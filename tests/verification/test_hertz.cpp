// SPDX-License-Identifier: Apache-2.0
// Hertz: a rigid sphere of radius R, pressed into an elastic half-space by a force F, touches it on
// a disc of radius a with a^3 = 3 F R (1 - nu^2)/(4 E), under a pressure p0 sqrt(1 - r^2/a^2),
// whose mean of r^2 is 2/5 a^2.
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/io/mesh_format.hpp>

#include <support/contact_scenes.hpp>
#include <support/temp_dir.hpp>

namespace sinew::test {
namespace {

/// A block below z = 0, ten times as large as the disc of contact: cells of equal size around the
/// disc, and larger and larger ones beyond.
mesh::TetMesh graded_block() {
  constexpr int fine = 8, coarse = 6;
  constexpr double finest = 0.018, growth = 1.5;
  std::vector<double> place{0.0};
  for (double size = finest; place.size() <= fine + coarse;
       size *= place.size() > fine ? growth : 1.0)
    place.push_back(place.back() + size);
  constexpr int half = fine + coarse;
  mesh::TetMesh block =
      mesh::make_bar({.size = {2.0 * half, 2.0 * half, half}, .cells = {2 * half, 2 * half, half}});
  const auto placed = [&](double k) {
    return std::copysign(place[static_cast<std::size_t>(std::lround(std::abs(k)))], k);
  };
  for (Vec3& x : block.vertices)
    x = {placed(x[0] - half), placed(x[1] - half), placed(x[2] - half)};
  return block;
}

TEST(Hertz, ASphereTouchesAHalfSpaceOnADiscOfTheRightSize) {
  const TempDir directory;
  const std::filesystem::path file = directory.path() / "block.vtk";
  const mesh::TetMesh block = graded_block();
  mesh::write_mesh(file, block);
  // so slow, with so long steps, that it is always in equilibrium
  scene::CompiledScene scene = compile_text(fmt::format(
      R"("bodies": [{{"name": "block", "mesh": "{}", "material": {{"model": "linear", "young": 1e6, "poisson": 0.3}}}}],
         "fixed": [{{"select": {{"plane": {{"point": [0, 0, {}], "normal": [0, 0, 1]}}}}}}],
         "obstacles": [{{"type": "sphere", "radius": 1, "point": [0, 0, 1.0005], "position": ["x", "y", "z - 0.0105*t/4"]}}],
         "contact": {{"distance": 4e-4, "between": "obstacles"}},
         "integrator": {{"name": "be", "contact_tolerance": 1e-6}}, "time": {{"dt": 1, "end": 4}})",
      file.string(), mesh::bounding_box(block).low[2]));
  ASSERT_EQ(run(scene).reason, sim::StopReason::reached_end);
  const dynamics::State& state = scene.simulation->state();
  const Mat f = field_of(scene, "contact_force", state);
  double force = 0.0, moment = 0.0;
  int touching = 0;
  for (int v = 0; v < scene.system().num_vertices(); ++v) {
    if (scene.system().dof_of_vertex(v) < 0) continue;
    const Vec3 x = scene.system().vertex_position(v, state);
    force -= f(2, v);
    moment -= f(2, v) * (x[0] * x[0] + x[1] * x[1]);
    touching += f(2, v) != 0.0 ? 1 : 0;
  }
  const double a = std::sqrt(2.5 * moment / force);
  const double expected = std::cbrt(3.0 * force * (1.0 - 0.3 * 0.3) / (4.0 * 1e6));
  EXPECT_GT(touching, 40);
  EXPECT_NEAR(expected, 0.1, 0.03);  // small against the sphere and the block
  EXPECT_NEAR(a, expected, 0.03 * expected);
}

}  // namespace
}  // namespace sinew::test
