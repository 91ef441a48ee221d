// SPDX-License-Identifier: Apache-2.0
// What the waist must carry: one toy, a row of masses on a line, uses every optional capability of
// DynamicalSystem, and methods and the simulation meet each of them through the waist alone.
#include <algorithm>
#include <limits>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <sinew/dynamics/capabilities/energy_accounts.hpp>
#include <sinew/dynamics/capabilities/health.hpp>
#include <sinew/dynamics/capabilities/material_frame.hpp>
#include <sinew/dynamics/capabilities/split.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/la/diagonal_operator.hpp>
#include <sinew/la/restricted_operator.hpp>
#include <sinew/sim/simulation.hpp>

namespace sinew {
namespace {

using dynamics::State;
using dynamics::Workspace;

struct LineOptions {
  int masses = 4;
  double stiffness = 100.0;
  double stiff_end = 0.0;     ///< stiffness of the last spring, when not zero
  double yield = 0.0;         ///< springs stretched further flow plastically; 0: never
  double contact = 0.0;       ///< masses closer than this push each other apart; 0: never
  double barrier_wall = 0.0;  ///< the first mass must stay above -barrier_wall; 0: no wall
  double hand_speed = 0.0;    ///< a hand at the left end moves with sin(speed t)
  double softening = 0.0;     ///< quartic softening: negative curvature beyond a stretch
};

/// Unit masses q_0 .. q_n-1 at rest at 1, 2, ..., joined by springs of rest length 1 + plastic part
/// (internal variables), the first one held by a hand at 0 when `hand_speed` is not zero.
class Line final : public dynamics::DynamicalSystem,
                   public dynamics::EnergyAccounts,
                   public dynamics::MaterialFrame,
                   public dynamics::Health,
                   public dynamics::Split {
 public:
  explicit Line(const LineOptions& options) : options_(options), mass_(Vec::Ones(options.masses)) {
    std::vector<std::pair<int, int>> chain;
    for (int i = 0; i + 1 < options.masses; ++i) chain.emplace_back(i, i + 1);
    plain_ = la::BlockPattern::build(options.masses, 1, chain);
    for (int i = 0; i + 2 < options.masses; ++i) chain.emplace_back(i, i + 2);
    touching_ = la::BlockPattern::build(options.masses, 1, chain);
  }

  Index num_dofs() const override { return options_.masses; }
  const la::LinearOperator& mass() const override { return mass_; }
  const la::LinearOperator& mass_inverse() const override { return mass_; }

  State rest() const {
    State state;
    state.q = Vec::LinSpaced(num_dofs(), 1.0, static_cast<double>(num_dofs()));
    state.v.setZero(num_dofs());
    state.internal.setZero(num_dofs() + 1);  // plastic stretch of each spring, energy lost to it
    return state;
  }

  double potential(const State& s, Workspace&) const override {
    double W = 0.0;
    for_each_spring(s, [&](int, int, double k, double e) {
      W += 0.5 * k * e * e - 0.25 * options_.softening * e * e * e * e;
    });
    for_each_contact(s, [&](int, int, double depth) { W += 0.5 * contact_k * depth * depth; });
    if (options_.barrier_wall > 0.0) {
      const double gap = s.q[0] + options_.barrier_wall;
      if (gap <= 0.0) return std::numeric_limits<double>::infinity();
      W -= 1e-3 * std::log(gap);
    }
    return W;
  }

  void force(const State& s, Workspace&, VecOut f) const override {
    times_asked.push_back(s.t);
    f.setZero();
    for_each_spring(s, [&](int a, int b, double k, double e) {
      const double pull = k * e - options_.softening * e * e * e;
      if (a >= 0) f[a] += pull;
      f[b] -= pull;
    });
    for_each_contact(s, [&](int a, int b, double depth) {
      f[a] -= contact_k * depth;
      f[b] += contact_k * depth;
    });
    if (options_.barrier_wall > 0.0) f[0] += 1e-3 / (s.q[0] + options_.barrier_wall);
  }

  // ---- optional capabilities -------------------------------------------------------------

  dynamics::ForceTraits traits() const override {
    return {.form = dynamics::ForceForm::potential_and_dissipation,
            .depends_on_time = options_.hand_speed != 0.0};
  }
  dynamics::Capabilities capabilities() const override {
    return {.accounts = this, .frame = this, .health = this, .split = this};
  }
  void rest_positions(VecOut q) const override { q = rest().q; }

  void end_step(const State&, State& after, Workspace&) const override {
    if (options_.yield == 0.0) return;
    for_each_spring(after, [&](int, int b, double k, double e) {
      if (std::abs(e) <= options_.yield) return;
      // flow back to the yield surface; the spring's memory is the internal variable of its end
      after.internal[b] += e - std::copysign(options_.yield, e);
      after.internal[num_dofs()] += 0.5 * k * (e * e - options_.yield * options_.yield);
    });
  }

  double max_step(const State& from, const State& to, Workspace&) const override {
    if (options_.barrier_wall == 0.0 || to.q[0] > -options_.barrier_wall) return 1.0;
    return 0.9 * (from.q[0] + options_.barrier_wall) / (from.q[0] - to.q[0]);
  }

  dynamics::Admissibility admissibility(const State& s, Workspace&) const override {
    dynamics::Admissibility result;
    for (int i = 0; i + 1 < options_.masses; ++i) {
      if (s.q[i + 1] < s.q[i]) ++result.inverted_elements;
      result.min_distance = std::min(result.min_distance, s.q[i + 1] - s.q[i]);
    }
    for_each_contact(s, [&](int, int, double) { ++result.contacts; });
    return result;
  }

  bool node_rotations(const State& s, Workspace&, std::vector<Mat3>& rotations,
                      dynamics::NodeRotations) const override {
    rotations.assign(1, Eigen::AngleAxisd(s.q[0], Vec3::UnitZ()).toRotationMatrix());
    return true;
  }

  Mat rigid_modes(const State&) const override {
    return traits().depends_on_time ? Mat(num_dofs(), 0) : Mat(Mat::Ones(num_dofs(), 1));
  }

  void partition(const State&, const dynamics::PartitionWish& wish, Workspace&,
                 dynamics::Partition& split) const override {
    split = {};
    for (int i = 0; i < options_.masses; ++i) {
      double k = 0.0;
      for (int spring = i; spring <= i + 1; ++spring)
        if (spring >= 1 && spring < options_.masses) k = std::max(k, spring_stiffness(spring));
      const bool stable = wish.dt * std::sqrt(4.0 * k) < 1.9;
      (stable ? split.explicit_dofs : split.implicit_dofs).push_back(i);
    }
  }

  std::vector<dynamics::LedgerEntry> ledger_entries() const override {
    return {{"elastic", dynamics::LedgerKind::stored},
            {"plastic", dynamics::LedgerKind::loss_total}};
  }
  void evaluate_ledger(const State& s, Workspace& w, std::span<double> values) const override {
    values[0] = potential(s, w);
    values[1] = s.internal[num_dofs()];
  }

  double hand(double t) const { return std::sin(options_.hand_speed * t); }

  mutable std::vector<double> times_asked;  // test probe only

 protected:
  std::shared_ptr<const la::BlockPattern> pattern(const State& s, Workspace&) const override {
    bool touching = false;
    for_each_contact(s, [&](int a, int b, double) { touching = touching || b - a == 2; });
    return touching ? touching_ : plain_;
  }

  void assemble(const State& s, const dynamics::LinearizeOptions& request, Workspace& w,
                la::SymmetricMatrix& K, la::SymmetricMatrix*, Vec* f,
                dynamics::LinearizeReport& report) const override {
    report.definiteness = request.definiteness;
    for_each_spring(s, [&](int a, int b, double k, double e) {
      const double cubic = options_.softening * e * e;
      double c = k - 3.0 * cubic;
      if (c < 0.0 && request.definiteness != dynamics::Definiteness::exact) {
        c = request.definiteness == dynamics::Definiteness::psd_clamp ? 0.0 : -c;
        ++report.projected;
      }
      if (a >= 0) {
        K.add(a, a, c);
        K.add(a, b, -c);
      }
      K.add(b, b, c);
    });
    for_each_contact(s, [&](int a, int b, double) {
      K.add(a, a, contact_k);
      K.add(b, b, contact_k);
      K.add(a, b, -contact_k);
    });
    if (options_.barrier_wall > 0.0)
      K.add(0, 0, 1e-3 / std::pow(s.q[0] + options_.barrier_wall, 2));
    if (f) force(s, w, *f);
  }

 private:
  static constexpr double contact_k = 500.0;

  double spring_stiffness(int end) const {
    return end == options_.masses - 1 && options_.stiff_end > 0.0 ? options_.stiff_end
                                                                  : options_.stiffness;
  }

  /// work(a, b, stiffness, elastic stretch); a is -1 for the spring at the hand.
  template <class Work>
  void for_each_spring(const State& s, const Work& work) const {
    for (int b = options_.hand_speed == 0.0 ? 1 : 0; b < options_.masses; ++b) {
      const double left = b == 0 ? hand(s.t) : s.q[b - 1];
      const double plastic = s.internal.size() > 0 ? s.internal[b] : 0.0;
      work(b - 1, b, spring_stiffness(b), s.q[b] - left - 1.0 - plastic);
    }
  }

  /// work(a, b, depth) for every pair that is not joined by a spring and too close.
  template <class Work>
  void for_each_contact(const State& s, const Work& work) const {
    if (options_.contact == 0.0) return;
    for (int a = 0; a + 2 < options_.masses; ++a) {
      const double depth = options_.contact - (s.q[a + 2] - s.q[a]);
      if (depth > 0.0) work(a, a + 2, depth);
    }
  }

  LineOptions options_;
  la::DiagonalOperator mass_;
  std::shared_ptr<const la::BlockPattern> plain_, touching_;
};

TEST(Waist, InternalVariablesFlowWithAcceptedStepsAndAreRolledBackWithTheState) {
  const Line line({.yield = 0.05});
  const auto workspace = line.make_workspace();
  for (const std::string& name : integrators::integrator_names()) {
    State state = line.rest();
    state.v[3] = 2.0;
    const auto method = integrators::make_integrator(name);
    for (int k = 0; k < 20; ++k)
      ASSERT_EQ(method->step(line, *workspace, 0.02, state).status,
                integrators::StepStatus::accepted);
    EXPECT_GT(state.internal.lpNorm<1>(), 0.01) << name;

    State broken = state;
    broken.v[0] = std::numeric_limits<double>::quiet_NaN();
    const Vec internal_before = broken.internal;
    EXPECT_NE(method->step(line, *workspace, 0.02, broken).status,
              integrators::StepStatus::accepted);
    EXPECT_EQ(broken.internal, internal_before);
  }
}

TEST(Waist, APatternThatChangesIsAnalysedAgainAndNeverMissed) {
  const Line line({.masses = 3, .stiffness = 50.0, .contact = 1.8});
  const auto workspace = line.make_workspace();
  const auto method = integrators::make_integrator("si");
  State state = line.rest();
  state.v << 3.0, 0.0, -3.0;  // the outer masses run into each other and bounce
  long analyses = 0, factorizations = 0;
  double nearest = 10.0;

  for (int k = 0; k < 100; ++k) {
    const auto report = method->step(line, *workspace, 0.01, state);
    ASSERT_EQ(report.status, integrators::StepStatus::accepted);
    analyses += report.profile.counts.analyses;
    factorizations += report.profile.counts.factorizations;
    nearest = std::min(nearest, state.q[2] - state.q[0]);
  }

  EXPECT_LT(nearest, 1.8);
  EXPECT_GE(analyses, 3);  // apart, touching, apart again
  EXPECT_LT(analyses, 12);
  EXPECT_EQ(factorizations, 100);
}

TEST(Waist, SecantStiffnessReproducesTheForceAndTheTangentItsDerivative) {
  const Line line({.softening = 30.0});
  const auto workspace = line.make_workspace();
  const auto linearization = line.make_linearization();
  State state = line.rest();
  state.q += Vec{{0.1, -0.2, 0.3, 0.05}};
  Vec f(4), product(4);
  line.force(state, *workspace, f);

  line.linearize(state, {.stiffness = dynamics::Stiffness::secant}, *workspace, *linearization);
  linearization->stiffness().apply(state.q - line.rest().q, product);

  EXPECT_EQ(linearization->report.stiffness, dynamics::Stiffness::secant);
  EXPECT_LT((product + f).norm(), 1e-12);
}

TEST(Waist, TheDefinitenessPolicyIsPartOfTheRequestAndItsEffectIsReported) {
  const Line line({.softening = 200.0});
  const auto workspace = line.make_workspace();
  const auto linearization = line.make_linearization();
  State state = line.rest();
  state.q[3] += 0.6;  // beyond the inflection of the last spring
  const Vec x = Vec::Unit(4, 3) - Vec::Unit(4, 2);
  Vec y(4);
  const auto curvature = [&](dynamics::Definiteness policy) {
    line.linearize(state, {.definiteness = policy}, *workspace, *linearization);
    linearization->stiffness().apply(x, y);
    return x.dot(y);
  };

  const double exact = curvature(dynamics::Definiteness::exact);
  EXPECT_EQ(linearization->report.projected, 0);
  const double clamped = curvature(dynamics::Definiteness::psd_clamp);
  EXPECT_EQ(linearization->report.projected, 1);
  const double absolute = curvature(dynamics::Definiteness::psd_abs);

  EXPECT_LT(exact, -100.0);
  EXPECT_GT(clamped, exact);
  EXPECT_GT(absolute, 100.0);
}

TEST(Waist, EveryStageTimeCanBeAskedForAndMovedPartsFollowIt) {
  const Line line({.hand_speed = 2.0});
  const auto workspace = line.make_workspace();
  State state = line.rest();
  state.t = 0.4;
  const auto method = integrators::make_integrator("rk4");

  line.times_asked.clear();
  ASSERT_EQ(method->step(line, *workspace, 0.1, state).status, integrators::StepStatus::accepted);

  ASSERT_EQ(line.times_asked.size(), 4u);
  EXPECT_DOUBLE_EQ(line.times_asked[0], 0.4);
  EXPECT_DOUBLE_EQ(line.times_asked[1], 0.45);
  EXPECT_DOUBLE_EQ(line.times_asked[3], 0.5);
}

TEST(Waist, TheRateOfTheForceIsItsMeanChangeOverTheStep) {
  const Line line({.stiffness = 100.0, .hand_speed = 2.0});
  const auto workspace = line.make_workspace();
  State state = line.rest();
  Vec rate(4);

  line.force_rate(state, 0.1, *workspace, rate);

  // only the first spring feels the hand
  EXPECT_NEAR(rate[0], 100.0 * (line.hand(0.1) - line.hand(0.0)) / 0.1, 1e-9);
  EXPECT_EQ(rate.tail(3), Vec::Zero(3));
}

TEST(Waist, RigidModesCostNoEnergyAndAreAbsentWhereTheBodyIsHeld) {
  const Line free_line({});
  const auto workspace = free_line.make_workspace();
  const auto linearization = free_line.make_linearization();
  const State state = free_line.rest();
  Vec y(4);

  free_line.linearize(state, {}, *workspace, *linearization);
  linearization->stiffness().apply(free_line.rigid_modes(state).col(0), y);

  EXPECT_LT(y.norm(), 1e-12);
  EXPECT_EQ(Line({.hand_speed = 1.0}).rigid_modes(state).cols(), 0);
}

TEST(Waist, BackwardEulerStaysAdmissible) {
  const Line line({.stiffness = 10.0, .barrier_wall = 1.0});
  const auto workspace = line.make_workspace();
  const auto method = integrators::make_integrator("be");
  State state = line.rest();
  state.v.setConstant(-8.0);  // the whole row flies into the wall
  double lowest = 10.0;

  for (int k = 0; k < 60; ++k) {
    ASSERT_EQ(method->step(line, *workspace, 0.05, state).status,
              integrators::StepStatus::accepted);
    lowest = std::min(lowest, state.q[0]);
  }

  EXPECT_GT(lowest, -1.0);
  EXPECT_LT(lowest, -0.9);  // it did come close
}

TEST(Waist, NodeRotationsAreOffered) {
  const Line line({});
  const auto workspace = line.make_workspace();
  std::vector<Mat3> rotations;

  ASSERT_TRUE(line.node_rotations(line.rest(), *workspace, rotations,
                                  dynamics::NodeRotations::neighbourhood));

  EXPECT_LT((rotations[0].transpose() * rotations[0] - Mat3::Identity()).norm(), 1e-14);
}

/// Element-wise implicit-explicit Euler as a user of the waist would write it: partition and
/// partial operators are all it gets.
class ToyImex final : public integrators::Integrator {
 public:
  explicit ToyImex(const integrators::Services& services) : Integrator(services) {}

