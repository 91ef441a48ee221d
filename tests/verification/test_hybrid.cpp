// SPDX-License-Identifier: Apache-2.0
// The hybrid methods against dense oracles, closed forms and each other.
#include <cmath>
#include <complex>
#include <cstdio>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <sinew/la/phi/stumpff.hpp>

#include "dense_hybrid.hpp"

namespace sinew::integrators {
namespace {

using namespace hybrids;

// ---- siere
// ---------------------------------------------------------------------------------------

struct SiereCase {
  const char* name;
  const char* material;
  double young, damping_mass, damping_stiffness;
};

class SiereForms : public testing::TestWithParam<SiereCase> {};

TEST_P(SiereForms, CollapsedReferenceAndDenseAgree) {
  // with the linear material damping and step have the same K
  const physics::TermSystem body(
      physics::to_terms(bar_spec({.cells = {6, 2, 2},
                                  .material = GetParam().material,
                                  .young = GetParam().young,
                                  .damping_mass = GetParam().damping_mass,
                                  .damping_stiffness = GetParam().damping_stiffness,
                                  .clamped = true})));
  const State start = deformed_state(body, 2e-3, 0.5);
  const double h = 0.01;
  const Dense dense(body, start);
  for (const long s : {1, 2, 5, 10, 20, 50}) {
    const State collapsed = one_step(*make_siere(s), body, start, h);
    const State reference = one_step(*make_siere(s, "reference"), body, start, h);
    const State oracle = dense.siere(start, h, s);
    std::printf("%s, s = %2ld: h omega_s %6.3f, collapsed - reference %.1e, - dense %.1e\n",
                GetParam().name, s, h * std::sqrt(std::abs(dense.lambda[s - 1])),
                difference(collapsed, reference, start), difference(collapsed, oracle, start));
    EXPECT_LT(difference(collapsed, reference, start), 1e-8) << s;
    // rounding of the oracle itself grows with (h omega)^2
    const double fastest = h * h * dense.lambda[dense.lambda.size() - 1];
    EXPECT_LT(difference(collapsed, oracle, start), 1e-9 + 1e-13 * fastest) << s;
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, SiereForms,
                         testing::Values(SiereCase{"soft", "stable-neo-hookean", 1e5, 0, 0},
                                         SiereCase{"stiff", "stable-neo-hookean", 1e8, 0, 0},
                                         SiereCase{"rigid", "stable-neo-hookean", 1e10, 0, 0},
                                         SiereCase{"damped", "linear", 1e6, 0.5, 1e-3},
                                         SiereCase{"overdamped", "linear", 1e8, 0.5, 5e-3}),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Siere, IsSiWithoutModesAndEreWithAllOfThem) {
  const physics::TermSystem body(physics::to_terms(
      bar_spec({.cells = {3, 1, 1}, .young = 1e5, .damping_stiffness = 1e-3, .clamped = true})));
  const State start = deformed_state(body, 0.03, 0.5);
  for (const double h : {0.002, 0.02}) {
    const State si = one_step(*make("si"), body, start, h);
    const State ere = one_step(*make("ere", {{"tolerance", 1e-13}}), body, start, h);

    EXPECT_LT(difference(one_step(*make_siere(0), body, start, h), si, start), 1e-14);
    EXPECT_LT(difference(one_step(*make_siere(0, "reference"), body, start, h), si, start), 1e-13);
    // damping about the rest shape couples the modes; ere knows that coupling and siere does not
    const State all = one_step(*make_siere(body.num_dofs()), body, start, h);
    std::printf("h = %g: all modes with damping of another shape differ from ere by %.1e\n", h,
                difference(all, ere, start));
    EXPECT_LT(difference(all, ere, start), 0.05);
  }
  const physics::TermSystem plain(
      physics::to_terms(bar_spec({.cells = {3, 1, 1}, .young = 1e5, .clamped = true})));
  for (const double h : {0.002, 0.02}) {
    const State ere = one_step(*make("ere", {{"tolerance", 1e-13}}), plain, start, h);
    for (const char* name : {"siere", "ssdirk2ere", "str-sbdf2ere", "sbdf2ere"}) {
      const auto method = make(name, {{"modes", 1000L}, {"mode_tolerance", 1e-11}});
      EXPECT_LT(difference(one_step(*method, plain, start, h), ere, start), 1e-10) << name;
    }
  }
}

/// Two oscillators that know nothing of each other.
class TwoOscillators final : public dynamics::DynamicalSystem {
 public:
  TwoOscillators(double slow, double fast) : k_(2) { k_ << slow * slow, fast * fast; }
  Index num_dofs() const override { return 2; }
  const la::LinearOperator& mass() const override { return mass_; }
  const la::LinearOperator& mass_inverse() const override { return mass_; }
  double potential(const State& s, dynamics::Workspace&) const override {
    return 0.5 * s.q.dot(k_.cwiseProduct(s.q));
  }
  void force(const State& s, dynamics::Workspace&, VecOut f) const override {
    f = -k_.cwiseProduct(s.q);
  }
  dynamics::ForceTraits traits() const override {
    return {.form = dynamics::ForceForm::potential_and_dissipation};
  }
  static State displaced() {
    State state;
    state.q = state.v = Vec::Ones(2);
    return state;
  }

 protected:
  std::shared_ptr<const la::BlockPattern> pattern(const State&,
                                                  dynamics::Workspace&) const override {
    return pattern_;
  }
  void assemble(const State& s, const dynamics::LinearizeOptions&, dynamics::Workspace& w,
                la::SymmetricMatrix& K, la::SymmetricMatrix*, Vec* f,
                dynamics::LinearizeReport&) const override {
    K.add(0, 0, k_[0]);
    K.add(1, 1, k_[1]);
    if (f) force(s, w, *f);
  }

 private:
  Vec k_;
  la::DiagonalOperator mass_{Vec::Ones(2)};
  std::shared_ptr<const la::BlockPattern> pattern_ = la::BlockPattern::dense(2);
};

TEST(Siere, KeepsItsModesAndDampsTheRestAsSiDoes) {
  const TwoOscillators system(1.0, 100.0);
  const double h = 0.1;
  State state = TwoOscillators::displaced();
  const auto method = make("siere", {{"modes", 1L}});
  const auto workspace = system.make_workspace();
  for (int k = 0; k < 1000; ++k) {
    const double before = std::hypot(state.v[1], 100.0 * state.q[1]);
    ASSERT_EQ(method->step(system, *workspace, h, state).status, StepStatus::accepted);
    const double after = std::hypot(state.v[1], 100.0 * state.q[1]);
    if (k < 6) {
      EXPECT_NEAR(after / before, 0.0995037, 1e-6);
    }
  }
  EXPECT_NEAR(state.q[0], std::cos(100.0) + std::sin(100.0), 1e-11);
  EXPECT_NEAR(state.v[0], std::cos(100.0) - std::sin(100.0), 1e-11);
}

TEST(Hybrid, StepsUseExactlyTheOperationsTheyClaim) {
  const physics::TermSystem body(
      physics::to_terms(bar_spec({.cells = {8, 2, 2}, .young = 1e6, .clamped = true})));
  const auto workspace = body.make_workspace();
  struct Claim {
    const char* name;
    long forces, tangents, factorizations, extra_solves;
  };
  for (const Claim& claim : {Claim{"siere", 1, 1, 1, 1}, Claim{"sbdf2ere", 1, 1, 1, 1},
                             Claim{"ssdirk2ere", 2, 1, 1, 2}, Claim{"str-sbdf2ere", 2, 2, 2, 2}})
    for (const long s : {1L, 5L, 12L}) {
      const auto method = make(claim.name, {{"modes", s}});
      State state = deformed_state(body, 0.02, 0.5);
      // the modes of the first steps are found from nothing, and histories are empty
      for (int k = 0; k < 2; ++k)
        ASSERT_EQ(method->step(body, *workspace, 1e-3, state).status, StepStatus::accepted);
      const core::Counts counts = method->step(body, *workspace, 1e-3, state).profile.counts;
      EXPECT_EQ(counts.force, claim.forces) << claim.name;
      EXPECT_EQ(counts.tangent, claim.tangents) << claim.name;
      EXPECT_EQ(counts.factorizations, claim.factorizations) << claim.name;
      EXPECT_EQ(counts.solves, s + 3 + claim.extra_solves) << claim.name;
      EXPECT_EQ(counts.modes_iterations, 1) << claim.name;
    }
}

TEST(Siere, DoesNotSeeHowRepeatedModesAreTurned) {
  // a square cross-section bends alike about both axes; one mode of the pair is not enough, both
  // are
  physics::BodiesSpec spec;
  physics::Body body;
  body.mesh = mesh::make_bar({.size = {2, 0.3, 0.3}, .cells = {8, 2, 2}});
  // a mesh that looks the same about both axes: average with its mirror image is not needed, pairs
  // need only lie close
  body.tets.assign(body.mesh.tets.size(), {.material = physics::find_material("linear"),
                                           .moduli = physics::moduli(1e6, 0.3)});
  for (int v = 0; v < body.mesh.num_vertices(); ++v)
    if (body.mesh.vertices[v][0] < 1e-9) spec.fixed.push_back(v);
  spec.bodies.push_back(body);
  const physics::TermSystem system(physics::to_terms(spec));
  const State start = deformed_state(system, 0.01, 0.2);
  const double h = 0.01;
  StepReport report;
  const auto method = make_siere(2);
  const State next = one_step(*method, system, start, h, &report);
  const Dense dense(system, start);
  std::printf("pair of bending modes: %.6g, %.6g\n", dense.lambda[0], dense.lambda[1]);
  EXPECT_LT(dense.lambda[1] / dense.lambda[0], 1.05);
  EXPECT_LT(difference(next, dense.siere(start, h, 2), start), 1e-9);
  // turn the pair in the memory of the method: the next step must not notice
  const auto other = make_siere(2);
  Memory memory = method->memory();
  const auto same = make_siere(2);
  same->restore(memory);
  Mat shapes = memory.at("mode_shapes").reshaped(start.q.size(), 5);
  const double angle = 0.7;
  const Mat pair = shapes.leftCols(2);
  shapes.col(0) = std::cos(angle) * pair.col(0) + std::sin(angle) * pair.col(1);
  shapes.col(1) = std::cos(angle) * pair.col(1) - std::sin(angle) * pair.col(0);
  memory["mode_shapes"] = shapes.reshaped();
  other->restore(memory);
  EXPECT_LT(difference(one_step(*other, system, next, h), one_step(*same, system, next, h), next),
            1e-10);
}

TEST(Siere, MovesAFreeBodyExactlyUnderAConstantForce) {
  physics::BodiesSpec spec = bar_spec({.young = 1e5});
  spec.gravity = {0.0, 0.0, -10.0};
  const physics::TermSystem body(physics::to_terms(spec));
  State state = body.rest_state();
  for (Index i = 0; i < state.v.size(); i += 3) state.v[i] = 2.0;
  const State start = state;
  const auto method = make("siere", {{"modes", 1L}});
  const auto workspace = body.make_workspace();
  const double h = 0.01;
  for (int k = 1; k <= 20; ++k) {
    const StepReport report = method->step(body, *workspace, h, state);
    ASSERT_EQ(report.status, StepStatus::accepted);
    EXPECT_EQ(report.modes->used, 7);  // six rigid ones and one more
    const double t = k * h;
    for (Index i = 0; i < state.q.size(); i += 3) {
      EXPECT_NEAR(state.q[i], start.q[i] + 2.0 * t, 1e-11);
      EXPECT_NEAR(state.q[i + 2], start.q[i + 2] - 5.0 * t * t, 1e-11);
    }
  }
}

// ---- formulas as printed
// -------------------------------------------------------------------------

/// Growth per step of a single mode, from many steps on an oscillator with h omega = theta.
double growth(const char* name, const char* variant, double theta) {
  const dynamics::Oscillator oscillator(theta);
  const auto method = make(name, {{"modes", 1L}, {"variant", std::string(variant)}});
  const auto workspace = oscillator.make_workspace();
  State state = dynamics::Oscillator::displaced(1.0, 0.3);
  // the size of the dominating pair of complex roots from four values of a linear recursion
  const int settle = 60;
  std::vector<double> q;
  for (int k = 0; k < settle + 4; ++k) {
    EXPECT_EQ(method->step(oscillator, *workspace, 1.0, state).status, StepStatus::accepted);
    if (k >= settle) q.push_back(state.q[0]);
  }
  const double determinant = q[1] * q[1] - q[0] * q[2];
  const double product = (q[2] * q[2] - q[1] * q[3]) / determinant;  // of the two roots
  return std::sqrt(product);
}

TEST(AsPrinted, TheFormulasOfTheSurveyGrowAndTheCorrectedOnesDoNot) {
  EXPECT_NEAR(growth("sbdf2ere", "as-printed", 1.0), 1.1149965, 1e-6);
  EXPECT_NEAR(growth("sbdf2ere", "as-printed", 0.1), 1.0048, 1e-4);
  EXPECT_NEAR(growth("sbdf2ere", "as-printed", 1.5), 1.0827, 1e-4);
  EXPECT_NEAR(growth("bdf2ere", "as-printed", 1.0), 1.1149965, 1e-6);
  EXPECT_NEAR(growth("str-sbdf2ere", "as-printed", 1.0), 1.0695974, 1e-6);
  EXPECT_NEAR(growth("str-sbdf2ere", "as-printed", 0.5), 1.0199, 1e-4);
  for (const char* name : {"sbdf2ere", "bdf2ere", "str-sbdf2ere"})
    for (const double theta : {0.1, 1.0, 2.5}) {
      EXPECT_NEAR(growth(name, "decoupled", theta), 1.0, 1e-12) << name << ' ' << theta;
    }
}

TEST(AsPrinted, IsOfFirstOrder) {
  const test::CubicChain chain;
  const auto reference = make_integrator("rk4");
  const auto run = [&](Integrator& method, int steps) {
    State state = test::CubicChain::start();
    const auto workspace = chain.make_workspace();
    for (int k = 0; k < steps; ++k) {
      EXPECT_EQ(method.step(chain, *workspace, 1.0 / steps, state).status, StepStatus::accepted);
    }
    return state;
  };
  const State exact = run(*reference, 20000);
  for (const char* name : {"sbdf2ere", "str-sbdf2ere", "bdf2ere"}) {
    double error[2];
    for (int level = 0; level < 2; ++level) {
      const auto method = make(name, {{"modes", 2L}, {"variant", std::string("as-printed")}});
      const State state = run(*method, 640 << level);
      error[level] = (state.q - exact.q).norm() + (state.v - exact.v).norm();
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]), 1.0, 0.15) << name;
  }
}

// ---- shapes that are no modes
// ----------------------------------------------------------------------

TEST(Hybrid, SecondOrderDoesNotNeedGoodModes) {
  // two arbitrary shapes that are never improved: all that is left to make up for it is coupling
  const test::CubicChain chain({.dashpot = 0.8, .load = 20.0});
  const auto workspace = chain.make_workspace();
  Mat shapes(5, 2);
  shapes << 1.0, 0.2, -0.5, 1.0, 0.3, 0.7, 0.8, -0.4, 0.1, 0.6;
  const auto run = [&](Integrator& method, int steps, int* used) {
    State state = test::CubicChain::start();
    for (int k = 0; k < steps; ++k) {
      const StepReport report = method.step(chain, *workspace, 1.0 / steps, state);
      EXPECT_EQ(report.status, StepStatus::accepted);
      if (used) *used = std::min(*used, report.modes->used);
    }
    return state;
  };
  const State exact = run(*make_integrator("rk4"), 20000, nullptr);
  for (const char* name : {"sbdf2ere", "ssdirk2ere", "str-sbdf2ere", "bdf2ere", "tr-bdf2ere"}) {
    Settings settings{{"modes", 2L}, {"guard_vectors", 0L}, {"mode_iterations", 0L}};
    if (find_integrator(name)->traits.name.starts_with("bdf2") ||
        find_integrator(name)->traits.name.starts_with("tr"))
      settings.emplace_back("tolerance", 1e-13);
    double error[2];
    for (int level = 0; level < 2; ++level) {
      const auto method = make(name, settings);
      method->restore({{"mode_shapes", shapes.reshaped()}, {"mode_count", Vec::Constant(1, 2.0)}});
      int used = 2;
      const State state = run(*method, 640 << level, &used);
      EXPECT_EQ(used, 2) << name << ": the gate must let them pass here";
      error[level] = (state.q - exact.q).norm() + (state.v - exact.v).norm();
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]), 2.0, 0.1) << name;
  }
}

