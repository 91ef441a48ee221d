// SPDX-License-Identifier: Apache-2.0
// The lowest modes of K x = lambda M x, by solves with a matrix that has been factorised for
// another purpose: S = m M + k K, or anything near it. The residuals of Ritz vectors, divided by S,
// are where the space lacks something; a block of them at a time goes in. With exact solves that is
// block Lanczos with S^-1 M, whatever repeated, zero or negative eigenvalues there are.
//
// A residual counts relative to |lambda| + 1/(k/m), where the modes of S^-1 M are apart: that is
// also how it acts in a step of size h, where k/m = h^2.
#pragma once

#include <functional>

#include <sinew/la/eigen/ritz_space.hpp>
#include <sinew/la/solvers/linear_solver.hpp>

namespace sinew::la {

/// X ~ S^-1 B for blocks of right-hand sides.
using BlockSolve = std::function<SolveStatus(const MatIn& B, MatOut X)>;

struct ModesRequest {
  Index count = 10;         ///< wanted, beside the rigid ones
  Index guards = 3;         ///< further ones that speed up the last of the wanted
  double shift = 0.0;       ///< m/k of S [1/s^2]
  double tolerance = 1e-4;  ///< of residual / (|lambda| + shift)
  int max_blocks = 100;     ///< block solves before giving up

  double relative_residual(const Modes& modes, Index k) const {
    return modes.residual[k] / (std::abs(modes.lambda[k]) + shift);
  }
};

struct [[nodiscard]] ModesReport {
  SolveStatus status = SolveStatus::ok;  ///< not_converged: the residuals say how far it got
  int blocks = 0;                        ///< block solves
  long solves = 0;                       ///< right-hand sides
  long products = 0;                     ///< of K with a vector
};

/// From nothing. `rigid`: modes that are known, M-independent; they come first among equals.
/// `modes` gets them, `count` more and up to `guards` of lesser quality.
ModesReport find_modes(const Pencil& pencil, const BlockSolve& solve, const Mat& rigid,
                       const ModesRequest& request, const Reducer& reducer, Modes& modes);

/// Whoever finds them from nothing.
using FindModes = std::function<ModesReport(const Pencil&, const BlockSolve&, const Mat& rigid,
                                            const ModesRequest&, const Reducer&, Modes&)>;

/// From shapes that were modes of nearly this pencil, by `blocks` block solves. `shapes` holds
/// count + guards columns, none of them rigid.
ModesReport follow_modes(const Pencil& pencil, const BlockSolve& solve, const Mat& rigid,
                         const Mat& shapes, int blocks, const Reducer& reducer, Modes& modes);

/// The shapes of modes without the rigid ones, for follow_modes().
Mat flexible_shapes(const Modes& modes, Index num_rigid);

}  // namespace sinew::la