 private:
  integrators::StepStatus do_step(integrators::StepContext& step, const State& now,
                                  State& next) override {
    const double h = step.dt;
    dynamics::Partition split;
    if (!step.partition(now, {.dt = step.dt}, split))
      return integrators::StepStatus::linear_solve_failed;
    const auto linearization = step.system().make_linearization();
    Vec f(now.q.size());
    step.linearize(now, *linearization, &f);
    for (const Index i : split.explicit_dofs) {
      next.v[i] = now.v[i] + h * f[i];  // unit masses
      next.q[i] = now.q[i] + h * next.v[i];
    }
    // (I + h^2 K_II) dv_I = h f_I - h K_IE (q_E' - q_E) - h^2 K_II v_I, by CG on the block
    const auto& I = split.implicit_dofs;
    const auto& E = split.explicit_dofs;
    la::RestrictedOperator K_II(linearization->stiffness(), I, I);
    la::RestrictedOperator K_IE(linearization->stiffness(), I, E);
    const Index n = static_cast<Index>(I.size());
    Vec moved(static_cast<Index>(E.size())), coupling(n), vI(n), Kv(n), b(n), x = Vec::Zero(n);
    for (std::size_t k = 0; k < E.size(); ++k)
      moved[static_cast<Index>(k)] = next.q[E[k]] - now.q[E[k]];
    for (Index k = 0; k < n; ++k) vI[k] = now.v[I[static_cast<std::size_t>(k)]];
    K_IE.apply(moved, coupling);
    K_II.apply(vI, Kv);
    for (Index k = 0; k < n; ++k) b[k] = h * f[I[static_cast<std::size_t>(k)]];
    b -= h * coupling + h * h * Kv;
    Vec r = b, p = b, Ap(n);
    for (Index k = 0; k < 2 * n && r.norm() > 1e-14; ++k) {
      K_II.apply(p, Ap);
      Ap = p + h * h * Ap;
      const double rr = r.squaredNorm(), alpha = rr / p.dot(Ap);
      x += alpha * p;
      r -= alpha * Ap;
      p = r + r.squaredNorm() / rr * p;
    }
    for (Index k = 0; k < n; ++k) {
      const Index i = I[static_cast<std::size_t>(k)];
      next.v[i] = now.v[i] + x[k];
      next.q[i] = now.q[i] + h * next.v[i];
    }
    return integrators::StepStatus::accepted;
  }
};

TEST(Waist, PartitionAndPartialOperatorsCarryAnImplicitExplicitMethod) {
  const Line line({.masses = 6, .stiffness = 100.0, .stiff_end = 1e6});
  const auto workspace = line.make_workspace();
  ToyImex imex(integrators::default_services());
  const auto explicit_method = integrators::make_integrator("symplectic-euler");
  State with_imex = line.rest();
  with_imex.v << 0.1, -0.1, 0.2, 0.0, -0.1, 0.1;
  State with_explicit = with_imex;
  dynamics::Partition split;
  line.partition(with_imex, {.dt = 0.01}, *workspace, split);
  ASSERT_EQ(split.implicit_dofs, (std::vector<Index>{4, 5}));

  // the stiff spring allows an explicit step of 0.0014 at most
  bool explicit_failed = false;
  for (int k = 0; k < 500; ++k) {
    ASSERT_EQ(imex.step(line, *workspace, 0.01, with_imex).status,
              integrators::StepStatus::accepted);
    const auto report = explicit_method->step(line, *workspace, 0.01, with_explicit);
    explicit_failed = explicit_failed || report.status != integrators::StepStatus::accepted;
  }

  EXPECT_LT(with_imex.v.lpNorm<Eigen::Infinity>(), 1.0);
  EXPECT_TRUE(explicit_failed);
}

/// Cuts the last mass off at a given time.
class CutLastMass final : public sim::EditSource {
 public:
  explicit CutLastMass(double time) : time_(time) {}
  double next_time(double t) const override {
    return !done_ && time_ > t ? time_ : std::numeric_limits<double>::infinity();
  }
  sim::Edit apply(const dynamics::DynamicalSystem& system, const State& state, double) override {
    done_ = true;
    const int n = static_cast<int>(system.num_dofs()) - 1;
    sim::Edit edit;
    edit.system = std::make_unique<Line>(LineOptions{.masses = n});
    edit.state = state;
    edit.state.q.conservativeResize(n);
    edit.state.v.conservativeResize(n);
    edit.state.internal.conservativeResize(n + 1);
    for (Index i = 0; i < n; ++i) edit.map.source.push_back(i);
    masses_ = n;
    return edit;
  }
  std::string description() const override { return std::to_string(masses_); }
  std::unique_ptr<dynamics::DynamicalSystem> restore(const std::string& description) override {
    done_ = true;
    masses_ = std::stoi(description);
    return std::make_unique<Line>(LineOptions{.masses = masses_});
  }

