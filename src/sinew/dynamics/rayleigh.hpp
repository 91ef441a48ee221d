// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <sinew/dynamics/linearization.hpp>
#include <sinew/la/reducer.hpp>

namespace sinew::dynamics {

/// D = mass * M + stiffness * K.
struct Rayleigh {
  double mass = 0.0;       ///< [1/s]
  double stiffness = 0.0;  ///< [s]
};

/// The two numbers, where the damping matrix is such a sum of M and the K of the same linearisation
/// up to rounding; zeros without damping. Nothing for any other D, or one whose entries cannot be
/// seen. One pass over the entries.
std::optional<Rayleigh> find_rayleigh(const la::LinearOperator& M,
                                      const Linearization& linearization,
                                      const la::Reducer& reducer);

}  // namespace sinew::dynamics
