// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <slepceps.h>

#include <sinew/core/error.hpp>
#include <sinew/petsc/processes.hpp>
#include <sinew/petsc/shared_modes.hpp>

namespace sinew::petsc {
namespace {

/// What the functions of shells work with.
struct Shells {
  const la::Pencil& pencil;
  const la::BlockSolve& solve;
  la::ModesReport& report;
  double shift = 0.0;  ///< of the request
  double mass = 1.0;   ///< mean of the diagonal
};

/// y = work(x), both as vectors of ours.
template <class Work>
PetscErrorCode on_arrays(::Vec x, ::Vec y, const Work& work) {
  const double* in = nullptr;
  double* out = nullptr;
  PetscInt size = 0;
  check(VecGetLocalSize(x, &size));
  check(VecGetArrayRead(x, &in));
  check(VecGetArray(y, &out));
  work(Eigen::Map<const sinew::Vec>(in, size), Eigen::Map<sinew::Vec>(out, size));
  check(VecRestoreArray(y, &out));
  check(VecRestoreArrayRead(x, &in));
  return 0;
}

PetscErrorCode multiply_stiffness(::Mat shell, ::Vec x, ::Vec y) {
  Shells* shells = nullptr;
  check(MatShellGetContext(shell, &shells));
  ++shells->report.products;
  return on_arrays(x, y, [&](const auto& in, auto out) {
    sinew::Vec product(in.size());
    shells->pencil.K.apply(sinew::Vec(in), product);
    out = product;
  });
}

PetscErrorCode multiply_mass(::Mat shell, ::Vec x, ::Vec y) {
  Shells* shells = nullptr;
  check(MatShellGetContext(shell, &shells));
  return on_arrays(x, y, [&](const auto& in, auto out) {
    sinew::Vec product(in.size());
    shells->pencil.M.apply(sinew::Vec(in), product);
    out = product;
  });
}

PetscErrorCode precondition(PC shell, ::Vec x, ::Vec y) {
  Shells* shells = nullptr;
  check(PCShellGetContext(shell, &shells));
  ++shells->report.solves;
  return on_arrays(x, y, [&](const auto& in, auto out) {
    const sinew::Mat b = in;
    sinew::Mat solution = sinew::Mat::Zero(b.rows(), 1);
    const la::SolveStatus status = shells->solve(b, solution);
    // a rough direction is a direction; a factor that failed is none
    if (status != la::SolveStatus::ok && status != la::SolveStatus::not_converged)
      shells->report.status = status;
    out = solution.col(0);
  });
}

/// As the request has it: relative to |lambda| + shift, in about the norm of M^-1.
PetscErrorCode relative_residual(EPS, PetscScalar lambda, PetscScalar, PetscReal residual,
                                 PetscReal* relative, void* context) {
  const auto& shells = *static_cast<const Shells*>(context);
  *relative = residual / std::sqrt(shells.mass) / (std::abs(lambda) + shells.shift);
  return 0;
}

::Mat make_shell(Shells& shells, Index size, PetscErrorCode (*multiply)(::Mat, ::Vec, ::Vec)) {
  ::Mat shell = nullptr;
  const auto n = static_cast<PetscInt>(size);
  check(MatCreateShell(PETSC_COMM_WORLD, n, n, PETSC_DETERMINE, PETSC_DETERMINE, &shells, &shell));
  check(MatShellSetOperation(shell, MATOP_MULT, reinterpret_cast<void (*)()>(multiply)));
  return shell;
}

/// Shapes of the lowest modes beside those that are known; fewer columns where it did not get
/// there.
sinew::Mat lowest_shapes(Shells& shells, const sinew::Mat& known, const la::ModesRequest& request) {
  const Index n = shells.pencil.K.size();
  ::Mat K = make_shell(shells, n, multiply_stiffness), M = make_shell(shells, n, multiply_mass);
  EPS solver = nullptr;
  check(EPSCreate(PETSC_COMM_WORLD, &solver));
  check(EPSSetOperators(solver, K, M));
  check(EPSSetProblemType(solver, EPS_GHEP));
  check(EPSSetType(solver, EPSLOBPCG));
  check(EPSSetWhichEigenpairs(solver, EPS_SMALLEST_REAL));
  const auto wanted = static_cast<PetscInt>(request.count + request.guards);
  check(EPSSetDimensions(solver, wanted, PETSC_DEFAULT, PETSC_DEFAULT));
  check(EPSSetTolerances(solver, request.tolerance, request.max_blocks));
  check(EPSSetConvergenceTestFunction(solver, relative_residual, &shells, nullptr));
  ST transform = nullptr;
  KSP around = nullptr;
  PC conditioner = nullptr;
  check(EPSGetST(solver, &transform));
  check(STSetType(transform, STPRECOND));
  check(STGetKSP(transform, &around));
  check(KSPSetType(around, KSPPREONLY));
  check(KSPGetPC(around, &conditioner));
  check(PCSetType(conditioner, PCSHELL));
  check(PCShellSetContext(conditioner, &shells));
  check(PCShellSetApply(conditioner, precondition));
  std::vector<::Vec> rigid;
  for (Index k = 0; k < known.cols(); ++k) {
    ::Vec one = nullptr;
    check(MatCreateVecs(K, &one, nullptr));
    double* values = nullptr;
    check(VecGetArray(one, &values));
    std::copy_n(known.col(k).data(), n, values);
    check(VecRestoreArray(one, &values));
    rigid.push_back(one);
  }
  if (!rigid.empty())
    check(EPSSetDeflationSpace(solver, static_cast<PetscInt>(rigid.size()), rigid.data()));
  const PetscErrorCode code = EPSSolve(solver);
  PetscInt converged = 0, iterations = 0;
  if (code == 0) {
    check(EPSGetConverged(solver, &converged));
    check(EPSGetIterationNumber(solver, &iterations));
  }
  shells.report.blocks += static_cast<int>(iterations);
  sinew::Mat shapes(n, std::min(converged, wanted));
  ::Vec one = nullptr;
  check(MatCreateVecs(K, &one, nullptr));
  for (Index k = 0; k < shapes.cols(); ++k) {
    check(EPSGetEigenvector(solver, static_cast<PetscInt>(k), one, nullptr));
    const double* values = nullptr;
    check(VecGetArrayRead(one, &values));
    std::copy_n(values, n, shapes.col(k).data());
    check(VecRestoreArrayRead(one, &values));
  }
  check(VecDestroy(&one));
  for (::Vec& vector : rigid) check(VecDestroy(&vector));
  check(EPSDestroy(&solver));
  check(MatDestroy(&K));
  check(MatDestroy(&M));
  return shapes;
}

}  // namespace

la::ModesReport find_modes_by_slepc(const la::Pencil& pencil, const la::BlockSolve& solve,
                                    const Mat& rigid, const la::ModesRequest& request,
                                    const la::Reducer& reducer, la::Modes& modes) {
  la::ModesReport report;
  const Index unknowns = reducer.count(pencil.K.size());
  Shells shells{.pencil = pencil, .solve = solve, .report = report, .shift = request.shift};
  if (const Vec* mass = pencil.M.diagonal_only())
    shells.mass = reducer.total(mass->sum()) / static_cast<double>(unknowns);
  const Mat shapes = lowest_shapes(shells, rigid, request);
  if (report.status != la::SolveStatus::ok) return report;
  if (shapes.cols() < request.count) report.status = la::SolveStatus::not_converged;
  // values, residuals and what is theirs, as everybody else has them
  const la::ModesReport last = la::follow_modes(pencil, solve, rigid, shapes, 1, reducer, modes);
  report.blocks += last.blocks;
  report.solves += last.solves;
  report.products += last.products;
  if (report.status == la::SolveStatus::ok) report.status = last.status;
  return report;
}

la::ModesReport find_shared_modes(const la::Pencil& pencil, const la::BlockSolve& solve,
                                  const Mat& rigid, const la::ModesRequest& request,
                                  const la::Reducer& reducer, la::Modes& modes) {
  la::ModesReport report = la::find_modes(pencil, solve, rigid, request, reducer, modes);
  // LOBPCG wants a space that is much larger than its blocks
  const Index room = 10 * (request.count + request.guards + rigid.cols());
  if (report.status != la::SolveStatus::not_converged || reducer.count(pencil.K.size()) < room)
    return report;
  la::Modes others;
  la::ModesReport second = find_modes_by_slepc(pencil, solve, rigid, request, reducer, others);
  report.blocks += second.blocks;
  report.solves += second.solves;
  report.products += second.products;
  if (second.status != la::SolveStatus::ok) return report;
  modes = std::move(others);
  report.status = la::SolveStatus::ok;
  return report;
}

}  // namespace sinew::petsc
