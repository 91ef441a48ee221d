// SPDX-License-Identifier: Apache-2.0
// Every built-in scene begins to run as it says, and those of papers are as large as the papers'.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <sinew/scene/compile/compile.hpp>
#include <sinew/scene/format/builtin_scenes.hpp>
#include <sinew/scene/format/scene_reader.hpp>

namespace sinew::scene {
namespace {

struct Smaller {
  std::string_view scene;
  std::vector<Override> changes;
};

/// Scenes whose first steps would take long, and how to have the same with fewer particles.
const std::vector<Smaller>& smaller() {
  static const std::vector<Smaller> table{
      {"bar-30k", {{"bodies.0.mesh.cells", "[20, 5, 5]"}}},
      {"bridge", {{"bodies.0.mesh.size", "2.4"}}},
      {"brush", {{"bodies.0.mesh.bristles", "[6, 4]"}}},
      {"coil-spring-8k", {{"bodies.0.mesh.wire_cells", "30"}}},
      {"crash-fast", {{"bodies.0.mesh.resolution", "24"}}},
      {"crash-moderate", {{"bodies.0.mesh.resolution", "24"}}},
      {"dragon-lattice", {{"bodies.0.mesh.cells", "27"}}},
      {"human-body", {{"bodies.0.mesh.size", "0.035"}}},
      {"molecule-a", {{"bodies.0.mesh.atoms", "400"}}},
      {"molecule-b", {{"bodies.0.mesh.atoms", "400"}}},
      {"molecule-c", {{"bodies.0.mesh.atoms", "400"}}},
      {"spinning-statue", {{"bodies.0.mesh.cells", "[24, 24]"}}},
      {"squatting-figure", {{"bodies.0.mesh.cells", "12"}}},
      {"textile-hemisphere", {{"bodies.0.mesh.cells", "[24, 24]"}}},
      {"tower", {{"bodies.0.mesh.size", "1.1"}}},
      {"tower-corotated", {{"bodies.0.mesh.levels", "30"}}},
      {"tree-in-wind", {{"bodies.0.mesh.size", "0.32"}}},
  };
  return table;
}

TEST(EveryScene, MakesItsFirstFiveStepsWithItsOwnMethod) {
  for (const BuiltinScene& scene : builtin_scenes()) {
    SCOPED_TRACE(scene.name);
    std::vector<Override> changes{{"output.fps", "0"}};
    for (const Smaller& one : smaller())
      if (one.scene == scene.name)
        changes.insert(changes.end(), one.changes.begin(), one.changes.end());
    SceneSpec spec = find_scene(std::string(scene.name), changes);
    spec.time.end = std::min(spec.time.end, 5.0 * spec.time.dt);
    CompiledScene compiled = compile(spec);

    const sim::RunSummary summary = compiled.simulation->run();

    EXPECT_EQ(summary.reason, sim::StopReason::reached_end);
    EXPECT_NEAR(compiled.simulation->state().t, spec.time.end, 1e-9 * spec.time.dt);
    EXPECT_EQ(summary.redone.linear + summary.redone.nonlinear, 0)
        << "by another method than the scene names";
    if (spec.time.tolerance == 0.0) {
      EXPECT_EQ(summary.rejected_steps, 0);
    }
  }
}

TEST(EveryScene, SmallerOnesExist) {
  for (const Smaller& one : smaller()) EXPECT_NO_THROW(find_scene(std::string(one.scene)));
}

/// Sizes that papers give; 0: the paper does not say, or says why below.
struct PaperSize {
  std::string_view scene;
  int vertices = 0, springs = 0, tets = 0;
};

TEST(EveryScene, ThoseOfPapersAreAsLargeAsThePapersSay) {
  const PaperSize table[] = {
      {"aluminium-foil", 100, 502},
      {"bouncing-ball", 1018, 0, 4637},
      {"bouncing-tori", 3 * 689, 3 * 2500},
      {"bridge", 30133, 0, 99455},
      {"coil-spring", 1167, 5600},
      {"coil-spring-8k", 8000, 0},
      {"dome", 930, 4488},
      {"dragon-lattice", 100000, 0},
      {"fermi-pasta-ulam", 4, 3},  // with the two walls
      {"figure-companion", 1183, 0},
      {"hanging-ball", 1018, 0, 4637},
      {"honeycomb", 3642, 0, 9850},
      {"human-body", 40540, 0, 189021},
      {"moebius-ball", 5829, 0, 16857},
      {"molecule-a", 1372, 0},
      {"molecule-b", 1732, 0},
      {"molecule-c", 2994, 0},
      {"pylon", 278, 0},  // 680 springs would leave it loose
      {"spinning-statue", 10000, 0},
      {"squatting-figure", 14038, 0},
      {"steel-sphere", 954, 0},  // 2,000 springs would leave it loose
      {"swinging-rope", 80, 79},
      {"textile-hemisphere", 10000, 0},
      {"tower", 16027, 0, 69271},
      {"tower-corotated", 5000, 0},
      {"tree-in-wind", 24533, 0, 79217},
      {"twisted-cuboid", 1245, 0, 4624},
      {"twisted-cuboid-arap", 1245, 0, 4624},
      {"twisting-beam", 650, 3481},
      {"uncoiling-rope", 12791, 0, 47279},
  };
  for (const PaperSize& paper : table) {
    SCOPED_TRACE(paper.scene);
    SceneSpec spec = find_scene(std::string(paper.scene));
    spec.obstacles.clear();  // whose vertices would count
    spec.contact.reset();
    spec.settle.reset();
    const CompiledScene compiled = compile(spec);

    EXPECT_NEAR(compiled.system().num_vertices(), paper.vertices, 0.15 * paper.vertices);
    if (paper.springs > 0) {
      EXPECT_NEAR(compiled.num_springs, paper.springs, 0.15 * paper.springs);
    }
    if (paper.tets > 0) {
      EXPECT_NEAR(compiled.num_tets, paper.tets, 0.15 * paper.tets);
    }
  }
}

}  // namespace
}  // namespace sinew::scene
