// SPDX-License-Identifier: Apache-2.0
// The loop on systems small enough to know everything about them: one mass on a spring, and
// integrators that do or refuse exactly what a test wants.
#include <cmath>
#include <functional>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sinew/core/error.hpp>
#include <sinew/dynamics/capabilities/energy_accounts.hpp>
#include <sinew/la/diagonal_operator.hpp>
#include <sinew/sim/simulation.hpp>

namespace sinew::sim {
namespace {

using integrators::StepStatus;

/// m q'' = -k q - c v + motor.
class Oscillator final : public dynamics::DynamicalSystem, dynamics::EnergyAccounts {
 public:
  struct Constants {
    double mass = 2.0, stiffness = 8.0, damping = 0.0, motor = 0.0;
  };
  explicit Oscillator(const Constants& constants)
      : c_(constants),
        mass_(Vec::Constant(1, constants.mass)),
        inverse_(Vec::Constant(1, 1.0 / constants.mass)) {}

  Index num_dofs() const override { return 1; }
  const la::LinearOperator& mass() const override { return mass_; }
  const la::LinearOperator& mass_inverse() const override { return inverse_; }
  double potential(const dynamics::State& s, dynamics::Workspace&) const override {
    return 0.5 * c_.stiffness * s.q[0] * s.q[0];
  }
  void force(const dynamics::State& s, dynamics::Workspace&, VecOut f) const override {
    f[0] = -c_.stiffness * s.q[0] - c_.damping * s.v[0] + c_.motor;
  }
  dynamics::Capabilities capabilities() const override { return {.accounts = this}; }
  std::vector<dynamics::LedgerEntry> ledger_entries() const override {
    using enum dynamics::LedgerKind;
    return {{"spring", stored}, {"damping", loss_rate}, {"motor", supply_rate}};
  }
  void evaluate_ledger(const dynamics::State& s, dynamics::Workspace& workspace,
                       std::span<double> values) const override {
    values[0] = potential(s, workspace);
    values[1] = c_.damping * s.v[0] * s.v[0];
    values[2] = c_.motor * s.v[0];
  }

 private:
  Constants c_;
  la::DiagonalOperator mass_, inverse_;
};

using Move =
    std::function<StepStatus(double dt, const dynamics::State& now, dynamics::State& next)>;

/// Does what it is told, and counts its successes as its memory.
class Puppet final : public integrators::Integrator {
 public:
  explicit Puppet(Move move)
      : Integrator(integrators::default_services()), move_(std::move(move)) {}

 private:
  void save_history(integrators::Memory& memory) const override {
    memory["count"] = Vec::Constant(1, count_);
  }
  void restore_history(const integrators::Memory& memory) override {
    count_ = memory.at("count")[0];
  }

  StepStatus do_step(integrators::StepContext& step, const dynamics::State& now,
                     dynamics::State& next) override {
    const StepStatus status = move_(step.dt, now, next);
    if (status == StepStatus::accepted) count_ += 1.0;
    return status;
  }

  Move move_;
  double count_ = 0.0;
};

/// q grows with constant v.
StepStatus drift(double dt, const dynamics::State& now, dynamics::State& next) {
  next.q = now.q + dt * now.v;
  return StepStatus::accepted;
}

/// The exact motion of 2 q'' = -8 q - c v.
Move exact_motion(double c) {
  return [c](double dt, const dynamics::State& now, dynamics::State& next) {
    const double decay = c / 4.0, omega = std::sqrt(4.0 - decay * decay);
    const double q = now.q[0], v = now.v[0];
    const double cosine = std::cos(omega * dt), sine = std::sin(omega * dt) / omega;
    const double factor = std::exp(-decay * dt);
    next.q[0] = factor * (q * cosine + (v + decay * q) * sine);
    next.v[0] = factor * (v * cosine - (4.0 * q + decay * v) * sine);
    return StepStatus::accepted;
  };
}

dynamics::State start(double q = 1.0, double v = 1.0) {
  return {.q = Vec::Constant(1, q), .v = Vec::Constant(1, v), .t = 0.0, .internal = Vec()};
}

/// Writes down everything it is told.
struct Diary final : Observer {
  struct Attempt {
    double dt, t;
    StepStatus status;
  };
  std::vector<Attempt> attempts;
  std::vector<double> frames, edits;
  int starts = 0, finishes = 0;

