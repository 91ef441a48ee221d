// SPDX-License-Identifier: Apache-2.0
// The coarse operations of a step, by mesh size: assembly, product, factorisation, solves.
#include <benchmark/benchmark.h>

#include <sinew/la/solvers/linear_solver.hpp>
#include <sinew/mesh/generators.hpp>
#include <sinew/physics/bodies.hpp>

namespace sinew {
namespace {

/// A clamped bar with `across` cells across, four times as long.
struct Bar {
  explicit Bar(int across)
      : system(physics::to_terms(spec(across))),
        workspace(system.make_workspace()),
        linearization(system.make_linearization()),
        solver(la::solvers().front().make(la::serial_reducer())),
        state(system.rest_state()) {
    system.linearize(state, {}, *workspace, *linearization);
  }

  static physics::BodiesSpec spec(int across) {
    physics::BodiesSpec result;
    physics::Body body;
    body.mesh = mesh::make_bar({.size = {4, 1, 1}, .cells = {4 * across, across, across}});
    body.tets.assign(body.mesh.tets.size(),
                     {.material = physics::find_material("stable-neo-hookean"),
                      .moduli = physics::moduli(1e6, 0.45)});
    for (int v = 0; v < body.mesh.num_vertices(); ++v)
      if (body.mesh.vertices[v][0] < 1e-9) result.fixed.push_back(v);
    result.bodies.push_back(std::move(body));
    return result;
  }

  const la::LinearOperator& matrix() { return linearization->combine(1.0, 0.0, 1e-4); }

  physics::TermSystem system;
  std::unique_ptr<dynamics::Workspace> workspace;
  std::unique_ptr<dynamics::Linearization> linearization;
  std::unique_ptr<la::LinearSolver> solver;
  dynamics::State state;
};

void assemble(benchmark::State& run) {
  Bar bar(static_cast<int>(run.range(0)));
  for (auto _ : run) bar.system.linearize(bar.state, {}, *bar.workspace, *bar.linearization);
  run.counters["tets"] = bar.system.num_cells();
}

void multiply(benchmark::State& run) {
  Bar bar(static_cast<int>(run.range(0)));
  Vec y(bar.state.q.size());
  for (auto _ : run) bar.linearization->stiffness().apply(bar.state.q, y);
  run.counters["tets"] = bar.system.num_cells();
}

void factorize(benchmark::State& run) {
  Bar bar(static_cast<int>(run.range(0)));
  const la::LinearOperator& A = bar.matrix();
  for (auto _ : run)
    if (bar.solver->factorize(A).status != la::SolveStatus::ok) run.SkipWithError("not SPD");
  run.counters["tets"] = bar.system.num_cells();
}

void solve(benchmark::State& run) {
  Bar bar(static_cast<int>(run.range(0)));
  if (bar.solver->factorize(bar.matrix()).status != la::SolveStatus::ok)
    run.SkipWithError("not SPD");
  const Mat B = Mat::Random(bar.state.q.size(), run.range(1));
  Mat X(B.rows(), B.cols());
  for (auto _ : run)
    if (bar.solver->solve(B, X).status != la::SolveStatus::ok) run.SkipWithError("no solution");
  run.counters["tets"] = bar.system.num_cells();
}

BENCHMARK(assemble)->Arg(6)->Arg(13)->Unit(benchmark::kMillisecond);
BENCHMARK(multiply)->Arg(6)->Arg(13)->Unit(benchmark::kMillisecond);
BENCHMARK(factorize)->Arg(6)->Arg(13)->Unit(benchmark::kMillisecond);
BENCHMARK(solve)->Args({13, 1})->Args({13, 8})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sinew
