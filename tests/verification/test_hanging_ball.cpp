// SPDX-License-Identifier: Apache-2.0
// The ball of the SIERE paper, figure 9: si silences it, siere and ere keep it ringing.
#include <cstdio>

#include <gtest/gtest.h>

#include <sinew/scene/compile/compile.hpp>
#include <sinew/scene/format/builtin_scenes.hpp>

namespace sinew::scene {
namespace {

/// Energy that the method itself removed in a second.
double loss(const char* integrator) {
  CompiledScene compiled = compile(
      find_scene("hanging-ball",
                 {{"integrator", integrator}, {"time.max_halvings", "0"}, {"output.fps", "0"}}));
  const sim::RunSummary summary = compiled.simulation->run();
  EXPECT_EQ(summary.reason, sim::StopReason::reached_end);
  EXPECT_EQ(summary.redone.total(), 0);
  const double lost = compiled.simulation->ledger().record().numerical_loss;
  std::printf("%s: %.4f J lost\n", integrator, lost);
  return lost;
}

TEST(HangingBall, SiereAndEreKeepTheEnergyThatSiLoses) {
  const double si = loss(R"({ "name": "si" })");
  EXPECT_NEAR(si, 0.1166, 0.001);  // all of the vibration
  EXPECT_LT(loss(R"({ "name": "siere", "modes": 5 })"), 0.06 * si);
  EXPECT_LT(loss(R"({ "name": "ssdirk2ere", "modes": 5 })"), 0.05 * si);
  EXPECT_LT(loss(R"({ "name": "ere" })"), 0.03 * si);
  // the ringing mode lies at a third of the cut-off
  EXPECT_LT(loss(R"({ "name": "blend" })"), 0.25 * si);
}

}  // namespace
}  // namespace sinew::scene