TEST(Hybrid, PrescribedModesAreThoseOfSiereOnLinearProblems) {
  const physics::TermSystem body(physics::to_terms(bar_spec({.cells = {6, 2, 2},
                                                             .material = "linear",
                                                             .young = 1e6,
                                                             .damping_mass = 0.5,
                                                             .damping_stiffness = 1e-3,
                                                             .clamped = true})));
  const State start = deformed_state(body, 2e-3, 0.5);
  const Settings exact{{"modes", 5L}, {"mode_tolerance", 1e-11}};
  Settings newton = exact;
  newton.emplace_back("tolerance", 1e-13);
  EXPECT_LT(difference(one_step(*make("beere", newton), body, start, 0.01),
                       one_step(*make("siere", exact), body, start, 0.01), start),
            1e-8);
  // and where tr-bdf2 is linear it does not matter how the rest is solved
  EXPECT_LT(difference(one_step(*make("tr-bdf2ere", newton), body, start, 0.01),
                       one_step(*make("str-sbdf2ere", exact), body, start, 0.01), start),
            1e-8);
}

// ---- following modes through large motion
// ------------------------------------------------------------

struct Swing {
  double tip_path = 0.0;  ///< largest distance of the tip from the path compared with
  double amplitude = 0.0;
  double lost = 0.0;  ///< energy
  int refused = 0, first_refused = -1;
  std::vector<Vec3> tip;
};

