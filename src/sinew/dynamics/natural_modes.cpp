// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <sinew/dynamics/capabilities/material_frame.hpp>
#include <sinew/dynamics/natural_modes.hpp>
#include <sinew/la/phi/phi_action.hpp>

namespace sinew::dynamics {
namespace {

// of the largest eigenvalue: what is left of K u - lambda M u for the best u in double precision
constexpr double unit_residual = 1e-15;
// of the same: below the modes of all but the most slender bodies, and enough stiffness for rigid
// motions to be solved for
constexpr double unit_shift = 1e-9;

/// Factorises K + shift M with the first shift that makes it definite.
la::SolveStatus factorize(Linearization& linearization, double largest, la::LinearSolver& solver,
                          NaturalModes& result) {
  const core::ScopedTimer timer(result.profile.seconds.factorize);
  constexpr double growth = 10.0;
  for (;; result.shift *= growth) {
    const la::FactorReport report = solver.factorize(linearization.combine(result.shift, 0.0, 1.0));
    ++result.profile.counts.factorizations;
    result.profile.counts.analyses += report.analysed ? 1 : 0;
    if (report.status != la::SolveStatus::not_positive_definite || result.shift > largest)
      return report.status;
  }
}

}  // namespace

NaturalModes find_natural_modes(const DynamicalSystem& system, const State& state,
                                const NaturalModesRequest& request, la::LinearSolver& solver,
                                const la::Reducer& reducer) {
  NaturalModes result;
  core::Counts& counts = result.profile.counts;
  core::Seconds& seconds = result.profile.seconds;
  const core::Stopwatch watch;
  const auto workspace = system.make_workspace();
  const auto linearization = system.make_linearization();
  system.linearize(state, {}, *workspace, *linearization);
  ++counts.tangent;
  seconds.assemble = watch.seconds();

  const la::Pencil pencil{linearization->stiffness(), system.mass(), system.mass_inverse()};
  const la::SpectralBounds bounds = la::estimate_spectrum(pencil, reducer);
  const double largest = std::max(bounds.high, -bounds.low);
  result.rounding = unit_residual * largest;
  result.shift = unit_shift * largest;
  result.status = factorize(*linearization, largest, solver, result);
  if (result.status != la::SolveStatus::ok) return result;

  const MaterialFrame* frame = system.capabilities().frame;
  const Mat rigid = frame ? frame->rigid_modes(state) : Mat(system.num_dofs(), 0);
  const la::BlockSolve solve = [&](const MatIn& B, MatOut X) {
    const core::ScopedTimer timer(seconds.solve);
    return solver.solve(B, X).status;
  };
  const la::ModesReport report = la::find_modes(pencil, solve, rigid,
                                                {.count = request.count,
                                                 .shift = result.rounding / request.tolerance,
                                                 .tolerance = request.tolerance},
                                                reducer, result.modes);
  result.status = report.status;
  counts.solves = report.solves;
  counts.modes_iterations = report.blocks;
  counts.matvecs = report.products + bounds.products;
  result.modes = result.modes.first(rigid.cols() + request.count);
  for (const double share : result.modes.given_share) result.is_rigid.push_back(share > 0.5);
  result.damping = Vec::Zero(result.modes.size());
  if (const la::LinearOperator* D = linearization->damping()) {
    Mat DU(result.modes.U.rows(), result.modes.size());
    D->apply_columns(result.modes.U, DU);
    result.damping = reducer.column_dots(result.modes.U, DU);
  }
  seconds.modes = watch.seconds() - seconds.assemble - seconds.factorize - seconds.solve;
  return result;
}

}  // namespace sinew::dynamics
