// SPDX-License-Identifier: Apache-2.0
// Sums of phi functions of a general matrix by Krylov spaces of the matrix enlarged by p rows, with
// full orthogonalisation, substeps and a dimension that adapt to each other.
#pragma once

#include <span>

#include <sinew/la/phi/general_map.hpp>
#include <sinew/la/phi/phi_action.hpp>

namespace sinew::la {

struct ArnoldiSettings {
  double tolerance = 1e-6;  ///< relative to GeneralMap::scale_of each output
  int min_dimension = 10;
  int max_dimension = 60;
  int max_substeps = 10000;
};

/// `not_positive_definite`: G is not. Column k - 1 of B is b_k; column i of Y is y(times[i]), times
/// ascending and positive.
PhiReport phi_arnoldi(const GeneralMap& A, const MatIn& B, std::span<const double> times, MatOut Y,
                      const ArnoldiSettings& settings, const Reducer& reducer);

}  // namespace sinew::la