/// A soft cantilever falls under its weight and swings through large angles.
Swing swing(Integrator& method, int steps, const std::vector<Vec3>* compare = nullptr) {
  physics::BodiesSpec spec =
      bar_spec({.size = {4, 0.5, 0.5}, .cells = {16, 2, 2}, .young = 1e6, .clamped = true});
  spec.gravity = {0, 0, -9.81};
  const physics::TermSystem body(physics::to_terms(spec));
  const auto workspace = body.make_workspace();
  State state = body.rest_state();
  Index tip = 0;
  for (Index i = 0; i < state.q.size(); i += 3)
    if (state.q.segment<3>(i).norm() > state.q.segment<3>(tip).norm()) tip = i;
  const Vec3 start = state.q.segment<3>(tip);
  const double before = energy(body, state);
  Swing result;
  for (int k = 0; k < steps; ++k) {
    const StepReport report = method.step(body, *workspace, 0.01, state);
    EXPECT_EQ(report.status, StepStatus::accepted) << k;
    if (report.status != StepStatus::accepted) break;
    result.tip.emplace_back(state.q.segment<3>(tip));
    result.amplitude = std::max(result.amplitude, (result.tip.back() - start).norm());
    if (compare)
      result.tip_path = std::max(result.tip_path, (result.tip.back() - (*compare)[k]).norm());
    if (report.modes && report.modes->refused > 0) {
      result.refused += report.modes->refused;
      if (result.first_refused < 0) result.first_refused = k;
    }
  }
  result.lost = before - energy(body, state);
  return result;
}

