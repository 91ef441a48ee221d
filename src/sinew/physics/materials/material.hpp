// SPDX-License-Identifier: Apache-2.0
// What a hyperelastic material is. Each is a small struct template over the scalar type:
//
//   energy_density(F)      psi(F)                                           [J/m^3]
//   first_piola(F)         P = d psi / dF                                   [Pa]
//   tangent(F).stress()    P again; only where the tangent is so costly that it should serve both
//   tangent(F).contract(a, b)_ik = sum_jl d^2 psi / dF_ij dF_kl a_j b_l     [Pa/m^2]
//                          for a, b in 1/m
//   principal(s)           derivatives of psi by the singular values (principal.hpp), for the
//                          definite tangents; absent where the tangent is constant and positive
//                          semi-definite
//
// together with parameters(moduli), make(parameters), and small_strain(moduli): the moduli of
// linear elasticity that it has near the rest shape.
//
// The contraction is what an element needs: its stiffness block for nodes with shape gradients a, b
// is volume * contract(a, b). Closed forms only; nothing is differentiated numerically.
#pragma once

#include <array>

#include <sinew/physics/elements/pack.hpp>

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
