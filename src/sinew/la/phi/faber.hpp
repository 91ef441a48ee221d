// SPDX-License-Identifier: Apache-2.0
// Sums of phi functions of a general matrix by Faber polynomials on an ellipse around its field of
// values: Chebyshev series for a matrix that is damped as well. They need no basis and no small
// problem, their error is known before the first product, and it cannot be larger: F_n(A) <= 2 in
// the norm of the inner product, for any matrix (Beckermann 2005).
#pragma once

#include <span>

#include <sinew/la/phi/general_map.hpp>
#include <sinew/la/phi/phi_action.hpp>

namespace sinew::la {

struct FaberSettings {
  double tolerance = 1e-6;  ///< relative to GeneralMap::scale_of each output
  int max_degree = 50000;
};

/// z = centre + real cos t + i imaginary sin t.
struct Ellipse {
  double centre = 0.0, real = 0.0, imaginary = 0.0;
};
/// One that holds the region, and on which the exponential has the shortest series among those
/// where it is not too large for double precision at this tolerance.
struct FaberPlan {
  Ellipse ellipse;
  double degree = 0.0;  ///< about what the series will need
};
FaberPlan plan_faber(const FieldOfValues& field, double tolerance);

/// `not_converged`: the ellipse is too small, or the degree too high. `not_positive_definite`: G is
/// not. Column k - 1 of B is b_k; column i of Y is y(times[i]).
PhiReport phi_faber(const GeneralMap& A, const Ellipse& ellipse, const MatIn& B,
                    std::span<const double> times, MatOut Y, const FaberSettings& settings,
                    const Reducer& reducer);

}  // namespace sinew::la
