// SPDX-License-Identifier: Apache-2.0
// A lagged factor for most matrices, an iterative solver where factors are too large to pay: chosen
// from the pattern alone, so that neither clocks nor threads change a bit.
#pragma once

#include <sinew/la/block_pattern.hpp>
#include <sinew/la/solvers/lagged_solver.hpp>

namespace sinew::la {

/// Nodes that must be removed to cut a body in two, about: the mean width of the band.
double band_width(const BlockPattern& pattern);

/// What a row of the table means for a sequence of matrices that change little: a lagged factor, an
/// iteration, or either of them where it has both. The reducer must outlive the solver.
std::unique_ptr<LinearSolver> make_sequence_solver(const SolverEntry& entry, const Reducer& reducer,
                                                   const LagSettings& settings = {});

}  // namespace sinew::la
