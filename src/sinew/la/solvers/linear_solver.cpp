// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <sinew/la/solvers/cg.hpp>
#include <sinew/la/solvers/eigen_solver.hpp>
#include <sinew/la/solvers/linear_solver.hpp>
#ifdef SINEW_HAS_OPENBLAS
#include <sinew/la/solvers/multigrid_solver.hpp>
#include <sinew/la/solvers/openblas.hpp>
#include <sinew/la/solvers/supernodal_solver.hpp>
#endif

namespace sinew::la {

std::string_view to_string(SolveStatus status) {
  switch (status) {
    case SolveStatus::ok:
      return "ok";
    case SolveStatus::not_converged:
      return "not converged";
    case SolveStatus::not_positive_definite:
      return "not positive definite";
    case SolveStatus::not_finite:
      return "not finite";
  }
  return "unknown";
}

std::string_view blas_name() {
#ifdef SINEW_HAS_OPENBLAS
  return openblas_name();
#else
  return "none";
#endif
}

std::span<const SolverEntry> solvers() {
  static constexpr std::array table{
#ifdef SINEW_HAS_OPENBLAS
      SolverEntry{"auto", "supernodal, with lagged factors multigrid for large bulky bodies", true,
                  make_supernodal_solver, make_rough_supernodal_solver, make_multigrid_solver},
      SolverEntry{"supernodal", "supernodal Cholesky on all threads, METIS or AMD order", true,
                  make_supernodal_solver, make_rough_supernodal_solver},
      SolverEntry{"multigrid", "conjugate gradients with two-level multigrid", false,
                  make_tight_multigrid_solver, nullptr, make_multigrid_solver},
#endif
      SolverEntry{"eigen", "simplicial Cholesky (Eigen), AMD order", true, make_eigen_solver},
      SolverEntry{"cg", "conjugate gradients, diagonal preconditioner, tolerance 1e-10", false,
                  make_cg_solver},
  };
  return table;
}

}  // namespace sinew::la
