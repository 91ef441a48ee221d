// SPDX-License-Identifier: Apache-2.0
// Programs that hold the loop themselves: single steps, states set between them, books that follow.
#include <gtest/gtest.h>

#include "toy_simulation.hpp"

namespace sinew::sim::toy {
namespace {

TEST(Stepping, MakesTheStepsOfARun) {
  // sums of 0.1 miss most of the grid points by a rounding error
  const SimulationSettings settings{.dt = 0.1, .end = 2.0};
  Trial whole(settings, exact_motion(0.0)), single(settings, exact_motion(0.0));

  whole.simulation.run();
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(single.simulation.step());

  EXPECT_EQ(single.simulation.state(), whole.simulation.state());
  EXPECT_EQ(single.simulation.ledger().save(), whole.simulation.ledger().save());
  EXPECT_EQ(single.simulation.summary().accepted_steps, 20);
  EXPECT_EQ(single.diary.starts, 1);
  EXPECT_EQ(single.diary.frames, whole.diary.frames);
  EXPECT_EQ(attempt_ends(single.diary), attempt_ends(whole.diary));
}

TEST(Stepping, GoesOnBeyondTheEnd) {
  Trial trial({.dt = 0.25, .end = 0.5}, drift);

  for (int k = 0; k < 4; ++k) ASSERT_TRUE(trial.simulation.step());

  expect_times(attempt_ends(trial.diary), {0.25, 0.5, 0.75, 1.0});
}

TEST(Stepping, AFailedStepLeavesTheLastStateAndSaysWhy) {
  int left = 2;
  Trial trial({.dt = 0.1, .end = 1.0, .max_halvings = 1},
              [&](double dt, const auto& now, auto& next) {
                return left-- > 0 ? drift(dt, now, next) : StepStatus::newton_not_converged;
              });

  EXPECT_TRUE(trial.simulation.step());
  EXPECT_TRUE(trial.simulation.step());
  EXPECT_FALSE(trial.simulation.step());

  EXPECT_EQ(trial.simulation.state().t, 0.2);
  EXPECT_EQ(trial.simulation.summary().last_failure, StepStatus::newton_not_converged);
  EXPECT_EQ(trial.simulation.summary().rejected_steps, 2);  // whole and first half
}

TEST(Stepping, AStateCanBeSetAndTheNextStepEndsOnTheGrid) {
  Trial trial({.dt = 0.25, .end = 9.0}, drift);
  trial.simulation.step();

  dynamics::State state = start(0.0, 2.0);
  state.t = 0.875;
  trial.simulation.set_state(state);
  trial.simulation.step();

  EXPECT_EQ(trial.simulation.state().t, 1.0);
  EXPECT_EQ(trial.simulation.state().q[0], 0.125 * 2.0);

  state.t = 0.5;  // on the grid: a whole step
  trial.simulation.set_state(state);
  trial.simulation.step();
  EXPECT_EQ(trial.simulation.state().t, 0.75);
}

TEST(Stepping, AStateThatIsSetIsWorkFromOutsideAndTheMethodForgets) {
  Trial trial({.dt = 0.1, .end = 9.0}, exact_motion(0.0));
  trial.simulation.step();
  EXPECT_EQ(trial.simulation.checkpoint().memory.at("count")[0], 1.0);

  trial.simulation.set_state(start(3.0, 1.0));

  EXPECT_EQ(trial.simulation.checkpoint().memory.at("count")[0], 0.0);
  // 1/2 8 q^2 + 1/2 2 v^2: 37 after, 5 before
  EXPECT_NEAR(trial.simulation.ledger().record().external_work, 37.0 - 5.0, 1e-12);
  EXPECT_TRUE(trial.simulation.step());
  EXPECT_NEAR(trial.simulation.ledger().record().numerical_loss, 0.0, 1e-12);
}

}  // namespace
}  // namespace sinew::sim::toy