  void on_start(const FrameView&) override { ++starts; }
  void on_step(const FrameView&, const StepRecord& record) override {
    attempts.push_back({record.dt, record.t, record.report.status});
  }
  void on_frame(const FrameView& view) override { frames.push_back(view.state.t); }
  void on_edit(const FrameView& view, bool) override { edits.push_back(view.state.t); }
  void on_finish(const FrameView&, const RunSummary&) override { ++finishes; }
};

/// A simulation with its diary.
struct Trial {
  Trial(const SimulationSettings& settings, Move move, const Oscillator::Constants& constants = {},
        const dynamics::State& initial = start())
      : simulation(std::make_unique<Oscillator>(constants), initial,
                   std::make_unique<Puppet>(std::move(move)), settings) {
    simulation.add_observer(diary);
  }

  Simulation simulation;
  Diary diary;
};

void expect_times(const std::vector<double>& actual, const std::vector<double>& expected) {
  ASSERT_EQ(actual.size(), expected.size()) << testing::PrintToString(actual);
  // times are sums of at most a few dozen steps of order 1, each rounded once
  for (std::size_t k = 0; k < actual.size(); ++k) EXPECT_NEAR(actual[k], expected[k], 1e-14);
}

std::vector<double> attempt_ends(const Diary& diary) {
  std::vector<double> ends;
  for (const Diary::Attempt& attempt : diary.attempts) ends.push_back(attempt.t);
  return ends;
}

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

TEST(Simulation, CheckpointsComeAtTheirInterval) {
  Trial always({.dt = 0.1, .end = 1.0}, drift);
  Trial never({.dt = 0.1, .end = 1.0}, drift);
  int count_always = 0, count_never = 0;
  // any step takes longer than a femtosecond and ten take less than an hour
  always.simulation.set_checkpoints(1e-15, [&](const Checkpoint&) { ++count_always; });
  never.simulation.set_checkpoints(3600.0, [&](const Checkpoint&) { ++count_never; });

  always.simulation.run();
  never.simulation.run();

  EXPECT_EQ(count_always, 10);
  EXPECT_EQ(count_never, 0);
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
  Checkpoint other_size = good, other_velocity = good, other_ledger = good;
  other_size.state.q = other_size.state.v = Vec::Zero(2);
  other_velocity.state.v = Vec::Zero(3);
  other_ledger.ledger.pop_back();

  EXPECT_THROW(trial.simulation.resume(other_size), InputError);
  EXPECT_THROW(trial.simulation.resume(other_velocity), InputError);
  EXPECT_THROW(trial.simulation.resume(other_ledger), InputError);
  EXPECT_NO_THROW(trial.simulation.resume(good));
}

// ---- edits -----------------------------------------------------------------------------------

/// Exchanges the spring at given times.
class NewSprings final : public EditSource {
 public:
  explicit NewSprings(std::vector<std::pair<double, double>> plan) : plan_(std::move(plan)) {}

  double next_time(double t) const override {
    for (const auto& [time, stiffness] : plan_)
      if (time > t) return time;
    return std::numeric_limits<double>::infinity();
  }
  Edit apply(const dynamics::DynamicalSystem&, const dynamics::State& state, double) override {
    ++applied;
    stiffness_ = plan_.front().second;
    plan_.erase(plan_.begin());
    return {.system = make(), .state = state, .map = {.source = {0}}};
  }
  std::string description() const override {
    return fmt::format("{} {}", stiffness_, plan_.size());
  }
  std::unique_ptr<dynamics::DynamicalSystem> restore(const std::string& description) override {
    std::size_t left = 0;
    std::istringstream(description) >> stiffness_ >> left;
    plan_.erase(plan_.begin(), plan_.end() - static_cast<std::ptrdiff_t>(left));
    return make();
  }