TEST(Siere, OneBlockOfSolvesPerStepFollowsTheModes) {
  const int steps = 200;
  const auto exact = make("siere", {{"modes", 6L}, {"mode_iterations", 12L}});
  const Swing reference = swing(*exact, steps);
  const auto tracked = make("siere", {{"modes", 6L}});
  const Swing followed = swing(*tracked, steps, &reference.tip);
  const Swing si = swing(*make("si"), steps, &reference.tip);
  std::printf(
      "tip: amplitude %.2f m; followed modes %.1e, si %.1e of it; energy lost %.4g, %.4g "
      "(exact modes), si %.4g\n",
      reference.amplitude, followed.tip_path / reference.amplitude,
      si.tip_path / reference.amplitude, followed.lost, reference.lost, si.lost);
  EXPECT_LT(followed.tip_path / reference.amplitude, 1e-3);
  EXPECT_GT(si.tip_path / reference.amplitude, 1e-2);
  EXPECT_EQ(followed.refused, 0);
  EXPECT_LT(followed.lost, 0.25 * si.lost);
}

TEST(Siere, RefusesModesThatAreNotFollowed) {
  // turned with the material they stay quite good for long; then the gate must see it
  const auto stale = make("siere", {{"modes", 6L}, {"mode_iterations", 0L}});
  const Swing swung = swing(*stale, 300);
  const Swing si = swing(*make("si"), 300);
  std::printf(
      "modes never improved: first refused in step %d, %d in all, energy lost %.4g, si %.4g\n",
      swung.first_refused, swung.refused, swung.lost, si.lost);
  EXPECT_GE(swung.first_refused, 0);
  EXPECT_LT(std::abs(swung.lost), si.lost);
}

