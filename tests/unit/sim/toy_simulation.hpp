// SPDX-License-Identifier: Apache-2.0
// Simulations small enough to know everything about them: one mass on a spring, and integrators
// that do or refuse exactly what a test wants.
#pragma once

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include <sinew/dynamics/capabilities/energy_accounts.hpp>
#include <sinew/la/diagonal_operator.hpp>
#include <sinew/sim/simulation.hpp>

namespace sinew::sim::toy {

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
  void forget_history() override { count_ = 0.0; }

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
inline StepStatus drift(double dt, const dynamics::State& now, dynamics::State& next) {
  next.q = now.q + dt * now.v;
  return StepStatus::accepted;
}

/// The exact motion of 2 q'' = -8 q - c v.
inline Move exact_motion(double c) {
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

inline dynamics::State start(double q = 1.0, double v = 1.0) {
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

inline void expect_times(const std::vector<double>& actual, const std::vector<double>& expected) {
  ASSERT_EQ(actual.size(), expected.size()) << testing::PrintToString(actual);
  // times are sums of at most a few dozen steps of order 1, each rounded once
  for (std::size_t k = 0; k < actual.size(); ++k) EXPECT_NEAR(actual[k], expected[k], 1e-14);
}

inline std::vector<double> attempt_ends(const Diary& diary) {
  std::vector<double> ends;
  for (const Diary::Attempt& attempt : diary.attempts) ends.push_back(attempt.t);
  return ends;
}

}  // namespace sinew::sim::toy