  int applied = 0;

 private:
  std::unique_ptr<dynamics::DynamicalSystem> make() const {
    return std::make_unique<Oscillator>(Oscillator::Constants{.stiffness = stiffness_});
  }

  std::vector<std::pair<double, double>> plan_;
  double stiffness_ = 0.0;
};

/// A spring that breaks, once, when it is stretched too far.
class Breaks final : public EditSource {
 public:
  bool is_due(const dynamics::DynamicalSystem&, const dynamics::State& state,
              dynamics::Workspace&) const override {
    return !is_broken_ && state.q[0] > 1.25;
  }
  Edit apply(const dynamics::DynamicalSystem&, const dynamics::State& state, double) override {
    is_broken_ = true;
    return {.system = restore(""), .state = state, .map = {.source = {0}}};
  }
  std::string description() const override { return is_broken_ ? "broken" : ""; }
  std::unique_ptr<dynamics::DynamicalSystem> restore(const std::string&) override {
    is_broken_ = true;
    return std::make_unique<Oscillator>(Oscillator::Constants{.stiffness = 0.0});
  }

 private:
  bool is_broken_ = false;
};

TEST(Simulation, AnEditMayBeDueByTheState) {
  // x = 1 + t: beyond 1.25 after the third step
  Trial trial({.dt = 0.1, .end = 0.5}, drift, {}, start(1.0, 1.0));
  trial.simulation.set_edits(std::make_unique<Breaks>());

  trial.simulation.run();

  expect_times(trial.diary.edits, {0.3});
  dynamics::Workspace workspace;
  EXPECT_EQ(trial.simulation.system().potential(start(1.0), workspace), 0.0);
}

TEST(Simulation, AResumedRunHasTheEditedSystemWithoutRepeatingTheEdits) {
  const SimulationSettings settings{.dt = 0.1, .end = 0.5};
  const std::vector<std::pair<double, double>> plan{{0.1, 20.0}, {0.2, 40.0}, {0.4, 60.0}};
  Trial first(settings, drift, {}, start(1.0, 0.0));
  first.simulation.set_edits(std::make_unique<NewSprings>(plan));
  first.simulation.set_stop([&] { return first.diary.attempts.size() == 3; });
  first.simulation.run();
  Trial second(settings, drift, {}, start(1.0, 0.0));
  auto edits = std::make_unique<NewSprings>(plan);
  const NewSprings& watched = *edits;
  second.simulation.set_edits(std::move(edits));

  second.simulation.resume(first.simulation.checkpoint());

  dynamics::Workspace workspace;
  EXPECT_EQ(watched.applied, 0);
  EXPECT_EQ(second.simulation.system().potential(start(1.0), workspace), 20.0);
  second.simulation.run();
  expect_times(second.diary.edits, {0.4});
  Trial plain(settings, drift);
  EXPECT_THROW(plain.simulation.resume(first.simulation.checkpoint()), InputError)
      << "a scene without edits";
}

TEST(Simulation, EditsHappenAtTheirTimesAndTheGridGoesOn) {
  Trial trial({.dt = 0.1, .end = 0.5}, drift);
  trial.simulation.set_edits(std::make_unique<NewSprings>(
      std::vector<std::pair<double, double>>{{0.0, 10.0}, {0.25, 20.0}, {0.4, 30.0}}));

  trial.simulation.run();

  expect_times(trial.diary.edits, {0.0, 0.25, 0.4});
  expect_times(attempt_ends(trial.diary), {0.1, 0.2, 0.25, 0.3, 0.4, 0.5});
  dynamics::Workspace workspace;
  EXPECT_EQ(trial.simulation.system().potential(start(1.0), workspace), 15.0)
      << "the last spring is in place";
}

TEST(Simulation, TheEnergyOfAnEditIsWorkFromOutside) {
  // at rest nothing but the edit changes the energy: 1/2 (20 - 8) q^2 with q = 1
  Trial trial({.dt = 0.1, .end = 0.5}, drift, {}, start(1.0, 0.0));
  trial.simulation.set_edits(
      std::make_unique<NewSprings>(std::vector<std::pair<double, double>>{{0.25, 20.0}}));

  trial.simulation.run();

  EXPECT_EQ(trial.simulation.ledger().record().external_work, 6.0);
  EXPECT_EQ(trial.simulation.ledger().record().numerical_loss, 0.0);
}

TEST(Simulation, AnEditIsBookedOnceWhereverTheRunIsInterrupted) {
  const SimulationSettings settings{.dt = 0.1, .end = 0.5};
  const auto plan = [] {
    return std::make_unique<NewSprings>(std::vector<std::pair<double, double>>{{0.25, 20.0}});
  };
  // after three steps the run stands at the edit, which is not done yet
  Trial first(settings, drift, {}, start(1.0, 0.0));
  first.simulation.set_edits(plan());
  first.simulation.set_stop([&] { return first.diary.attempts.size() == 3; });
  first.simulation.run();
  Trial second(settings, drift, {}, start(1.0, 0.0));
  second.simulation.set_edits(plan());
  second.simulation.resume(first.simulation.checkpoint());

  second.simulation.run();

  expect_times(first.diary.edits, {});
  expect_times(second.diary.edits, {0.25});
  EXPECT_EQ(second.simulation.ledger().record().external_work, 6.0);
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

// ---- the ledger ------------------------------------------------------------------------------

/// The same state at another time.
dynamics::State at(double t, dynamics::State state) {
  state.t = t;
  return state;
}

TEST(EnergyLedger, BooksSuppliesByTheTrapezoidalRuleAndLossesByTheMeanVelocity) {
  // m = 2, k = 8, c = 3, motor 5: energies and powers are small whole numbers
  const Oscillator system({.mass = 2.0, .stiffness = 8.0, .damping = 3.0, .motor = 5.0});
  dynamics::Workspace workspace;
  EnergyLedger ledger(system, la::serial_reducer());

  ledger.open(system, start(1.0, 0.0), workspace);
  EXPECT_EQ(ledger.initial_energy(), 4.0);
  ledger.advance(system, start(1.0, 0.0), at(0.5, start(0.5, 2.0)), workspace);

  const EnergyRecord& record = ledger.record();
  EXPECT_EQ(record.kinetic, 4.0);
  EXPECT_EQ(record.stored, std::vector<double>{1.0});
  EXPECT_EQ(record.total, 5.0);
  EXPECT_EQ(record.lost, std::vector<double>{1.5}) << "0.5 s times 3 (-1 m/s)^2";
  EXPECT_EQ(record.external_work, 2.5) << "0.5 s times the mean of 0 W and 10 W";
  EXPECT_EQ(record.numerical_loss, 4.0 + 2.5 - 1.5 - 5.0) << "closes the balance";
  EXPECT_EQ(ledger.largest_drift(), 0.0);
}

TEST(EnergyLedger, TheBalanceOfAnExactMotionClosesWithTheSquareOfTheStep) {
  // c times the square of a mean velocity instead of the mean of its square errs by c dt^2/12 times
  // the largest |v'|^2, less than T dt^2/12 max|P''|, where the power P = c v^2 of a motion with
  // |q| <= 1 and omega = 2 rad/s has |P''| <= 2 c omega^4 = 16 W/s^2.
  const double c = 0.5, end = 3.0;
  for (const double dt : {0.1, 0.05, 0.025}) {
    Trial trial({.dt = dt, .end = end}, exact_motion(c), {.damping = c}, start(1.0, 0.0));

    trial.simulation.run();

    const EnergyRecord& record = trial.simulation.ledger().record();
    EXPECT_LT(std::abs(record.numerical_loss), end * dt * dt / 12.0 * 16.0) << dt;
    EXPECT_NEAR(record.lost[0], 4.0 - record.total, end * dt * dt / 12.0 * 16.0) << dt;
  }
}

TEST(EnergyLedger, LossesAreOfSecondOrder) {
  const double c = 0.5, end = 3.0;
  std::vector<double> errors;
  for (const double dt : {0.1, 0.05, 0.025}) {
    Trial trial({.dt = dt, .end = end}, exact_motion(c), {.damping = c}, start(1.0, 0.0));
    trial.simulation.run();
    errors.push_back(std::abs(trial.simulation.ledger().record().numerical_loss));
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.1);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.1);
}

TEST(EnergyLedger, DampingThatEndsAVibrationWithinAStepIsNotBookedByItsFirstInstant) {
  // v = 2 m/s dies within 1e-4 s of a step of 0.1 s: 4 J are there to be lost, the trapezoidal rule
  // would book 0.05 s * 20000 kg/s * 4 m^2/s^2 = 4000 J
  const double c = 20000.0, dt = 0.1, way = 2.0 * 2.0 / c;
  const Oscillator system({.mass = 2.0, .stiffness = 0.0, .damping = c});
  dynamics::Workspace workspace;
  EnergyLedger ledger(system, la::serial_reducer());
  ledger.open(system, start(0.0, 2.0), workspace);
  ledger.advance(system, start(0.0, 2.0), at(dt, start(way, 0.0)), workspace);
  EXPECT_EQ(ledger.record().lost[0], c * way * way / dt) << "what the way shows";
  EXPECT_LT(ledger.record().lost[0], 4.0);
  EXPECT_EQ(ledger.health().unresolved_damping, 1);
  // from here on there is nothing left to resolve
  ledger.advance(system, at(dt, start(way, 0.0)), at(2.0 * dt, start(way, 0.0)), workspace);
  EXPECT_EQ(ledger.health().unresolved_damping, 1);
}

TEST(EnergyLedger, NoticesMoreEnergyThanThereCanBe) {
  const Oscillator system({.mass = 2.0, .stiffness = 8.0, .motor = 5.0});  // 4 J at q = 1
  dynamics::Workspace workspace;
  EnergyLedger ledger(system, la::serial_reducer());
  ledger.open(system, start(1.0, 0.0), workspace);
  // 36 J beside 4 J at the start and what the motor did, 0.5 * 5 * 6 W * 0.1 s
  ledger.advance(system, start(1.0, 0.0), at(0.1, start(0.0, 6.0)), workspace);
  EXPECT_NEAR(ledger.health().largest_excess, 36.0 / 5.5, 1e-10);
  EXPECT_LT(ledger.health().excess_time, 0.0);
  ledger.advance(system, at(0.1, start(0.0, 6.0)), at(0.2, start(0.0, 20.0)), workspace);
  EXPECT_EQ(ledger.health().excess_time, 0.2);
  EXPECT_GT(ledger.health().largest_excess, absurd_excess);
}

TEST(EnergyLedger, WhatIsSavedIsRestored) {
  const Oscillator system({.damping = 3.0, .motor = 5.0});
  dynamics::Workspace workspace;
  EnergyLedger ledger(system, la::serial_reducer()), copy(ledger);
  ledger.open(system, start(1.0, 0.0), workspace);
  ledger.advance(system, start(1.0, 0.0), at(0.5, start(0.5, 2.0)), workspace);

  copy.restore(ledger.save());

  EXPECT_EQ(copy.save(), ledger.save());
  EXPECT_EQ(copy.record().total, ledger.record().total);
  EXPECT_EQ(copy.record().stored, ledger.record().stored);
  EXPECT_EQ(copy.record().numerical_loss, ledger.record().numerical_loss);
}

}  // namespace
}  // namespace sinew::sim
