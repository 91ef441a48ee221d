// SPDX-License-Identifier: Apache-2.0
#include <sinew/integrators/parts/shifted_matrix.hpp>

namespace sinew::integrators {

la::SolveStatus ShiftedMatrix::factorize(double c) {
  if (!solver_) solver_ = services_.make_direct_solver(*services_.reducer);
  return solver_->factorize(linearization_->combine(1.0, c, c * c)).status;
}

la::SolveStatus ShiftedMatrix::solve(const VecIn& b, VecOut x) {
  return solver_->solve(b, x).status;
}

}  // namespace sinew::integrators
