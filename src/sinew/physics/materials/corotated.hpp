// SPDX-License-Identifier: Apache-2.0
// Rotation-extracted linear elasticity: psi = mu sum (s_i - 1)^2 + lambda/2 (s_0 + s_1 + s_2 -
// 3)^2, the strain being R^T F - I. Weak against inversion: flat elements cost a finite energy.
#pragma once

#include <sinew/physics/elements/principal.hpp>

namespace sinew::physics {

template <class T>
struct Corotated : PrincipalMaterial<T, Corotated<T>> {
  T mu, lambda;

  static Parameters parameters(const Moduli& moduli) { return {moduli.mu, moduli.lambda}; }
  static Moduli small_strain(const Moduli& moduli) { return moduli; }
  static Corotated make(const std::array<T, max_parameters>& p) {
    Corotated material;
    material.mu = p[0];
    material.lambda = p[1];
    return material;
  }

  T psi(const std::array<T, 3>& s) const {
    const T a = s[0] - 1.0, b = s[1] - 1.0, c = s[2] - 1.0, trace = a + b + c;
    return mu * (a * a + b * b + c * c) + 0.5 * lambda * trace * trace;
  }

  PrincipalDerivatives<T> principal(const std::array<T, 3>& s) const {
    PrincipalDerivatives<T> d;
    const T trace = s[0] + s[1] + s[2] - 3.0;
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      d.first[k] = 2.0 * mu * (s[k] - 1.0) + lambda * trace;
      for (int l = 0; l < 3; ++l) d.second[k][l] = (k == l ? 2.0 : 0.0) * mu + lambda;
      d.flip[k] = 2.0 * mu;
      d.twist[k] = 2.0 * mu + 2.0 * (lambda * trace - 2.0 * mu) / (s[i] + s[j]);
    }
    return d;
  }
};

}  // namespace sinew::physics
