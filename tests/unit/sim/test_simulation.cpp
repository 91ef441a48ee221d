// SPDX-License-Identifier: Apache-2.0
// The loop over steps: times, frames, halving, checkpoints.
#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include <sinew/core/error.hpp>

#include "toy_simulation.hpp"

namespace sinew::sim::toy {
namespace {

// ---- steps and times -------------------------------------------------------------------------

TEST(Simulation, TheLastStepIsShortenedToTheEnd) {
  Trial trial({.dt = 0.3, .end = 1.0}, drift);

  const RunSummary summary = trial.simulation.run();

  EXPECT_EQ(summary.reason, StopReason::reached_end);
  EXPECT_EQ(summary.accepted_steps, 4);
  expect_times(attempt_ends(trial.diary), {0.3, 0.6, 0.9, 1.0});
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(trial.diary.attempts[k].dt, 0.3) << k;
}

TEST(Simulation, StepsOnAnUndisturbedGridAllHaveTheNominalLength) {
  // sums of 0.1 miss most of the grid points by a rounding error
  Trial trial({.dt = 0.1, .end = 10.0, .fails_on_absurd_energy = false}, drift);

  const RunSummary summary = trial.simulation.run();

  EXPECT_EQ(summary.accepted_steps, 100);
  for (const Diary::Attempt& attempt : trial.diary.attempts) EXPECT_EQ(attempt.dt, 0.1);
}

TEST(Simulation, ARunOfNoLengthShowsTheStart) {
  Trial trial({.dt = 0.1, .end = 0.0}, drift);

  const RunSummary summary = trial.simulation.run();

  EXPECT_EQ(summary.reason, StopReason::reached_end);
  EXPECT_EQ(summary.accepted_steps, 0);
  EXPECT_EQ(trial.diary.starts, 1);
  EXPECT_EQ(trial.diary.finishes, 1);
  expect_times(trial.diary.frames, {0.0});
}

TEST(Simulation, FramesComeAtTheFirstStepThatReachesTheirTime) {
  const std::vector<std::pair<double, std::vector<double>>> cases{
      {5.0, {0.0, 0.2, 0.4, 0.6, 0.8, 1.0}},
      {3.0, {0.0, 0.4, 0.7, 1.0}},
      {0.0, {}},
      {1000.0, {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0}},
      {1e300, {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0}},
  };
  for (const auto& [fps, expected] : cases) {
    SCOPED_TRACE(fps);
    Trial trial({.dt = 0.1, .end = 1.0, .fps = fps}, drift);

    trial.simulation.run();

    expect_times(trial.diary.frames, expected);
  }
}

TEST(Simulation, TheEndIsAlwaysShownAndOnlyOnce) {
  Trial between({.dt = 0.1, .end = 0.7, .fps = 2.0}, drift);
  Trial on_time({.dt = 0.1, .end = 0.5, .fps = 2.0}, drift);

  between.simulation.run();
  on_time.simulation.run();

  expect_times(between.diary.frames, {0.0, 0.5, 0.7});
  expect_times(on_time.diary.frames, {0.0, 0.5});
}

// ---- failures --------------------------------------------------------------------------------

TEST(Simulation, AFailingStepIsHalvedUntilItWorks) {
  int failures_left = 2;
  Trial trial({.dt = 0.4, .end = 0.8}, [&](double dt, const auto& now, auto& next) {
    return failures_left-- > 0 ? StepStatus::newton_not_converged : drift(dt, now, next);
  });

  const RunSummary summary = trial.simulation.run();

  EXPECT_EQ(summary.reason, StopReason::reached_end);
  EXPECT_EQ(summary.rejected_steps, 2);
  EXPECT_EQ(summary.accepted_steps, 4);
  const std::vector<std::pair<double, bool>> expected{{0.4, false}, {0.2, false}, {0.1, true},
                                                      {0.1, true},  {0.2, true},  {0.4, true}};
  ASSERT_EQ(trial.diary.attempts.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_DOUBLE_EQ(trial.diary.attempts[k].dt, expected[k].first) << k;
    EXPECT_EQ(trial.diary.attempts[k].status == StepStatus::accepted, expected[k].second) << k;
  }
  // q = 1 + t at unit speed; five roundings of numbers below 2
  EXPECT_NEAR(trial.simulation.state().q[0], 1.8, 1e-15);
}

TEST(Simulation, OnlyTheHalfThatFailsIsHalvedFurther) {
  // refuses whatever is longer than 0.1 and ends after 0.3
  Trial trial({.dt = 0.4, .end = 0.4}, [](double dt, const auto& now, auto& next) {
    const bool too_long = dt > 0.15 && now.t + dt > 0.35;
    return too_long ? StepStatus::not_finite : drift(dt, now, next);
  });

  trial.simulation.run();

  expect_times(attempt_ends(trial.diary), {0.4, 0.2, 0.4, 0.3, 0.4});
}

TEST(Simulation, AtTheDepthLimitTheRunFailsAndTheStateStays) {
  const dynamics::State before = start();
  Trial trial({.dt = 0.8, .end = 8.0, .max_halvings = 3},
              [](double, const auto&, dynamics::State& next) {
                next.q[0] = 1e30;  // must not leak into the state
                return StepStatus::linear_solve_failed;
              });

  const RunSummary summary = trial.simulation.run();

  EXPECT_EQ(summary.reason, StopReason::failed);
  EXPECT_EQ(summary.accepted_steps, 0);
  EXPECT_EQ(summary.rejected_steps, 4) << "the step and three halvings";
  EXPECT_EQ(summary.last_failure, StepStatus::linear_solve_failed);
  EXPECT_EQ(summary.failure_time, 0.0);
  EXPECT_DOUBLE_EQ(summary.failure_dt, 0.1);
  EXPECT_TRUE(trial.simulation.state() == before);
  EXPECT_EQ(trial.diary.finishes, 1);
}

TEST(Simulation, HalvingEndsWhereTimeStandsStill) {
  Trial trial({.dt = 0.5, .end = 8.0, .max_halvings = 1000000},
              [](double dt, const auto& now, auto& next) {
                return now.t >= 1.0 ? StepStatus::not_finite : drift(dt, now, next);
              });

  const RunSummary summary = trial.simulation.run();

  EXPECT_EQ(summary.reason, StopReason::failed);
  EXPECT_EQ(summary.accepted_steps, 2);
  // from 2^-1 to 2^-52, the spacing of numbers above 1
  EXPECT_EQ(summary.rejected_steps, 52);
  EXPECT_EQ(summary.failure_dt, std::numeric_limits<double>::epsilon());
}

TEST(Simulation, WithoutHalvingsTheFirstFailureEndsTheRun) {
  Trial trial({.dt = 0.1, .end = 1.0, .max_halvings = 0},
              [](double dt, const auto& now, auto& next) {
                return now.t > 0.45 ? StepStatus::not_finite : drift(dt, now, next);
              });

  const RunSummary summary = trial.simulation.run();

  EXPECT_EQ(summary.reason, StopReason::failed);
  EXPECT_EQ(summary.accepted_steps, 5);
  EXPECT_EQ(summary.rejected_steps, 1);
  EXPECT_NEAR(summary.failure_time, 0.5, 1e-15);
  expect_times({trial.diary.frames.back()}, {trial.simulation.state().t});
}

TEST(Simulation, AStateThatIsNotFiniteIsRefused) {
  Trial trial({.dt = 0.1, .end = 1.0, .max_halvings = 0}, [](double, const auto&, auto& next) {
    next.v[0] = std::nan("");
    return StepStatus::accepted;
  });

  const RunSummary summary = trial.simulation.run();

  EXPECT_EQ(summary.reason, StopReason::failed);
  EXPECT_EQ(summary.last_failure, StepStatus::not_finite);
  EXPECT_TRUE(trial.simulation.state() == start());
}

// ---- stopping, checkpoints, resuming ---------------------------------------------------------

TEST(Simulation, AStopRequestEndsTheRunAfterTheStepAndSaves) {
  Trial trial({.dt = 0.1, .end = 1.0, .fps = 1.0}, drift);
  trial.simulation.set_stop([&] { return trial.diary.attempts.size() == 3; });
  std::vector<Checkpoint> saved;
  trial.simulation.set_checkpoints(0.0, [&](const Checkpoint& point) { saved.push_back(point); });

  const RunSummary summary = trial.simulation.run();

  EXPECT_EQ(summary.reason, StopReason::stopped_by_user);
  EXPECT_EQ(summary.accepted_steps, 3);
  ASSERT_EQ(saved.size(), 1u);
  EXPECT_EQ(saved[0].accepted_steps, 3);
  EXPECT_TRUE(saved[0].state == trial.simulation.state());
  expect_times(trial.diary.frames, {0.0});
}

TEST(Simulation, ALongStepIsGivenUpAndTheRunGoesOnFromBeforeIt) {
  core::Executor executor(2);
  std::atomic<bool> asked = false;
  int calls = 0;
  const auto nap = [](int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  };
  const Move move = [&](double dt, const dynamics::State& now, dynamics::State& next) {
    ++calls;
    if (calls == 1) nap(400);  // steps of this run are long
    if (calls == 2) return StepStatus::newton_not_converged;
    // the second half of the second step would take a quarter of an hour
    if (calls == 4) {
      asked = true;
      executor.for_each(1'000'000, [&](int) { nap(1); });
    }
    return drift(dt, now, next);
  };
  const SimulationSettings settings{.dt = 0.1, .end = 0.3, .max_halvings = 2};
  Trial trial(settings, move);
  trial.simulation.set_interrupt([&] { return asked.load(); }, executor);
  std::vector<Checkpoint> saved;
  trial.simulation.set_checkpoints(1e9, [&](const Checkpoint& c) { saved.push_back(c); });

  const RunSummary summary = trial.simulation.run();

  EXPECT_EQ(summary.reason, StopReason::stopped_by_user);
  EXPECT_EQ(trial.diary.finishes, 1);
  ASSERT_EQ(saved.size(), 1u);
  EXPECT_EQ(saved[0].state.t, 0.1);
  EXPECT_EQ(saved[0].accepted_steps, 1);
  EXPECT_EQ(saved[0].memory.at("count")[0], 1.0) << "nothing of the step that was given up";
  executor.for_each(3, [](int) {});  // which is as good as new
  EXPECT_EQ(trial.simulation.checkpoint().memory.at("count")[0], 0.0)
      << "the method has forgotten what may be half made";
}

TEST(Simulation, CheckpointsComeAtTheirIntervalAndAtTheEnd) {
  const auto count_checkpoints = [](double seconds) {
    Trial trial({.dt = 0.1, .end = 1.0}, drift);
    int count = 0;
    trial.simulation.set_checkpoints(seconds, [&](const Checkpoint&) { ++count; });
    trial.simulation.run();
    return count;
  };

  // any step takes longer than a femtosecond and ten take less than an hour
  EXPECT_EQ(count_checkpoints(1e-15), 10 + 1);
  EXPECT_EQ(count_checkpoints(3600.0), 1);
  EXPECT_EQ(count_checkpoints(0.0), 0) << "only when stopped";
}

TEST(Simulation, ResumingAnywhereGivesTheSameBits) {
  const SimulationSettings settings{.dt = 0.3, .end = 4.0, .fps = 2.0};
  const Oscillator::Constants constants{.damping = 0.5};
  Trial whole(settings, exact_motion(0.5), constants);
  whole.simulation.run();
  for (std::size_t stop = 0; stop <= whole.diary.attempts.size(); ++stop) {
    SCOPED_TRACE(stop);
    Trial first(settings, exact_motion(0.5), constants);
    first.simulation.set_stop([&] { return first.diary.attempts.size() == stop; });
    first.simulation.run();
    Trial second(settings, exact_motion(0.5), constants);
    second.simulation.resume(first.simulation.checkpoint());

    const RunSummary summary = second.simulation.run();

    EXPECT_TRUE(second.simulation.state() == whole.simulation.state());
    EXPECT_EQ(second.simulation.ledger().save(), whole.simulation.ledger().save());
    EXPECT_EQ(summary.accepted_steps, static_cast<long>(whole.diary.attempts.size()));
    EXPECT_EQ(second.simulation.checkpoint().memory.at("count"),
              whole.simulation.checkpoint().memory.at("count"));
  }
}

TEST(Simulation, AFinishedRunMayBeContinuedToALaterEnd) {
  // the first end is no grid point: the next step goes to the grid and is no longer than dt
  Trial first({.dt = 0.3, .end = 1.0}, drift);
  first.simulation.run();
  Trial second({.dt = 0.3, .end = 1.6}, drift);
  second.simulation.resume(first.simulation.checkpoint());

  second.simulation.run();

  expect_times(attempt_ends(second.diary), {1.2, 1.5, 1.6});
}

TEST(Simulation, AResumedRunMustHaveTheSameStep) {
  Trial first({.dt = 0.1, .end = 1.0}, drift);
  first.simulation.set_stop([&] { return first.diary.attempts.size() == 5; });
  first.simulation.run();
  Trial other({.dt = 0.3, .end = 1.0}, drift);

  EXPECT_THROW(other.simulation.resume(first.simulation.checkpoint()), InputError);
}

TEST(Simulation, AResumedRunShowsTheRemainingFrames) {
  const SimulationSettings settings{.dt = 0.1, .end = 1.0, .fps = 5.0};
  Trial first(settings, drift);
  first.simulation.set_stop([&] { return first.diary.attempts.size() == 5; });
  first.simulation.run();
  Trial second(settings, drift);
  second.simulation.resume(first.simulation.checkpoint());

  second.simulation.run();

  expect_times(first.diary.frames, {0.0, 0.2, 0.4});
  expect_times(second.diary.frames, {0.6, 0.8, 1.0});
}

TEST(Simulation, ACheckpointOfAnotherSystemIsRefused) {
  Trial trial({}, drift);
  const Checkpoint good = trial.simulation.checkpoint();
  Checkpoint other_size = good, other_velocity = good, other_ledger = good, other_history = good;
  other_size.state.q = other_size.state.v = Vec::Zero(2);
  other_velocity.state.v = Vec::Zero(3);
  other_ledger.ledger.pop_back();
  other_history.state.internal = Vec::Zero(1);

  EXPECT_THROW(trial.simulation.resume(other_size), InputError);
  EXPECT_THROW(trial.simulation.resume(other_velocity), InputError);
  EXPECT_THROW(trial.simulation.resume(other_ledger), InputError);
  EXPECT_THROW(trial.simulation.resume(other_history), InputError);
  EXPECT_NO_THROW(trial.simulation.resume(good));
}

// ---- energy that cannot be -------------------------------------------------------------------

/// Twice as fast after every step.
Move runaway() {
  return [](double, const dynamics::State& now, dynamics::State& next) {
    next.v = 2.0 * now.v;
    return StepStatus::accepted;
  };
}

TEST(Simulation, FailsWhenThereIsMoreEnergyThanThereCanBe) {
  Trial trial({.dt = 0.1, .end = 3.0}, runaway(), {.stiffness = 0.0}, start(0.0, 1.0));
  const RunSummary summary = trial.simulation.run();
  EXPECT_EQ(summary.reason, StopReason::failed);
  EXPECT_EQ(summary.last_failure, StepStatus::energy_absurd);
  // 1, 4, 16: the second step is one too many, and shorter ones are not tried
  EXPECT_EQ(summary.accepted_steps, 1);
  EXPECT_EQ(summary.rejected_steps, 1);
}

TEST(Simulation, GoesOnWithItWhereAskedTo) {
  Trial trial({.dt = 0.1, .end = 0.5, .fails_on_absurd_energy = false}, runaway(),
              {.stiffness = 0.0}, start(0.0, 1.0));
  const RunSummary summary = trial.simulation.run();
  EXPECT_EQ(summary.reason, StopReason::reached_end);
  EXPECT_EQ(summary.health.excess_time, 0.2);
  EXPECT_NEAR(summary.health.largest_excess, 1024.0, 1e-6);
}

}  // namespace
}  // namespace sinew::sim::toy
