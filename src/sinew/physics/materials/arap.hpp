// SPDX-License-Identifier: Apache-2.0
// As rigid as possible: psi = mu |F - R|^2 = mu sum (s_i - 1)^2, R the nearest rotation. Small
// strains give linear elasticity with the same mu and lambda = 0: volume is not resisted as such.
#pragma once

#include <sinew/physics/elements/principal.hpp>

namespace sinew::physics {

template <class T>
struct Arap : PrincipalMaterial<T, Arap<T>> {
  T mu;

  static Parameters parameters(const Moduli& moduli) { return {moduli.mu, 0.0}; }
  static Moduli small_strain(const Moduli& moduli) { return {moduli.mu, 0.0}; }
  static Arap make(const std::array<T, max_parameters>& p) {
    Arap material;
    material.mu = p[0];
    return material;
  }

  T psi(const std::array<T, 3>& s) const {
    const T a = s[0] - 1.0, b = s[1] - 1.0, c = s[2] - 1.0;
    return mu * (a * a + b * b + c * c);
  }

  PrincipalDerivatives<T> principal(const std::array<T, 3>& s) const {
    PrincipalDerivatives<T> d;
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      d.first[k] = 2.0 * mu * (s[k] - 1.0);
      for (int l = 0; l < 3; ++l) d.second[k][l] = (k == l ? 2.0 : 0.0) * mu;
      d.flip[k] = 2.0 * mu;
      d.twist[k] = 2.0 * mu - 4.0 * mu / (s[i] + s[j]);
    }
    return d;
  }
};

}  // namespace sinew::physics
