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

#include <sinew/physics/elements/material_parameters.hpp>
#include <sinew/physics/elements/pack.hpp>
