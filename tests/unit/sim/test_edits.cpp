// SPDX-License-Identifier: Apache-2.0
// Systems that are exchanged during a run, by time or by state.
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sinew/core/error.hpp>

#include "toy_simulation.hpp"

namespace sinew::sim::toy {
namespace {

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

TEST(Edits, AnEditMayBeDueByTheState) {
  // x = 1 + t: beyond 1.25 after the third step
  Trial trial({.dt = 0.1, .end = 0.5}, drift, {}, start(1.0, 1.0));
  trial.simulation.set_edits(std::make_unique<Breaks>());

  trial.simulation.run();

  expect_times(trial.diary.edits, {0.3});
  dynamics::Workspace workspace;
  EXPECT_EQ(trial.simulation.system().potential(start(1.0), workspace), 0.0);
}

TEST(Edits, AResumedRunHasTheEditedSystemWithoutRepeatingTheEdits) {
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

TEST(Edits, EditsHappenAtTheirTimesAndTheGridGoesOn) {
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

TEST(Edits, TheEnergyOfAnEditIsWorkFromOutside) {
  // at rest nothing but the edit changes the energy: 1/2 (20 - 8) q^2 with q = 1
  Trial trial({.dt = 0.1, .end = 0.5}, drift, {}, start(1.0, 0.0));
  trial.simulation.set_edits(
      std::make_unique<NewSprings>(std::vector<std::pair<double, double>>{{0.25, 20.0}}));

  trial.simulation.run();

  EXPECT_EQ(trial.simulation.ledger().record().external_work, 6.0);
  EXPECT_EQ(trial.simulation.ledger().record().numerical_loss, 0.0);
}

TEST(Edits, AnEditIsBookedOnceWhereverTheRunIsInterrupted) {
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

}  // namespace
}  // namespace sinew::sim::toy
