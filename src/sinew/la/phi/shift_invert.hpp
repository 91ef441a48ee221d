// SPDX-License-Identifier: Apache-2.0
// Sums of phi functions of a general matrix by Arnoldi's method for (I - gamma A)^-1. Where damping
// ends all fast motion within the step, some tens of solves with one factor do, however stiff A is.
#pragma once

#include <span>

#include <sinew/la/phi/general_map.hpp>
#include <sinew/la/phi/phi_action.hpp>

namespace sinew::la {

struct ShiftInvertSettings {
  double tolerance = 1e-6;  ///< relative to GeneralMap::scale_of each output
  double gamma = 0.05;      ///< of the inverse
  int max_dimension = 80;
  /// What is left over early in the step is known to be gone at its end: damping ends all motion
  /// that is too fast for the space. Otherwise it counts in full, which takes many more vectors.
  bool fast_motion_ends = false;
};

/// `not_converged`: not with so many vectors. `not_positive_definite`: G is not. Column k - 1 of B
/// is b_k; column i of Y is y(times[i]).
PhiReport phi_shift_invert(const GeneralMap& A, const ShiftedInverse& inverse, const MatIn& B,
                           std::span<const double> times, MatOut Y,
                           const ShiftInvertSettings& settings, const Reducer& reducer);

}  // namespace sinew::la
