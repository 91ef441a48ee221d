// SPDX-License-Identifier: Apache-2.0
// Multigrid on the matrices it is for: elastic bodies, stiff and soft, bent, free, mixed.
#include <cmath>
#include <cstdio>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <sinew/integrators/registry.hpp>
#include <sinew/la/dense/decompositions.hpp>
#include <sinew/la/multigrid/two_level_cycle.hpp>
#include <sinew/la/solvers/auto_solver.hpp>
#include <sinew/la/solvers/multigrid_solver.hpp>
#include <sinew/physics/bodies.hpp>

#include "support/bodies.hpp"

namespace sinew::la {
namespace {

using physics::TermSystem;

struct Body {
  explicit Body(const test::BarOptions& options, int threads = 1)
      : executor(threads), system(physics::to_terms(test::bar_spec(options)), executor) {}
  explicit Body(const physics::BodiesSpec& spec)
      : executor(1), system(physics::to_terms(spec), executor) {}

  /// M + h^2 K at a state.
  SymmetricMatrix matrix(const dynamics::State& state, double h = 0.01) {
    system.linearize(state, {}, *workspace, *linearization);
    return *linearization->combine(1.0, 0.0, h * h).assembled();
  }
  SolveStatus give(LinearSolver& solver, const SymmetricMatrix& A, const dynamics::State& state) {
    *solver.positions() = state.q;
    static_cast<void>(system.frame().node_rotations(state, *workspace, *solver.frames()));
    return solver.factorize(A).status;
  }

