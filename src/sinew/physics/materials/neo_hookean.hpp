// SPDX-License-Identifier: Apache-2.0
// psi = mu/2 (|F|^2 - 3) - mu ln detF + lambda/2 (ln detF)^2. The logarithm is a barrier: energy
// and stress do not exist for flat or inverted elements. A line search stays clear of them; a
// method without one ends its step with "not-finite".
#pragma once

#include <sinew/physics/materials/invariants.hpp>

namespace sinew::physics {

template <class T>
struct NeoHookean : InvariantMaterial<T, NeoHookean<T>> {
  T mu, lambda;

  static Parameters parameters(const Moduli& moduli) { return {moduli.mu, moduli.lambda}; }
  static Moduli small_strain(const Moduli& moduli) { return moduli; }
  static NeoHookean make(const std::array<T, max_parameters>& p) {
    NeoHookean material;
    material.mu = p[0];
    material.lambda = p[1];
    return material;
  }

  T psi(const T& i, const T& j) const {
    const T l = logarithm(j);
    return 0.5 * mu * (i - 3.0) - mu * l + 0.5 * lambda * l * l;
  }

  InvariantDerivatives<T> derivatives(const T&, const T& j) const {
    const T l = logarithm(j), zero = mu - mu;
    return {0.5 * mu, (lambda * l - mu) / j, zero, zero, (lambda * (1.0 - l) + mu) / (j * j)};
  }
};

}  // namespace sinew::physics
