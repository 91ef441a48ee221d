// SPDX-License-Identifier: Apache-2.0
// The guard on one mass and one spring, with methods that do or refuse exactly what a test wants.
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include <sinew/dynamics/capabilities/energy_accounts.hpp>
#include <sinew/dynamics/capabilities/health.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/la/diagonal_operator.hpp>
#include <sinew/sim/simulation.hpp>

namespace sinew::sim {
namespace {

using dynamics::Definiteness;
using dynamics::State;
using integrators::StepStatus;

/// q'' = -k q - c q^3 - d v - g + load(t). The "element" is inverted where q < 0.
class Spring final : public dynamics::DynamicalSystem, dynamics::EnergyAccounts, dynamics::Health {
 public:
  struct Constants {
    double k = 4.0, cubic = 0.0, damping = 0.0, weight = 0.0;
    std::function<double(double)> load = nullptr;
    bool can_invert = false, can_project = true;
  };
  explicit Spring(Constants constants) : c_(std::move(constants)) {}

  Index num_dofs() const override { return 1; }
  const la::LinearOperator& mass() const override { return mass_; }
  const la::LinearOperator& mass_inverse() const override { return mass_; }
  double potential(const State& s, dynamics::Workspace&) const override {
    const double q = s.q[0];
    return elastic(q) + (c_.weight - load(s.t)) * q;
  }
  void force(const State& s, dynamics::Workspace&, VecOut f) const override {
    const double q = s.q[0];
    f[0] = -c_.k * q - c_.cubic * q * q * q - c_.damping * s.v[0] - c_.weight + load(s.t);
  }
  dynamics::ForceTraits traits() const override {
    return {
        .form = dynamics::ForceForm::potential_and_dissipation,
        .damping = c_.damping > 0.0 ? dynamics::DampingKind::constant : dynamics::DampingKind::none,
        .depends_on_time = c_.load != nullptr,
        .can_project = c_.can_project};
  }
  dynamics::Capabilities capabilities() const override {
    return {.accounts = this, .health = this};
  }
  double dissipation(const State& s, dynamics::Workspace&) const override {
    return 0.5 * c_.damping * s.v[0] * s.v[0];
  }
  dynamics::Admissibility admissibility(const State& s, dynamics::Workspace&) const override {
    return {.inverted_elements = c_.can_invert && s.q[0] < 0.0 ? 1 : 0};
  }
  std::vector<dynamics::LedgerEntry> ledger_entries() const override {
    using enum dynamics::LedgerKind;
    return {{"elastic", stored},
            {"gravity", stored_up_to_constant},
            {"damping", loss_rate},
            {"external", supply_rate}};
  }
  void evaluate_ledger(const State& s, dynamics::Workspace& w,
                       std::span<double> values) const override {
    values[0] = elastic(s.q[0]);
    values[1] = c_.weight * s.q[0];
    values[2] = 2.0 * dissipation(s, w);
    values[3] = load(s.t) * s.v[0];
  }
  double external_work(const State& at, const State& from, const State& to,
                       dynamics::Workspace&) const override {
    return load(at.t) * (to.q[0] - from.q[0]);
  }

 protected:
  std::shared_ptr<const la::BlockPattern> pattern(const State&,
                                                  dynamics::Workspace&) const override {
    return pattern_;
  }
  void assemble(const State& s, const dynamics::LinearizeOptions& options, dynamics::Workspace& w,
                la::SymmetricMatrix& K, la::SymmetricMatrix* D, Vec* f,
                dynamics::LinearizeReport& report) const override {
    double k = c_.k + 3.0 * c_.cubic * s.q[0] * s.q[0];
    if (c_.can_project) {
      report.definiteness = options.definiteness;
      if (k < 0.0 && options.definiteness == Definiteness::psd_clamp) {
        k = 0.0;
        ++report.projected;
      }
    }
    K.add(0, 0, k);
    if (D) D->add(0, 0, c_.damping);
    if (f) force(s, w, *f);
  }

