// SPDX-License-Identifier: Apache-2.0
// psi = mu sum (s_i - 1)^2 + lambda/2 (detF - 1)^2: the corotated energy with a volume term that
// knows the sign of detF, so that inverted elements are pushed back. After Stomakhin et al. 2012.
#pragma once

#include <sinew/physics/elements/principal.hpp>

namespace sinew::physics {

template <class T>
struct FixedCorotated : PrincipalMaterial<T, FixedCorotated<T>> {
  T mu, lambda;

  static Parameters parameters(const Moduli& moduli) { return {moduli.mu, moduli.lambda}; }
  static Moduli small_strain(const Moduli& moduli) { return moduli; }
  static FixedCorotated make(const std::array<T, max_parameters>& p) {
    FixedCorotated material;
    material.mu = p[0];
    material.lambda = p[1];
    return material;
  }

  T psi(const std::array<T, 3>& s) const {
    const T a = s[0] - 1.0, b = s[1] - 1.0, c = s[2] - 1.0, j = s[0] * s[1] * s[2] - 1.0;
    return mu * (a * a + b * b + c * c) + 0.5 * lambda * j * j;
  }

  PrincipalDerivatives<T> principal(const std::array<T, 3>& s) const {
    PrincipalDerivatives<T> d;
    const T pressure = lambda * (s[0] * s[1] * s[2] - 1.0);
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      const T area = s[i] * s[j];
      d.first[k] = 2.0 * mu * (s[k] - 1.0) + pressure * area;
      d.second[k][k] = 2.0 * mu + lambda * area * area;
      // d^2/ds_i ds_j: lambda (detF/s_i)(detF/s_j) + pressure s_k
      d.second[i][j] = d.second[j][i] = lambda * (s[j] * s[k]) * (s[i] * s[k]) + pressure * s[k];
      d.flip[k] = 2.0 * mu - pressure * s[k];
      d.twist[k] = 2.0 * mu - 4.0 * mu / (s[i] + s[j]) + pressure * s[k];
    }
    return d;
  }
};

}  // namespace sinew::physics
