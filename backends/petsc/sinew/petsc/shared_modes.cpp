// SPDX-License-Identifier: Apache-2.0
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

la::ModesReport find_shared_modes(const la::Pencil& pencil, const la::BlockSolve& solve,
                                  const Mat& rigid, const la::ModesRequest& request,
                                  const la::Reducer& reducer, la::Modes& modes) {
  la::ModesReport report;
  Shells shells{pencil, solve, report};
  const Index unknowns = reducer.count(pencil.K.size());
  const Index wanted = request.count + request.guards;
  // LOBPCG wants a space that is much larger than its blocks
  if (unknowns > 10 * (wanted + rigid.cols())) {
    const Mat shapes = lowest_shapes(shells, rigid, request);
    if (report.status == la::SolveStatus::ok && shapes.cols() == wanted) {
      // values, residuals and what is theirs, as everybody else has them
      la::ModesReport last = la::follow_modes(pencil, solve, rigid, shapes, 1, reducer, modes);
      last.blocks += report.blocks;
      last.solves += report.solves;
      last.products += report.products;
      return last;
    }
  }
  la::ModesReport own = la::find_modes(pencil, solve, rigid, request, reducer, modes);
  own.blocks += report.blocks;
  own.solves += report.solves;
  own.products += report.products;
  return own;
}

}  // namespace sinew::petsc
