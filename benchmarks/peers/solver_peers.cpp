// SPDX-License-Identifier: Apache-2.0
// Our multigrid beside PETSc's GAMG and hypre's BoomerAMG on the same matrices, M + h^2 K of a bar,
// on one core. By hand: compare_solvers.sh.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <petscksp.h>

#include <sinew/la/solvers/linear_solver.hpp>
#include <sinew/la/symmetric_matrix.hpp>

#include "bench_bar.hpp"

using namespace sinew;

namespace {

double seconds() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

/// All entries, row by row.
::Mat to_petsc(const la::SymmetricMatrix& A) {
  const la::BlockPattern& pattern = A.pattern();
  std::vector<PetscInt> per_row(static_cast<std::size_t>(A.size()), 0);
  for (int row = 0; row < pattern.num_blocks(); ++row)
    for (int k = pattern.row_begin(row); k < pattern.row_end(row); ++k)
      for (int i = 0; i < 3; ++i) {
        per_row[3 * row + i] += 3;
        if (pattern.cols()[k] != row) per_row[3 * pattern.cols()[k] + i] += 3;
      }
  ::Mat result = nullptr;
  const auto n = static_cast<PetscInt>(A.size());
  MatCreateSeqAIJ(PETSC_COMM_SELF, n, n, 0, per_row.data(), &result);
  MatSetBlockSize(result, 3);
  for (int row = 0; row < pattern.num_blocks(); ++row)
    for (int k = pattern.row_begin(row); k < pattern.row_end(row); ++k) {
      const int column = pattern.cols()[k];
      PetscInt rows[3], columns[3];
      for (int i = 0; i < 3; ++i) rows[i] = 3 * row + i, columns[i] = 3 * column + i;
      const double* block = A.block(k);
      MatSetValues(result, 3, rows, 3, columns, block, INSERT_VALUES);
      double mirrored[9];
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) mirrored[3 * j + i] = block[3 * i + j];
      if (column != row) MatSetValues(result, 3, columns, 3, rows, mirrored, INSERT_VALUES);
    }
  MatAssemblyBegin(result, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(result, MAT_FINAL_ASSEMBLY);
  MatSetOption(result, MAT_SPD, PETSC_TRUE);
  return result;
}

::Vec to_petsc(const sinew::Vec& x) {
  ::Vec result = nullptr;
  VecCreateSeq(PETSC_COMM_SELF, static_cast<PetscInt>(x.size()), &result);
  VecSetBlockSize(result, 3);
  double* entries = nullptr;
  VecGetArray(result, &entries);
  std::copy(x.begin(), x.end(), entries);
  VecRestoreArray(result, &entries);
  return result;
}

struct Outcome {
  double set_up, solve;
  int iterations;
  sinew::Vec x;
};

Outcome with_petsc(::Mat A, const sinew::Vec& positions, const sinew::Vec& b, const char* options) {
  PetscOptionsClear(nullptr);
  PetscOptionsInsertString(nullptr, options);
  ::Vec coordinates = to_petsc(positions);
  MatNullSpace rigid = nullptr;
  MatNullSpaceCreateRigidBody(coordinates, &rigid);
  MatSetNearNullSpace(A, rigid);
  KSP solver = nullptr;
  KSPCreate(PETSC_COMM_SELF, &solver);
  KSPSetOperators(solver, A, A);
  KSPSetType(solver, KSPCG);
  KSPSetNormType(solver, KSP_NORM_NATURAL);
  KSPSetTolerances(solver, 1e-6, 0.0, PETSC_DEFAULT, 500);
  KSPSetFromOptions(solver);
  const double start = seconds();
  KSPSetUp(solver);
  const double ready = seconds();
  ::Vec right = to_petsc(b), x = nullptr;
  VecDuplicate(right, &x);
  KSPSolve(solver, right, x);
  const double end = seconds();
  PetscInt iterations = 0;
  KSPGetIterationNumber(solver, &iterations);
  const double* entries = nullptr;
  VecGetArrayRead(x, &entries);
  Outcome outcome{ready - start, end - ready, static_cast<int>(iterations),
                  Eigen::Map<const sinew::Vec>(entries, b.size())};
  VecRestoreArrayRead(x, &entries);
  VecDestroy(&x);
  VecDestroy(&right);
  VecDestroy(&coordinates);
  MatNullSpaceDestroy(&rigid);
  KSPDestroy(&solver);
  return outcome;
}

Outcome with_sinew(const la::SymmetricMatrix& A, const sinew::Vec& positions, const sinew::Vec& b,
                   double tolerance) {
  for (const la::SolverEntry& entry : la::solvers()) {
    if (entry.name != "multigrid") continue;
    const auto solver = entry.make_iterative(la::serial_reducer(), tolerance);
    *solver->positions() = positions;
    const double start = seconds();
    if (solver->factorize(A).status != la::SolveStatus::ok) std::exit(1);
    const double ready = seconds();
    sinew::Vec x = sinew::Vec::Zero(b.size());
    const la::SolveReport report = solver->solve(b, x);
    return {ready - start, seconds() - ready, report.iterations, x};
  }
  std::puts("this build has no multigrid");
  std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  PetscInitialize(&argc, &argv, nullptr, nullptr);
  const std::pair<const char*, const char*> peers[] = {
      {"GAMG, defaults", "-pc_type gamg"},
      {"GAMG, plain aggregates", "-pc_type gamg -pc_gamg_agg_nsmooths 0"},
      {"BoomerAMG, elasticity",
       "-pc_type hypre -pc_hypre_type boomeramg -pc_hypre_boomeramg_strong_threshold 0.5 "
       "-pc_hypre_boomeramg_nodal_coarsen 4 -pc_hypre_boomeramg_vec_interp_variant 2 "
       "-pc_hypre_boomeramg_relax_type_all l1scaled-SOR/Jacobi"},
  };
  std::printf("%-10s %-8s %-24s %9s %9s %6s %9s\n", "tets", "E", "solver", "set-up s", "solve s",
              "its", "error");
  for (const auto& [along, across] : {std::pair{28, 9}, std::pair{56, 18}})
    for (const double young : {1e6, 1e8}) {
      const physics::TermSystem system(physics::to_terms(cli::swinging_bar(
          {.size = {4.0, 1.0, 1.0}, .cells = {along, across, across}, .young = young})));
      const auto workspace = system.make_workspace();
      const auto linearization = system.make_linearization();
      const dynamics::State state = system.rest_state();
      system.linearize(state, {}, *workspace, *linearization);
      constexpr double h = 0.01;
      const la::SymmetricMatrix& A = *linearization->combine(1.0, 0.0, h * h).assembled();
      sinew::Vec b(A.size());
      system.force(state, *workspace, b);
      const sinew::Vec exact = with_sinew(A, state.q, b, 1e-11).x;
      const auto row = [&](const char* name, const Outcome& outcome) {
        const sinew::Vec e = outcome.x - exact;
        sinew::Vec Ae(e.size());
        A.apply(e, Ae);
        std::printf("%-10d %-8.0e %-24s %9.3f %9.3f %6d %9.1e\n", system.num_cells(), young, name,
                    outcome.set_up, outcome.solve, outcome.iterations,
                    std::sqrt(e.dot(Ae) / b.dot(exact)));
        std::fflush(stdout);
      };
      row("sinew multigrid", with_sinew(A, state.q, b, 1e-6));
      for (const auto& [name, options] : peers) {
        ::Mat matrix = to_petsc(A);
        row(name, with_petsc(matrix, state.q, b, options));
        MatDestroy(&matrix);
      }
    }
  PetscFinalize();
}