TEST(Siere, IsSiWhenAllModesAreRefused) {
  const physics::TermSystem body(
      physics::to_terms(bar_spec({.cells = {8, 2, 2}, .young = 1e7, .clamped = true})));
  const State start = deformed_state(body, 0.01, 0.5);
  const auto method = make("siere", {{"modes", 4L}, {"mode_iterations", 0L}});
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  Vec noise(7 * body.num_dofs());
  for (double& x : noise) x = normal(random);
  method->restore({{"mode_shapes", noise}, {"mode_count", Vec::Constant(1, 4.0)}});
  StepReport report;
  const State next = one_step(*method, body, start, 0.01, &report);
  EXPECT_EQ(report.modes->used, 0);
  EXPECT_EQ(report.modes->refused, 4);
  EXPECT_TRUE(next == one_step(*make("si"), body, start, 0.01));
}

// ---- what can go wrong
// ---------------------------------------------------------------------------

TEST(Hybrid, DefinedAnswersToOddRequests) {
  // a single free vertex with a spring to nothing: all rigid
  physics::BodiesSpec lone;
  physics::Body body;
  body.mesh.vertices = {{0, 0, 0}, {1, 0, 0}};
  body.springs = {{.vertices = {0, 1}, .stiffness = 100.0, .rest_length = 1.0}};
  body.points.assign(2, {.mass = 1.0});
  lone.bodies.push_back(body);
  lone.gravity = {0, 0, -10};
  const physics::TermSystem dumbbell(physics::to_terms(lone));
  const physics::TermSystem compressed(
      physics::to_terms(bar_spec({.young = 1e5, .clamped = true})));
  for (const char* name : {"siere", "beere", "bdf2ere", "sbdf2ere", "str-sbdf2ere", "tr-bdf2ere",
                           "ssdirk2ere", "blend"}) {
    const auto workspace = dumbbell.make_workspace();
    const auto method = make(name);
    State state = dumbbell.rest_state();
    for (int k = 0; k < 5; ++k)
      ASSERT_EQ(method->step(dumbbell, *workspace, 0.01, state).status, StepStatus::accepted)
          << name;
    EXPECT_NEAR(state.v[2], -0.5, 1e-10) << name;

    // a tangent that is not positive definite enough is reported, and nothing has moved
    const auto other = compressed.make_workspace();
    State squeezed = compressed.rest_state();
    for (Index i = 0; i < squeezed.q.size(); i += 3) squeezed.q[i] *= 0.3;
    const State before = squeezed;
    const StepReport report = make(name)->step(compressed, *other, 0.1, squeezed);
    EXPECT_EQ(report.status, StepStatus::linear_solve_failed) << name;
    EXPECT_TRUE(squeezed == before) << name;
  }
}

