// SPDX-License-Identifier: Apache-2.0
// The numbers that elements carry for their material.
#pragma once

#include <array>

namespace sinew::physics {

/// Largest number of parameters of any material.
inline constexpr int max_parameters = 3;
using Parameters = std::array<double, max_parameters>;

/// Largest number of constants that a material has beside Young's modulus and Poisson's ratio.
inline constexpr int max_constants = 4;

/// The constants that a user gives, whatever the material makes of them.
struct Moduli {
  double mu = 0.0;                             ///< shear modulus of linear elasticity [Pa]
  double lambda = 0.0;                         ///< Lame's first parameter of it [Pa]
  std::array<double, max_constants> own = {};  ///< in the order of MaterialEntry::constants
};

/// From Young's modulus [Pa] and Poisson's ratio [-].
constexpr Moduli moduli(double young, double poisson,
                        const std::array<double, max_constants>& own = {}) {
  return {young / (2.0 * (1.0 + poisson)),
          young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)), own};
}

}  // namespace sinew::physics