 private:
  double elastic(double q) const { return 0.5 * c_.k * q * q + 0.25 * c_.cubic * q * q * q * q; }
  double load(double t) const { return c_.load ? c_.load(t) : 0.0; }

  Constants c_;
  la::DiagonalOperator mass_{Vec::Ones(1)};
  std::shared_ptr<const la::BlockPattern> pattern_ = la::BlockPattern::dense(1);
};

using Move = std::function<StepStatus(double dt, Definiteness, const State& now, State& next)>;

/// Does what it is told. Its memory: how many steps it made, and how many others made for it.
class Puppet final : public integrators::Integrator {
 public:
  explicit Puppet(Move move)
      : Integrator(integrators::default_services()), move_(std::move(move)) {}

 private:
  StepStatus do_step(integrators::StepContext& step, const State& now, State& next) override {
    step.report().profile.counts.force += 100;  // so that it shows in sums
    return move_(step.dt, definiteness(), now, next);
  }
  void commit(const State&, const State&) override { counts_[0] += 1.0; }
  void on_skipped(const State& before, const State& after, double dt) override {
    EXPECT_NEAR(after.t, before.t + dt, 1e-14);
    EXPECT_NE(after.q[0], before.q[0]);
    counts_[1] += 1.0;
  }
  void save_history(integrators::Memory& memory) const override { memory["counts"] = counts_; }

  Move move_;
  Vec counts_ = Vec::Zero(2);
};

/// The exact motion of q'' = -4 q.
StepStatus exact(double dt, Definiteness, const State& now, State& next) {
  const double c = std::cos(2.0 * dt), s = std::sin(2.0 * dt);
  next.q[0] = c * now.q[0] + 0.5 * s * now.v[0];
  next.v[0] = c * now.v[0] - 2.0 * s * now.q[0];
  return StepStatus::accepted;
}

StepStatus fails(double, Definiteness, const State&, State&) {
  return StepStatus::linear_solve_failed;
}

/// With this factor on the velocity.
Move scaled(double factor) {
  return [factor](double dt, Definiteness definiteness, const State& now, State& next) {
    const StepStatus status = exact(dt, definiteness, now, next);
    next.v *= factor;
    return status;
  };
}

State start(double q = 1.0, double v = 1.0) {
  return {.q = Vec::Constant(1, q), .v = Vec::Constant(1, v), .t = 0.0, .internal = Vec()};
}

struct Diary final : Observer {
  std::vector<integrators::StepReport> reports;
  std::vector<double> energies, lengths;
  void on_step(const FrameView& view, const StepRecord& record) override {
    reports.push_back(record.report);
    lengths.push_back(record.dt);
    energies.push_back(view.ledger.record().total);
  }
};

const Rungs all_rungs{Rung::projected, Rung::linear, Rung::nonlinear};

struct Trial {
  Trial(std::unique_ptr<integrators::Integrator> method, const Spring::Constants& constants,
        const Rungs& ladder = all_rungs, const State& initial = start(),
        const SimulationSettings& settings = {.dt = 0.1, .end = 0.3, .max_halvings = 0},
        bool guarded = true)
      : simulation(std::make_unique<Spring>(constants), initial, std::move(method), settings) {
    if (guarded)
      simulation.set_guard(std::make_unique<Guard>(ladder, integrators::default_services()));
    simulation.add_observer(diary);
  }
  Trial(const Move& move, const Spring::Constants& constants, const Rungs& ladder = all_rungs,
        const State& initial = start(),
        const SimulationSettings& settings = {.dt = 0.1, .end = 0.3, .max_halvings = 0},
        bool guarded = true)
      : Trial(std::make_unique<Puppet>(move), constants, ladder, initial, settings, guarded) {}

  std::vector<int> rungs() const {
    std::vector<int> result;
    for (const auto& report : diary.reports) result.push_back(static_cast<int>(report.rung));
    return result;
  }