TEST(Hybrid, NegativeEigenvaluesAboveTheShiftGrowAsTheyShould) {
  // compressed a little: K has a negative eigenvalue, M + h^2 K has none
  const physics::TermSystem body(physics::to_terms(
      bar_spec({.size = {2, 0.2, 0.2}, .cells = {10, 1, 1}, .young = 1e5, .clamped = true})));
  State start = body.rest_state();
  for (Index i = 0; i < start.q.size(); i += 3) start.q[i] *= 0.85;
  const Dense dense(body, start);
  ASSERT_LT(dense.lambda[0], 0.0);
  const double h = 0.2 / std::sqrt(-dense.lambda[0]);
  start.v = dense.U.col(0);
  const State ere = one_step(*make("ere", {{"tolerance", 1e-12}}), body, start, h);
  const State siere = one_step(*make_siere(3), body, start, h);
  const double grown = dense.U.col(0).dot(dense.M * (siere.v));
  EXPECT_NEAR(grown, dense.U.col(0).dot(dense.M * ere.v), 1e-9 * std::abs(grown));
}

TEST(Hybrid, MoreModesThanUnknownsAreAllModes) {
  const physics::TermSystem body(
      physics::to_terms(bar_spec({.cells = {1, 1, 1}, .young = 1e5, .clamped = true})));
  StepReport report;
  one_step(*make("siere", {{"modes", 500L}}), body, deformed_state(body), 0.01, &report);
  EXPECT_EQ(report.modes->used, body.num_dofs());
}

TEST(Hybrid, TheSpectrumChoosesTheNumberOfModes) {
  const physics::TermSystem body(physics::to_terms(
      bar_spec({.size = {4, 0.5, 0.5}, .cells = {16, 2, 2}, .young = 1e6, .clamped = true})));
  for (const double h : {1e-3, 1e-2, 0.1}) {
    StepReport report;
    one_step(*make("siere", {{"modes", std::string("auto")}}), body, body.rest_state(), h, &report);
    std::printf("h = %g: %d modes\n", h, report.modes->used);
    EXPECT_GE(report.modes->used, 5);
    EXPECT_LE(report.modes->used, 20);
  }
}

}  // namespace
}  // namespace sinew::integrators