 private:
  int masses_ = 0;
  double time_;
  bool done_ = false;
};

struct Watcher final : sim::Observer {
  void on_edit(const sim::FrameView& view, bool) override {
    edit_times.push_back(view.state.t);
    sizes.push_back(view.system.num_dofs());
  }
  void on_step(const sim::FrameView&, const sim::StepRecord& record) override {
    min_distance = std::min(min_distance, record.admissibility.min_distance);
    step_ends.push_back(record.t);
  }
  std::vector<double> edit_times, step_ends;
  std::vector<Index> sizes;
  double min_distance = 10.0;
};

TEST(Waist, ScheduledEditsExchangeTheSystemAndEveryMethodGoesOn) {
  for (const std::string& name : integrators::integrator_names()) {
    auto line = std::make_unique<Line>(LineOptions{});
    State state = line->rest();
    state.v << 0.5, -0.5, 0.5, -0.5;
    sim::Simulation simulation(std::move(line), state, integrators::make_integrator(name),
                               {.dt = 0.02, .end = 0.2, .fps = 0});
    simulation.set_edits(std::make_unique<CutLastMass>(0.07));  // between two grid points
    Watcher watcher;
    simulation.add_observer(watcher);

    const sim::RunSummary summary = simulation.run();

    EXPECT_EQ(summary.reason, sim::StopReason::reached_end) << name;
    ASSERT_EQ(watcher.edit_times.size(), 1u) << name;
    EXPECT_NEAR(watcher.edit_times[0], 0.07, 1e-12);
    EXPECT_EQ(watcher.sizes[0], 3);
    EXPECT_EQ(simulation.state().q.size(), 3);
    EXPECT_LT(watcher.min_distance, 1.0);
    EXPECT_EQ(summary.accepted_steps, 11);  // ten nominal steps, one of them cut in two by the edit
  }
}

TEST(Waist, TheLedgerNamesEveryTermAndClosesTheBalance) {
  auto line = std::make_unique<Line>(LineOptions{.yield = 0.02});
  State state = line->rest();
  state.v << 0.0, 0.0, 0.0, 2.0;
  sim::Simulation simulation(std::move(line), state, integrators::make_integrator("rk4"),
                             {.dt = 1e-3, .end = 1.0, .fps = 0});

  static_cast<void>(simulation.run());

  const sim::EnergyLedger& ledger = simulation.ledger();
  EXPECT_EQ(ledger.stored_names(), std::vector<std::string>{"elastic"});
  EXPECT_EQ(ledger.loss_names(), std::vector<std::string>{"plastic"});
  EXPECT_GT(ledger.record().lost[0], 0.5);
  // what remains is the error of the method at h omega = 0.02
  EXPECT_LT(std::abs(ledger.record().numerical_loss), 1e-6 * ledger.initial_energy());
  const double sum = ledger.record().total + ledger.record().lost[0] +
                     ledger.record().numerical_loss - ledger.record().external_work;
  EXPECT_NEAR(sum, ledger.initial_energy(), 1e-12);
}

}  // namespace
}  // namespace sinew
