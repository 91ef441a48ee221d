// SPDX-License-Identifier: Apache-2.0
// Bodies of springs, from lists, meshes and generators.
#include <gtest/gtest.h>

#include "toy_scenes.hpp"

namespace sinew::scene {
namespace {

using namespace toy;

TEST(CompileSprings, ListsOfParticlesBecomeTheSystem) {
  const CompiledScene compiled = compile(parse_scene(R"({ "sinew": 1, "bodies": [
      { "name": "chain", "type": "springs", "particles": [[0, 0, 0], [1, 0, 0], [1, 2, 0]], "masses": [1, 2, 4],
        "springs": [[0, 1], [2, 1]], "stiffness": 100, "law": "linear",
        "transform": { "scale": 2, "translate": [0, 0, 1] },
        "initial": { "displacement": ["0", "y > 1 ? 0.1 : 0", "0"] } } ],
      "loads": [ { "value": [0, 0, -10] }, { "type": "force", "select": { "vertices": [1, 2] }, "value": [6, 0, 0] } ] })",
                                                     "test"));
  const physics::TermSystem& system = compiled.system();
  ASSERT_EQ(system.num_vertices(), 3);
  EXPECT_EQ(compiled.num_springs, 2);
  EXPECT_EQ(compiled.num_tets, 0);
  EXPECT_NEAR(free_mass(system), 7.0, rounding);
  EXPECT_EQ(system.vertex_position(2, system.rest_state()), Vec3(2, 4, 1));

  // the second spring is 4 m long and stretched by 0.1 m; forces are shared out by mass
  Vec f(9);
  system.force(compiled.simulation->state(), *system.make_workspace(), f);
  const auto force = [&](int vertex) { return Vec3(f.segment<3>(system.dof_of_vertex(vertex))); };
  EXPECT_LT((force(0) - Vec3(0, 0, -10)).norm(), 1e-9);
  EXPECT_LT((force(1) - Vec3(2, 10, -20)).norm(), 1e-9);
  EXPECT_LT((force(2) - Vec3(4, -10, -40)).norm(), 1e-9);
}

TEST(CompileSprings, TheEdgesOfAMeshAreSpringsAndItsTetsAreShown) {
  const std::string springs =
      R"("type": "springs", "mass": "1 + x", "stiffness": "x < 1 ? 10 : 40")";
  const CompiledScene compiled = compile(bar_scene(springs));
  const physics::TermSystem& system = compiled.system();
  // two cells: 20 edges and 11 faces, each with a diagonal
  EXPECT_EQ(compiled.num_springs, 31);
  EXPECT_EQ(compiled.num_tets, 0);
  EXPECT_EQ(system.observables().geometry().types, std::vector<std::uint8_t>(10, 10));
  EXPECT_NEAR(free_mass(system), 4.0 * (1 + 2 + 3), 24.0 * rounding);
  EXPECT_NEAR(stretch_energy(system, true), 4.0 * stretch_energy(system, false),
              1e-9 * stretch_energy(system, true));

  // such a body has a surface for pressure
  const CompiledScene pressed =
      compile(bar_scene(springs, R"("loads": [ { "type": "pressure", "pressure": 5,
      "select": { "plane": { "point": [2, 0, 0], "normal": [1, 0, 0] } } } ])"));
  EXPECT_LT((total_force(pressed.system(), 0.0) - Vec3(-5, 0, 0)).norm(), 1e-12);
}

TEST(CompileSprings, ATrussIsShownByItsBars) {
  const CompiledScene compiled = compile(parse_scene(
      R"({ "sinew": 1, "bodies": [ { "type": "springs", "mesh": { "generator": "truss" } } ] })",
      "test"));
  const physics::TermSystem& system = compiled.system();
  EXPECT_EQ(system.observables().geometry().types,
            std::vector<std::uint8_t>(static_cast<std::size_t>(compiled.num_springs), 3));
}

}  // namespace
}  // namespace sinew::scene