  Diary diary;
  Simulation simulation;
};

constexpr int steps = 3;

// ---- the rungs
// -----------------------------------------------------------------------------------

TEST(Guard, AGoodStepIsTheMethodsOwn) {
  Trial trial(exact, {});

  const RunSummary summary = trial.simulation.run();

  EXPECT_EQ(trial.rungs(), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(summary.redone, Redone{});
  EXPECT_EQ(trial.simulation.checkpoint().memory.at("counts"), (Vec(2) << 3.0, 0.0).finished());
}

TEST(Guard, TheFirstRungIsTheMethodWithTheProjectedTangent) {
  const auto needs_projection = [](double dt, Definiteness definiteness, const State& now,
                                   State& next) {
    return definiteness == Definiteness::psd_clamp ? exact(dt, definiteness, now, next)
                                                   : StepStatus::linear_solve_failed;
  };
  Trial trial(needs_projection, {});

  const RunSummary summary = trial.simulation.run();

  EXPECT_EQ(trial.rungs(), (std::vector<int>{1, 1, 1})) << "every step begins with the exact one";
  EXPECT_EQ(summary.redone, Redone{.projected = steps});
  EXPECT_EQ(trial.diary.reports[0].profile.counts.force, 200) << "what both attempts cost";
  EXPECT_EQ(trial.simulation.checkpoint().memory.at("counts"), (Vec(2) << 3.0, 0.0).finished())
      << "these steps are the method's own";
}

TEST(Guard, TheFirstRungIsLeftOutWhereItWouldChangeNothing) {
  std::vector<Definiteness> asked;
  const auto listens = [&](double, Definiteness definiteness, const State&, State&) {
    asked.push_back(definiteness);
    return StepStatus::linear_solve_failed;
  };
  const auto tried = [&](const Spring::Constants& constants, const Rungs& ladder,
                         Definiteness own) {
    asked.clear();
    auto method = std::make_unique<Puppet>(listens);
    method->set_definiteness(own);
    Trial(std::move(method), constants, ladder).simulation.run();
    return asked.size();
  };

  EXPECT_EQ(tried({}, all_rungs, Definiteness::exact), 2u * steps);
  EXPECT_EQ(tried({}, all_rungs, Definiteness::psd_abs), 1u * steps);
  EXPECT_EQ(tried({.can_project = false}, all_rungs, Definiteness::exact), 1u * steps);
  EXPECT_EQ(tried({}, {Rung::linear, Rung::nonlinear}, Definiteness::exact), 1u * steps);
}

TEST(Guard, TheSecondRungIsSiWithTheProjectedTangent) {
  // the tangent is negative where |q| < 0.58, and si with it would be another step
  const Spring::Constants constants{.k = -1.0, .cubic = 1.0};
  Trial trial(fails, constants, all_rungs, start(0.1, 0.2), {.dt = 0.1, .end = 0.1});
  const Spring spring(constants);
  State expected = start(0.1, 0.2);
  const auto si = integrators::make_integrator("si");
  si->set_definiteness(Definiteness::psd_clamp);
  const auto workspace = spring.make_workspace();
  ASSERT_EQ(si->step(spring, *workspace, 0.1, expected).status, StepStatus::accepted);

  const RunSummary summary = trial.simulation.run();

  EXPECT_EQ(trial.rungs(), std::vector<int>{2});
  EXPECT_EQ(summary.redone, Redone{.linear = 1});
  EXPECT_TRUE(trial.simulation.state() == expected);
  EXPECT_EQ(trial.diary.reports[0].projected, 1);
  EXPECT_EQ(trial.simulation.checkpoint().memory.at("counts"), (Vec(2) << 0.0, 1.0).finished())
      << "the method hears of a step that another one made";
}

TEST(Guard, TheThirdRungIsBe) {
  // At q = 0 the spring has no stiffness and the linearised mass flies on, to where its energy is
  // 1/4 0.1^4 1e6 = 25 J instead of 1/2; Newton's method looks where the step goes.
  Trial trial(integrators::make_integrator("si"), {.k = 0.0, .cubic = 1e6},
              {Rung::projected, Rung::nonlinear}, start(0.0, 1.0), {.dt = 0.1, .end = 0.1});

  const RunSummary summary = trial.simulation.run();

  EXPECT_EQ(trial.rungs(), std::vector<int>{3});
  EXPECT_EQ(summary.redone, Redone{.nonlinear = 1});
  EXPECT_LT(trial.simulation.ledger().record().total, 0.5);
}

TEST(Guard, SiAndBeComeInThisOrder) {
  Trial both(fails, {.k = 0.0, .cubic = 1e6}, all_rungs, start(0.0, 1.0), {.dt = 0.1, .end = 0.1});
  Trial soft(fails, {}, all_rungs, start(), {.dt = 0.1, .end = 0.1});

  both.simulation.run();
  soft.simulation.run();

  EXPECT_EQ(both.rungs(), std::vector<int>{3});
  EXPECT_EQ(soft.rungs(), std::vector<int>{2});
}

TEST(Guard, WhatNoRungCanDoIsHalvedAndBeginsAtTheTopAgain) {
  const auto only_short = [](double dt, Definiteness definiteness, const State& now, State& next) {
    return dt > 0.06 ? StepStatus::phi_not_converged : exact(dt, definiteness, now, next);
  };
  Trial trial(only_short, {}, {Rung::projected}, start(),
              {.dt = 0.1, .end = 0.1, .max_halvings = 1});

  const RunSummary summary = trial.simulation.run();

  EXPECT_EQ(summary.reason, StopReason::reached_end);
  EXPECT_EQ(trial.rungs(), (std::vector<int>{4, 0, 0}));
  EXPECT_EQ(trial.diary.reports[0].status, StepStatus::phi_not_converged);
  EXPECT_EQ(summary.rejected_steps, 1);
  EXPECT_EQ(summary.redone.total(), 0);
}

TEST(Guard, ARunThatNoRungCanContinueFailsWithTheStateItHad) {
  Trial trial(scaled(2.0), {}, {Rung::projected});

  const RunSummary summary = trial.simulation.run();

  EXPECT_EQ(summary.reason, StopReason::failed);
  EXPECT_EQ(summary.last_failure, StepStatus::energy_rose);
  EXPECT_TRUE(trial.simulation.state() == start());
  EXPECT_EQ(trial.simulation.checkpoint().memory.at("counts"), Vec::Zero(2))
      << "refused steps leave no trace";
}

TEST(Guard, WithoutOneStepsThatMakeEnergyCount) {
  Trial trial(scaled(2.0), {}, all_rungs, start(), {.dt = 0.1, .end = 0.3, .max_halvings = 0},
              false);

  const RunSummary summary = trial.simulation.run();

  EXPECT_EQ(summary.reason, StopReason::reached_end);
  EXPECT_EQ(trial.rungs(), (std::vector<int>{0, 0, 0}));
  EXPECT_GT(trial.simulation.ledger().record().total, 2.0 * 2.5);
}

// ---- what is refused ---------------------------------------------------------------------------

TEST(Guard, EnergyMayRiseByAThousandthPerStep) {
  // all of the energy is kinetic at q = 0, so factors of the velocity are known factors of it
  const auto rung_of = [](double gain, double weight) {
    const double factor = std::sqrt(1.0 + gain);
    const auto jumps = [factor](double, Definiteness, const State& now, State& next) {
      next.v = factor * now.v;
      return StepStatus::accepted;
    };
    Trial trial(jumps, {.weight = weight}, {Rung::linear, Rung::nonlinear}, start(0.0, 1.0),
                {.dt = 0.1, .end = 0.1});
    trial.simulation.run();
    return trial.rungs().at(0);
  };

  EXPECT_EQ(rung_of(-0.5, 0.0), 0) << "losses are the method's own business";
  EXPECT_EQ(rung_of(0.9e-3, 0.0), 0);
  EXPECT_EQ(rung_of(1.1e-3, 0.0), 2);
}

TEST(Guard, TheZeroOfGravityMeansNothing) {
  // 1 J more than there was, high above the ground
  const auto jumps = [](double, Definiteness, const State& now, State& next) {
    next.v[0] = std::sqrt(now.v[0] * now.v[0] + 2.0);
    return StepStatus::accepted;
  };
  Trial trial(jumps, {.k = 0.0, .weight = 10.0}, all_rungs, start(1e5, 5.0),
              {.dt = 0.1, .end = 0.1});

  trial.simulation.run();

  EXPECT_EQ(trial.rungs(), std::vector<int>{2});
}

TEST(Guard, InvertedElementsAreRefusedUnlessTheyWereInvertedBefore) {
  Trial into(exact, {.can_invert = true}, {Rung::projected}, start(0.1, -2.0));
  Trial within(exact, {.can_invert = true}, all_rungs, start(-1.0, 0.0));

  const RunSummary refused = into.simulation.run();
  within.simulation.run();

  EXPECT_EQ(refused.last_failure, StepStatus::elements_inverted);
  EXPECT_EQ(within.rungs(), (std::vector<int>{0, 0, 0}));
}

TEST(Guard, WhatInvertsUnderBackwardEulerMayInvert) {
  Trial into(exact, {.can_invert = true}, all_rungs, start(0.1, -2.0));

  const RunSummary summary = into.simulation.run();

  EXPECT_EQ(summary.reason, StopReason::reached_end);
  EXPECT_GT(summary.redone.nonlinear, 0);
}

TEST(Guard, AnEnergyThatIsNotFiniteIsRefusedAndTheMemoryKept) {
  // finite itself, but not its square
  const auto flies_off = [](double, Definiteness, const State&, State& next) {
    next.q[0] = 1e200;
    return StepStatus::accepted;
  };
  for (const bool guarded : {false, true}) {
    Trial trial(flies_off, {}, {Rung::projected}, start(),
                {.dt = 0.1, .end = 0.1, .max_halvings = 0}, guarded);

    const RunSummary summary = trial.simulation.run();

    EXPECT_EQ(summary.last_failure, StepStatus::energy_not_finite);
    EXPECT_TRUE(trial.simulation.state() == start());
    EXPECT_EQ(trial.simulation.checkpoint().memory.at("counts"), Vec::Zero(2));
    EXPECT_EQ(trial.simulation.ledger().record().total, 2.5) << "of the start";
  }
}

// ---- what is not
// ---------------------------------------------------------------------------------

TEST(Guard, WorkFromOutsideIsNoGain) {
  const auto pulse = [](double t) { return t > 0.245 && t < 0.545 ? 40.0 : 0.0; };
  const auto swell = [](double t) { return 30.0 * std::sin(3.0 * t); };
  struct Case {
    Spring::Constants constants;
    double q, v;
  };
  const std::vector<Case> cases{
      {{.weight = 10.0}, 0.0, 0.0},  // let go
      {{.load = pulse}, 0.0, 0.0},
      {{.load = pulse}, 1.0, 1.0},  // while it moves
      {{.damping = 1.0, .weight = 10.0, .load = swell}, 0.0, 0.0},
      {{.k = 1e6, .damping = 1e3}, 0.0, 1.0},  // stopped at once
      {{.damping = 200.0, .load = swell}, 0.0, 1.0},
  };
  for (std::size_t k = 0; k < cases.size(); ++k)
    for (const char* name : {"si", "ssdirk2", "ere"}) {
      Trial trial(integrators::make_integrator(name), cases[k].constants, all_rungs,
                  start(cases[k].q, cases[k].v), {.dt = 0.01, .end = 1.0});

      const RunSummary summary = trial.simulation.run();

      EXPECT_EQ(summary.redone.total() + summary.rejected_steps, 0) << name << ", case " << k;
    }
}

// ---- books and memory
// ----------------------------------------------------------------------------

TEST(Guard, ProposedStepsLeaveTheMemoryBitForBit) {
  const Spring spring({.cubic = 3.0});
  const auto workspace = spring.make_workspace();
  int tested = 0;
  for (const integrators::IntegratorEntry& entry : integrators::integrators()) {
    // what others remember is a cache, which may be lost but not be wrong: the property tests see
    if (!entry.traits.multistep) continue;
    ++tested;
    const std::string_view name = entry.traits.name;
    const auto method = integrators::make_integrator(name);
    State state = start();
    for (int k = 0; k < 3; ++k)
      ASSERT_EQ(method->step(spring, *workspace, 0.1, state).status, StepStatus::accepted);
    const State before = state;
    const integrators::Memory memory = method->memory();

    EXPECT_EQ(method->propose(spring, *workspace, 0.2, state).status, StepStatus::accepted);

    EXPECT_NE(method->proposed(), before) << name;
    EXPECT_TRUE(state == before) << name;
    EXPECT_EQ(method->memory(), memory) << name;
  }
  EXPECT_GE(tested, 4);
}

TEST(Guard, TheBooksAreThoseOfTheStepThatWasAccepted) {
  // each step is tried twice; the first try has twice the speed
  const auto improves = [](double dt, Definiteness definiteness, const State& now, State& next) {
    return scaled(definiteness == Definiteness::exact ? 2.0 : 1.0)(dt, definiteness, now, next);
  };
  Trial guarded(improves, {}), plain(exact, {});

  guarded.simulation.run();
  plain.simulation.run();

  EXPECT_EQ(guarded.rungs(), (std::vector<int>{1, 1, 1}));
  EXPECT_EQ(guarded.simulation.ledger().save(), plain.simulation.ledger().save());
}

TEST(Guard, WorksWhereStepsAreChosenByTheirError) {
  // si alone would run away: -q + q^3 has a negative tangent in the middle
  const SimulationSettings settings{
      .dt = 0.5, .end = 5.0, .error = {.tolerance = 1e-3, .dt_min = 1e-6, .order = 1}};
  Trial trial(integrators::make_integrator("si"), {.k = -4.0, .cubic = 400.0},
              {Rung::projected, Rung::nonlinear}, start(0.0, 1.0), settings);

  const RunSummary summary = trial.simulation.run();

  EXPECT_EQ(summary.reason, StopReason::reached_end);
  long accepted = 0, redone = 0;
  for (const auto& report : trial.diary.reports) {
    if (report.status != StepStatus::accepted) continue;
    ++accepted;
    if (report.rung != Rung::as_asked) ++redone;
  }
  EXPECT_EQ(accepted, summary.accepted_steps);
  EXPECT_EQ(redone, summary.redone.total());
  const EnergyRecord& record = trial.simulation.ledger().record();
  EnergyLedger fresh(trial.simulation.system(), la::serial_reducer());
  const auto workspace = trial.simulation.system().make_workspace();
  fresh.open(trial.simulation.system(), trial.simulation.state(), *workspace);
  EXPECT_EQ(record.total, fresh.record().total) << "the books are those of the state";
  EXPECT_NEAR(record.numerical_loss, 0.5 - record.total, 1e-14);
}

TEST(Guard, CountsGoOnAfterAnInterruption) {
  Trial whole(fails, {}), first(fails, {}), second(fails, {});
  whole.simulation.run();
  first.simulation.set_stop([&] { return first.diary.reports.size() == 2; });
  first.simulation.run();
  second.simulation.resume(first.simulation.checkpoint());

  const RunSummary summary = second.simulation.run();

  EXPECT_EQ(summary.redone, Redone{.linear = steps});
  EXPECT_TRUE(second.simulation.state() == whole.simulation.state());
}

}  // namespace
}  // namespace sinew::sim
