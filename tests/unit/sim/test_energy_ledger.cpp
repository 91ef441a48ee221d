// SPDX-License-Identifier: Apache-2.0
// The balance of energy, on motions whose losses and supplies are known.
#include <cmath>

#include <gtest/gtest.h>

#include "toy_simulation.hpp"

namespace sinew::sim::toy {
namespace {

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

TEST(EnergyLedger, KeepsTheSignOfTheLargestDrift) {
  const Oscillator system({.mass = 2.0, .stiffness = 8.0});
  dynamics::Workspace workspace;
  EnergyLedger ledger(system, la::serial_reducer());
  ledger.open(system, start(1.0, 0.0), workspace);  // 4 J
  const auto drift_after = [&](const dynamics::State& before, const dynamics::State& after) {
    ledger.advance(system, before, after, workspace);
    return ledger.largest_drift();
  };

  EXPECT_EQ(drift_after(start(1.0, 0.0), at(1.0, start(0.5, 0.0))), 3.0) << "lost";
  EXPECT_EQ(drift_after(at(1.0, start(0.5, 0.0)), at(2.0, start(1.5, 0.0))), -5.0) << "gained";
  EXPECT_EQ(drift_after(at(2.0, start(1.5, 0.0)), at(3.0, start(0.5, 0.0))), -5.0) << "was larger";
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
}  // namespace sinew::sim::toy
