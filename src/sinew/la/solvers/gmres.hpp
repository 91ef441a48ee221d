// SPDX-License-Identifier: Apache-2.0
// GMRES for operators that are not symmetric, with a preconditioner on the right: the residual it
// watches is that of the equation itself. No restarts, since preconditioners are good here.
#pragma once

#include <functional>

#include <sinew/la/solvers/linear_solver.hpp>

namespace sinew::la {

/// y = A x.
using Product = std::function<void(const Vec& x, Vec& y)>;
/// z ~ A^-1 r; anything but ok ends the iteration with that status.
using Approximation = std::function<SolveStatus(const Vec& r, Vec& z)>;

struct GmresSettings {
  double tolerance = 1e-10;  ///< of the residual, relative to the right-hand side
  int max_iterations = 100;
};

/// x from nothing. Not converged: x is the best of what was seen.
SolveReport gmres(const Product& product, const Approximation& precondition, const Vec& b, Vec& x,
                  const GmresSettings& settings, const Reducer& reducer);

}  // namespace sinew::la