  core::Executor executor;
  TermSystem system;
  std::unique_ptr<dynamics::Workspace> workspace = system.make_workspace();
  std::unique_ptr<dynamics::Linearization> linearization = system.make_linearization();
};

Vec some_vector(Index n) {
  Vec b(n);
  for (Index k = 0; k < n; ++k) b[k] = std::sin(0.7 * static_cast<double>(k)) + 0.1;
  return b;
}

/// Error in the norm of A against a factor in double precision.
double energy_error(const SymmetricMatrix& A, const Vec& x, const Vec& b) {
  const auto direct = solvers().front().make(serial_reducer());
  EXPECT_EQ(direct->factorize(A).status, SolveStatus::ok);
  Vec exact(b.size()), Ae(b.size());
  static_cast<void>(direct->solve(b, exact));
  const Vec e = x - exact;
  A.apply(e, Ae);
  return std::sqrt(e.dot(Ae) / b.dot(exact));
}

TEST(Multigrid, IterationsDependLittleOnStiffnessAndSize) {
  std::map<double, std::vector<int>> iterations;
  for (const double young : {1e5, 1e6, 1e8, 1e10})
    for (const int across : {4, 8, 12}) {
      Body body({.size = {2, 1, 1},
                 .cells = {2 * across, across, across},
                 .young = young,
                 .poisson = 0.45,
                 .clamped = true});
      const dynamics::State state = body.system.rest_state();
      const SymmetricMatrix A = body.matrix(state);
      const auto solver = make_multigrid_solver(serial_reducer(), 1e-6);
      ASSERT_EQ(body.give(*solver, A, state), SolveStatus::ok);
      const Vec b = some_vector(A.size());
      Vec x = Vec::Zero(A.size());
      const SolveReport report = solver->solve(b, x);
      ASSERT_EQ(report.status, SolveStatus::ok);
      EXPECT_LE(report.iterations, 45) << young << " " << across;
      EXPECT_LT(energy_error(A, x, b), 2e-6) << young << " " << across;
      iterations[young].push_back(report.iterations);
    }
  for (const auto& [young, counts] : iterations)
    std::printf("E = %.0e: %d, %d, %d iterations\n", young, counts[0], counts[1], counts[2]);
}

TEST(Multigrid, TheCycleIsSymmetricAndDefinite) {
  Body body({.cells = {8, 3, 3}, .young = 1e6, .clamped = true});
  const dynamics::State state = test::deformed_state(body.system, 0.02);
  const SymmetricMatrix A = body.matrix(state);
  CoarseSpace coarse;
  coarse.analyze(A.pattern(), 12);
  coarse.place(state.q);
  RowBlocks<double> rows;
  rows.assign(A);
  ASSERT_TRUE(coarse.factorize(rows));
  TwoLevelCycle cycle;
  ASSERT_TRUE(cycle.assign(A));
  ASSERT_TRUE(cycle.fit());
  const Index n = A.size();
  Mat B(n, n);
  for (Index k = 0, width = 1; k < n; k += width, width = width % 8 + 1) {  // blocks of all widths
    width = std::min(width, n - k);
    const Mat unit = Mat::Identity(n, n).middleCols(k, width);
    cycle.apply(coarse, unit, B.middleCols(k, width), serial_reducer());
  }
  EXPECT_LT((B - B.transpose()).norm(), 1e-5 * B.norm()) << "single precision";
  const Mat half = 0.5 * (B + B.transpose());
  EXPECT_GT(symmetric_eigenvalues(half)[0], 0.0);
}

TEST(Multigrid, SolvesBodiesOfEveryKind) {
  physics::BodiesSpec mixed = test::bar_spec({.cells = {12, 4, 4}, .clamped = true});
  for (std::size_t t = 0; t < mixed.bodies[0].tets.size(); ++t)
    mixed.bodies[0].tets[t].moduli = physics::moduli(t % 3 == 0 ? 1e10 : 1e6, 0.4);
  physics::BodiesSpec spread = test::bar_spec({.cells = {12, 3, 3}});  // and one that is apart
  physics::BodiesSpec second = test::bar_spec({.cells = {5, 2, 2}, .young = 1e7});
  for (Vec3& x : second.bodies[0].mesh.vertices) x[1] += 5.0;
  second.bodies[0].name = "second";
  spread.bodies.push_back(second.bodies[0]);
  const std::pair<const char*, physics::BodiesSpec> kinds[] = {
      {"free", test::bar_spec({.cells = {10, 4, 4}, .young = 1e7})},
      {"mixed", mixed},
      {"two", spread},
      {"consistent", test::bar_spec({.cells = {10, 3, 3}, .young = 1e7, .consistent_mass = true})},
      {"tiny", test::bar_spec({.cells = {1, 1, 1}})}};
  for (const auto& [name, spec] : kinds) {
    Body body(spec);
    const dynamics::State state = test::deformed_state(body.system, 1e-7);  // stiff parts buckle
    const SymmetricMatrix A = body.matrix(state);
    const auto solver = make_multigrid_solver(serial_reducer(), 1e-9);
    ASSERT_EQ(body.give(*solver, A, state), SolveStatus::ok) << name;
    const Vec b = some_vector(A.size());
    Vec x = Vec::Zero(A.size());
    const SolveReport report = solver->solve(b, x);
    ASSERT_EQ(report.status, SolveStatus::ok) << name;
    EXPECT_LT(energy_error(A, x, b), 2e-9) << name;
    std::printf("%s: %d iterations to 1e-9\n", name, report.iterations);
  }
}

TEST(Multigrid, ItsSpaceTurnsWithTheMaterial) {
  Body body({.size = {2, 0.5, 0.5}, .cells = {16, 4, 4}, .young = 1e7});
  const dynamics::State rest = body.system.rest_state();
  dynamics::State turned = rest;  // all of it
  const Mat3 turn = Eigen::AngleAxisd(1.9, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (Index i = 0; i < rest.q.size(); i += 3)
    turned.q.segment<3>(i) = (turn * rest.q.segment<3>(i)).eval();
  const auto iterations = [&](bool with_frames) {
    const auto solver = make_multigrid_solver(serial_reducer(), 1e-6);
    int count = 0;
    for (const dynamics::State* state :
         std::array{&rest, static_cast<const dynamics::State*>(&turned)}) {
      const SymmetricMatrix A = body.matrix(*state);
      EXPECT_EQ(body.give(*solver, A, *state), SolveStatus::ok);
      if (!with_frames && state == &turned) {
        solver->frames()->clear();
        EXPECT_FALSE(solver->factorize(A).factorized);
      }
      Vec x = Vec::Zero(A.size());
      const SolveReport report = solver->solve(some_vector(A.size()), x);
      EXPECT_EQ(report.status, SolveStatus::ok);
      count = report.iterations;
    }
    return count;
  };
  const int with = iterations(true), without = iterations(false);
  std::printf("turned by 109 degrees: %d iterations, %d with a space that stays\n", with, without);
  EXPECT_LT(with, 40);
  EXPECT_GT(without, 2 * with);
}

TEST(Multigrid, SaysWhenAMatrixIsNotDefinite) {
  Body body({.cells = {8, 3, 3}, .young = 1e6, .clamped = true});
  const dynamics::State state = body.system.rest_state();
  SymmetricMatrix A = body.matrix(state);
  const auto solver = make_multigrid_solver(serial_reducer(), 1e-6);
  ASSERT_EQ(body.give(*solver, A, state), SolveStatus::ok);
  const double shift = 1.5 * symmetric_eigenvalues(A.to_dense())[0];
  SymmetricMatrix bad = A;
  for (Index k = 0; k < A.size(); ++k) bad.add(k, k, -shift);
  Vec x = Vec::Zero(A.size());
  SolveStatus status = solver->factorize(bad).status;
  if (status == SolveStatus::ok) status = solver->solve(some_vector(A.size()), x).status;
  EXPECT_EQ(status, SolveStatus::not_positive_definite) << to_string(status);
  ASSERT_EQ(solver->factorize(A).status, SolveStatus::ok) << "it recovers";
  EXPECT_EQ(solver->solve(some_vector(A.size()), x).status, SolveStatus::ok);
  // a diagonal block with a positive determinant, a positive diagonal and two negative eigenvalues
  bad = A;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j) bad.add(i, j, 3.0 * bad.to_dense().topLeftCorner<3, 3>().norm());
  const Mat3 block = bad.to_dense().topLeftCorner<3, 3>();
  ASSERT_GT(block.determinant(), 0.0);
  ASSERT_LT(symmetric_eigenvalues(block)[1], 0.0);
  EXPECT_EQ(solver->factorize(bad).status, SolveStatus::not_positive_definite);
}

TEST(Multigrid, MakesANewSpaceWhenTheOldOneDoesNotConverge) {
  Body body({.size = {2, 0.5, 0.5}, .cells = {16, 4, 4}, .young = 1e7, .clamped = true});
  const dynamics::State state = body.system.rest_state();
  const SymmetricMatrix light = body.matrix(state, 1e-6), stiff = body.matrix(state, 0.05);
  const auto solver = make_multigrid_solver(serial_reducer(), 1e-8);
  const Vec b = some_vector(light.size());
  Vec x = Vec::Zero(b.size());
  ASSERT_EQ(body.give(*solver, light, state), SolveStatus::ok);
  ASSERT_EQ(solver->solve(b, x).status, SolveStatus::ok);
  // almost a mass: a smoother for it makes rough errors of a stiff body larger
  SymmetricMatrix changed = light;
  changed.set_combination({{1.0, &stiff}});
  ASSERT_EQ(body.give(*solver, changed, state), SolveStatus::ok);
  const SolveReport report = solver->solve(b, x);
  EXPECT_EQ(report.status, SolveStatus::ok);
  EXPECT_EQ(report.factorizations, 1);
  EXPECT_LT(energy_error(changed, x, b), 2e-8);
}

TEST(Multigrid, SolvesBlocksAsItDoesSingleColumns) {
  Body body({.size = {2, 0.5, 0.5}, .cells = {16, 4, 4}, .young = 1e7, .clamped = true});
  const dynamics::State state = body.system.rest_state();
  const SymmetricMatrix A = body.matrix(state);
  for (const Index columns : {2, 3, 8, 11, 16, 17}) {
    Mat B = Mat::Random(A.size(), columns), X = Mat::Zero(A.size(), columns);
    B.col(1).setZero();
    B.col(0) = body.system.mass().diagonal_only() ? *body.system.mass().diagonal_only() : B.col(0);
    const auto solver = make_multigrid_solver(serial_reducer(), 1e-9);
    ASSERT_EQ(body.give(*solver, A, state), SolveStatus::ok);
    const SolveReport together = solver->solve(B, X);
    ASSERT_EQ(together.status, SolveStatus::ok);
    int iterations = 0;
    for (Index c = 0; c < columns; ++c) {
      const auto single = make_multigrid_solver(serial_reducer(), 1e-9);
      ASSERT_EQ(body.give(*single, A, state), SolveStatus::ok);
      Vec x = Vec::Zero(A.size());
      iterations += single->solve(B.col(c), x).iterations;
      EXPECT_LE((x - X.col(c)).norm(), 1e-8 * x.norm()) << columns << " " << c;
    }
    EXPECT_NEAR(together.iterations, iterations, 0.05 * iterations);
    // now from guesses that are not zero
    Mat twice = Mat::Zero(A.size(), columns);
    ASSERT_EQ(solver->solve(2.0 * B, twice).status, SolveStatus::ok);
    EXPECT_LE((twice - 2.0 * X).norm(), 1e-8 * X.norm()) << columns;
  }
}

TEST(Multigrid, ThreadsDoNotChangeABitAndMemoryGoesOn) {
  // large enough for vectors, rows and aggregates to be worked on by several threads
  const test::BarOptions options{
      .size = {2, 0.5, 0.5}, .cells = {60, 9, 9}, .young = 1e7, .clamped = true};
  Body one(options), three(options, 3);
  const Reducer threaded(three.executor);
  ASSERT_GT(one.system.num_dofs(), 16384);
  Vec kept;
  std::array<Vec, 3> ends;
  for (int run = 0; run < 3; ++run) {  // the third goes on from the middle of the first
    Body& body = run == 1 ? three : one;
    const auto solver = make_multigrid_solver(run == 1 ? threaded : serial_reducer(), 1e-6);
    if (run == 2) solver->restore(kept);
    for (int step = run == 2 ? 4 : 0; step < 8; ++step) {
      const dynamics::State state = test::deformed_state(body.system, 5e-4 * step);
      const SymmetricMatrix A = body.matrix(state);
      ASSERT_EQ(body.give(*solver, A, state), SolveStatus::ok);
      Vec x = Vec::Zero(A.size());
      ASSERT_EQ(solver->solve(some_vector(A.size()), x).status, SolveStatus::ok);
      ends[run] = x;
      if (run == 0 && step == 3) kept = solver->memory();
    }
  }
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_EQ(ends[0], ends[2]);
}

TEST(AutoSolver, LeavesBulkyBodiesToIterations) {
  // by the width of the band alone
  Body slender({.size = {4, 0.2, 0.2}, .cells = {40, 2, 2}});
  const dynamics::State state = slender.system.rest_state();
  const SymmetricMatrix A = slender.matrix(state);
  EXPECT_LT(band_width(A.pattern()), 30.0);
  const auto solver = make_sequence_solver(solvers().front(), serial_reducer(), {});
  ASSERT_EQ(slender.give(*solver, A, state), SolveStatus::ok);
  Vec x = Vec::Zero(A.size());
  EXPECT_LE(solver->solve(some_vector(A.size()), x).iterations, 2) << "a factor";
  // every node coupled to one far away
  std::vector<std::pair<int, int>> pairs;
  constexpr int n = 8000, far = 2500;
  for (int k = 0; k + far < n; ++k) pairs.emplace_back(k, k + far);
  SymmetricMatrix wide(BlockPattern::build(n, 3, pairs));
  for (Index k = 0; k < wide.size(); ++k) {
    wide.add(k, k, 3.0);
    if (k + 3 * far < wide.size()) wide.add(k, k + 3 * far, -1.0);
  }
  EXPECT_GT(band_width(wide.pattern()), 1000.0);
  const Vec b = some_vector(wide.size());
  const auto bulky = make_sequence_solver(solvers().front(), serial_reducer(), {});
  ASSERT_EQ(bulky->factorize(wide).status, SolveStatus::ok);
  Vec first = Vec::Zero(b.size());
  EXPECT_GT(bulky->solve(b, first).iterations, 2) << "no factor";
  EXPECT_LT(energy_error(wide, first, b), 2e-6);
  // another process goes on with the same bits
  const auto other = make_sequence_solver(solvers().front(), serial_reducer(), {});
  other->restore(bulky->memory());
  Vec next = Vec::Zero(b.size()), same = next;
  for (Index k = 0; k < wide.size(); ++k) wide.add(k, k, 0.1);
  ASSERT_EQ(bulky->factorize(wide).status, SolveStatus::ok);
  ASSERT_EQ(other->factorize(wide).status, SolveStatus::ok);
  EXPECT_EQ(bulky->solve(b, next).iterations, other->solve(b, same).iterations);
  EXPECT_EQ(next, same);
}

TEST(Multigrid, GivesTheAnswersOfFactorisingInWholeRuns) {
  const TermSystem body(physics::to_terms(
      test::bar_spec({.size = {2, 0.5, 0.5}, .cells = {12, 3, 3}, .young = 1e6, .clamped = true})));
  const auto workspace = body.make_workspace();
  for (const char* name : {"si", "be", "tr-bdf2", "siere"}) {
    std::array<dynamics::State, 2> ends;
    for (const int iterative : {0, 1}) {
      integrators::Services services = integrators::default_services();
      if (iterative == 1)
        services.make_linear_solver = [](const Reducer& reducer) {
          return make_multigrid_solver(reducer, 1e-9);
        };
      const auto method = integrators::make_integrator(name, services);
      ends[iterative] = test::deformed_state(body, 0.02, 1.0);
      for (int k = 0; k < 30; ++k)
        ASSERT_EQ(method->step(body, *workspace, 0.005, ends[iterative]).status,
                  integrators::StepStatus::accepted)
            << name;
    }
    const double way = (ends[0].q - body.rest_state().q).norm();
    std::printf("%s: %.1e\n", name, (ends[0].q - ends[1].q).norm() / way);
    // hybrids follow modes with solves that are only rough
    EXPECT_LT((ends[0].q - ends[1].q).norm(), (name == std::string("siere") ? 1e-3 : 1e-6) * way)
        << name;
  }
}

}  // namespace
}  // namespace sinew::la
