// SPDX-License-Identifier: Apache-2.0
// psi = mu/2 (|F|^2 - 3) - mu (detF - 1) + (lambda + mu)/2 (detF - 1)^2
// Finite for every F, inverted ones included; small strains give linear elasticity with the same mu
// and lambda, because d^2(detF) contributes -mu to the volumetric part. After Smith, de Goes and
// Kim 2018, without their logarithm.
#pragma once

#include <sinew/physics/materials/invariants.hpp>

namespace sinew::physics {

template <class T>
struct StableNeoHookean {
  T mu, lambda_bar;  ///< lambda_bar = lambda + mu

  static Parameters parameters(const Moduli& moduli) {
    return {moduli.mu, moduli.lambda + moduli.mu};
  }
  static Moduli small_strain(const Moduli& moduli) { return moduli; }
  static StableNeoHookean make(const std::array<T, max_parameters>& p) { return {p[0], p[1]}; }

  T energy_density(const Matrix3<T>& F) const {
    const T j = dot(F.c[0], cross(F.c[1], F.c[2])) - 1.0;
    return 0.5 * mu * (squared_norm(F) - 3.0) - mu * j + 0.5 * lambda_bar * j * j;
  }

  Matrix3<T> first_piola(const Matrix3<T>& F) const {
    const Matrix3<T> cof = cofactor(F);
    const T pressure = lambda_bar * (dot(F.c[0], cof.c[0]) - 1.0) - mu;
    return mu * F + pressure * cof;
  }

  struct Tangent {
    T mu, lambda_bar, pressure;
    Matrix3<T> F, cof;

    /// mu (a.b) I + lambda_bar (cof a)(cof b)^T + pressure d(cof), where the last one is the
    /// cross-product matrix of F (a x b).
    Matrix3<T> contract(const Vector3<T>& a, const Vector3<T>& b) const {
      Matrix3<T> block = outer(lambda_bar * (cof * a), cof * b);
      add_to_diagonal(block, T(mu * dot(a, b)));
      add_cross(block, Vector3<T>(pressure * (F * cross(a, b))));
      return block;
    }
  };

  Tangent tangent(const Matrix3<T>& F) const {
    const Matrix3<T> cof = cofactor(F);
    const T pressure = lambda_bar * (dot(F.c[0], cof.c[0]) - 1.0) - mu;
    return {mu, lambda_bar, pressure, F, cof};
  }

  PrincipalDerivatives<T> principal(const std::array<T, 3>& s) const {
    const T pressure = lambda_bar * (s[0] * s[1] * s[2] - 1.0) - mu, zero = mu - mu;
    return principal_of_invariants({0.5 * mu, pressure, zero, zero, lambda_bar}, s);
  }
};

}  // namespace sinew::physics
