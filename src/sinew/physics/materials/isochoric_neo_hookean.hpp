// SPDX-License-Identifier: Apache-2.0
// psi = mu/2 (detF^(-2/3) |F|^2 - 3) + lambda/2 (detF - 1)^2, with the sign-preserving cube root,
// so that inverted elements have a finite energy; flat ones have not. The bulk modulus is lambda,
// hence small strains give linear elasticity with mu and lambda - 2 mu/3.
#pragma once

#include <sinew/physics/materials/invariants.hpp>

namespace sinew::physics {

template <class T>
struct IsochoricNeoHookean : InvariantMaterial<T, IsochoricNeoHookean<T>> {
  T mu, lambda;

  static Parameters parameters(const Moduli& moduli) { return {moduli.mu, moduli.lambda}; }
  static Moduli small_strain(const Moduli& moduli) {
    return {moduli.mu, moduli.lambda - 2.0 * moduli.mu / 3.0};
  }
  static IsochoricNeoHookean make(const std::array<T, max_parameters>& p) {
    IsochoricNeoHookean material;
    material.mu = p[0];
    material.lambda = p[1];
    return material;
  }

  T psi(const T& i, const T& j) const {
    const T r = cube_root(j);
    return 0.5 * mu * (i / (r * r) - 3.0) + 0.5 * lambda * (j - 1.0) * (j - 1.0);
  }

  InvariantDerivatives<T> derivatives(const T& i, const T& j) const {
    const T r = cube_root(j), scale = 0.5 * mu / (r * r);  // d/dI
    return {scale, -2.0 / 3.0 * scale * i / j + lambda * (j - 1.0), mu - mu, -2.0 / 3.0 * scale / j,
            10.0 / 9.0 * scale * i / (j * j) + lambda};
  }
};

}  // namespace sinew::physics
