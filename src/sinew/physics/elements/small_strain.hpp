// SPDX-License-Identifier: Apache-2.0
// The quadratic form of linear elasticity in a gradient G: psi = mu |sym G|^2 + lambda/2 tr(G)^2.
// With G the gradient of the velocity this is stiffness-proportional damping about the rest shape.
#pragma once

#include <sinew/physics/elements/material_parameters.hpp>
#include <sinew/physics/elements/pack.hpp>

namespace sinew::physics {

template <class T>
struct SmallStrain {
  T mu, lambda;

  static Parameters parameters(const Moduli& moduli) { return {moduli.mu, moduli.lambda}; }
  static Moduli small_strain(const Moduli& moduli) { return moduli; }
  static SmallStrain make(const std::array<T, max_parameters>& p) { return {p[0], p[1]}; }

  T energy_density(const Matrix3<T>& G) const {
    const T trace = G.c[0].x + G.c[1].y + G.c[2].z;
    return 0.25 * mu * squared_norm(G + transposed(G)) + 0.5 * lambda * trace * trace;
  }

  Matrix3<T> first_piola(const Matrix3<T>& G) const {
    Matrix3<T> P = mu * (G + transposed(G));
    add_to_diagonal(P, T(lambda * (G.c[0].x + G.c[1].y + G.c[2].z)));
    return P;
  }

  struct Tangent {
    T mu, lambda;

    /// mu (a.b) I + mu b a^T + lambda a b^T
    Matrix3<T> contract(const Vector3<T>& a, const Vector3<T>& b) const {
      Matrix3<T> block = outer(mu * b, a) + outer(lambda * a, b);
      add_to_diagonal(block, T(mu * dot(a, b)));
      return block;
    }
  };

  Tangent tangent(const Matrix3<T>&) const { return {mu, lambda}; }
};

}  // namespace sinew::physics
