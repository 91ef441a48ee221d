// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/core/profile.hpp>
#include <sinew/la/solvers/linear_solver.hpp>

#include "bench.hpp"
#include "bench_bar.hpp"

namespace sinew::cli {
namespace {

constexpr double solver_dt = 0.01, tolerance = 1e-6;

/// M + h^2 K of a bar at rest, and solvers for it.
class BarMatrix {
 public:
  BarMatrix(const BenchBar& bar, const core::Executor& executor)
      : reducer_(executor),
        system_(physics::to_terms(swinging_bar(bar)), executor),
        workspace_(system_.make_workspace()),
        linearization_(system_.make_linearization()),
        state_(system_.rest_state()) {
    system_.linearize(state_, {}, *workspace_, *linearization_);
    matrix_ = &linearization_->combine(1.0, 0.0, solver_dt * solver_dt);
  }

  int num_tets() const { return system_.num_cells(); }

  /// One that has taken in the matrix, and how long that took [s].
  struct Prepared {
    std::unique_ptr<la::LinearSolver> solver;
    double seconds = 0.0;
  };
  Prepared prepare(std::unique_ptr<la::LinearSolver> solver) const {
    if (Vec* positions = solver->positions()) *positions = state_.q;
    const core::Stopwatch watch;
    if (solver->factorize(*matrix_).status != la::SolveStatus::ok)
      throw InternalError("a solver refused the matrix of a bar");
    return {std::move(solver), watch.seconds()};
  }

  /// Right-hand sides without order, new ones each time: iterations have a memory.
  int solve(la::LinearSolver& solver, Index columns) const {
    const Mat B = Mat::Random(matrix_->size(), columns);
    Mat X = Mat::Zero(matrix_->size(), columns);
    const la::SolveReport report = solver.solve(B, X);
    if (report.status != la::SolveStatus::ok)
      throw InternalError("a solver failed on the matrix of a bar");
    return report.iterations;
  }

  const la::Reducer& reducer() const { return reducer_; }

 private:
  la::Reducer reducer_;
  physics::TermSystem system_;
  std::unique_ptr<dynamics::Workspace> workspace_;
  std::unique_ptr<dynamics::Linearization> linearization_;
  dynamics::State state_;
  const la::LinearOperator* matrix_ = nullptr;
};

const la::SolverEntry* find_solver(std::string_view name) {
  for (const la::SolverEntry& entry : la::solvers())
    if (entry.name == name) return &entry;
  return nullptr;
}

void compare(const BarMatrix& problem, double young, bool with_factor, BenchLog& log) {
  const la::SolverEntry *multigrid = find_solver("multigrid"), *factor = find_solver("supernodal");
  if (!multigrid || !factor)
    throw InputError(sinew::Problem{.what = "this build has neither multigrid nor its factor",
                                    .hint = "build with SINEW_OPENBLAS"});
  constexpr int rounds = 3;
  constexpr Index block = 8;
  const BarMatrix::Prepared prepared =
      problem.prepare(multigrid->make_iterative(problem.reducer(), tolerance));
  la::LinearSolver& iterative = *prepared.solver;
  const int iterations = problem.solve(iterative, 1);
  std::vector<Contender> contenders{{"a solve", [&] { problem.solve(iterative, 1); }},
                                    {"eight at a time", [&] { problem.solve(iterative, block); }}};
  std::optional<BarMatrix::Prepared> exact, rough;
  if (with_factor) {
    exact = problem.prepare(factor->make(problem.reducer()));
    rough = problem.prepare(factor->make_rough(problem.reducer()));
    contenders.push_back({"a factor", [&] { problem.solve(*exact->solver, 1); }});
  }
  const std::vector<Timing> timings = race(contenders, rounds);
  const double solve = timings[0].median_seconds;
  const auto row = [&](const std::string& what, double seconds, double ratio) {
    log.row(fmt::format("E = {:.0e}, {} tets: {}", young, problem.num_tets(), what), seconds,
            ratio);
  };
  row(fmt::format("multigrid, {} iterations", iterations), solve, 1.0);
  row("one of eight solved together", timings[1].median_seconds / block, timings[1].ratio / block);
  row("its set-up", prepared.seconds, prepared.seconds / solve);
  if (!with_factor) return;
  row("solve with a factor", timings[2].median_seconds, timings[2].ratio);
  row("that factor, with its analysis", exact->seconds, exact->seconds / solve);
  row("a rough factor, with its analysis", rough->seconds, rough->seconds / solve);
}

}  // namespace

void bench_solver(BenchLog& log) {
  const core::Executor executor(0);
  log.title(fmt::format(
      "M + h^2 K of a bar of 4 x 1 x 1 m, h = {} s, {} threads: multigrid to {:.0e}, and factors",
      solver_dt, executor.num_threads(), tolerance));
  for (const double young : {1e5, 1e6, 1e8, 1e10})
    for (const int across : {9, 18, 41}) {
      const int along = across == 41 ? 124 : across * 28 / 9;
      const BarMatrix problem(
          {.size = {4.0, 1.0, 1.0}, .cells = {along, across, across}, .young = young}, executor);
      compare(problem, young, across < 41, log);
    }
}

}  // namespace sinew::cli
