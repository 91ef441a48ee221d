// SPDX-License-Identifier: Apache-2.0
// Saint Venant-Kirchhoff: psi = mu |E|^2 + lambda/2 tr(E)^2, E = (F^T F - I)/2.
// Linear elasticity in the Green strain; soft in strong compression (stress falls below about 58 %
// of the length and vanishes at full collapse), so elements can invert without resistance.
#pragma once

#include <sinew/physics/elements/principal.hpp>

namespace sinew::physics {

template <class T>
struct Stvk {
  T mu, lambda;

  static Parameters parameters(const Moduli& moduli) { return {moduli.mu, moduli.lambda}; }
  static Moduli small_strain(const Moduli& moduli) { return moduli; }
  static Stvk make(const std::array<T, max_parameters>& p) { return {p[0], p[1]}; }

  static Matrix3<T> green_strain(const Matrix3<T>& F) {
    Matrix3<T> E;
    for (int k = 0; k < 3; ++k)
      E.c[k] = {0.5 * dot(F.c[0], F.c[k]), 0.5 * dot(F.c[1], F.c[k]), 0.5 * dot(F.c[2], F.c[k])};
    add_to_diagonal(E, T(T{} - 0.5));
    return E;
  }

  /// Second Piola-Kirchhoff stress.
  Matrix3<T> second_piola(const Matrix3<T>& F) const {
    const Matrix3<T> E = green_strain(F);
    Matrix3<T> S = T(2.0 * mu) * E;
    add_to_diagonal(S, T(lambda * (E.c[0].x + E.c[1].y + E.c[2].z)));
    return S;
  }

  T energy_density(const Matrix3<T>& F) const {
    const Matrix3<T> E = green_strain(F);
    const T trace = E.c[0].x + E.c[1].y + E.c[2].z;
    return mu * squared_norm(E) + 0.5 * lambda * trace * trace;
  }

  Matrix3<T> first_piola(const Matrix3<T>& F) const {
    const Matrix3<T> S = second_piola(F);
    return {{F * S.c[0], F * S.c[1], F * S.c[2]}};
  }

  struct Tangent {
    T mu, lambda;
    Matrix3<T> F, S, FFt;

    /// (a.S b) I + mu [(Fb)(Fa)^T + (a.b) F F^T] + lambda (Fa)(Fb)^T
    Matrix3<T> contract(const Vector3<T>& a, const Vector3<T>& b) const {
      const Vector3<T> Fa = F * a;
      const Vector3<T> Fb = F * b;
      Matrix3<T> block = outer(mu * Fb, Fa) + outer(lambda * Fa, Fb) + T(mu * dot(a, b)) * FFt;
      add_to_diagonal(block, T(dot(a, S * b)));
      return block;
    }
  };

  Tangent tangent(const Matrix3<T>& F) const {
    const Matrix3<T> FFt = outer(F.c[0], F.c[0]) + outer(F.c[1], F.c[1]) + outer(F.c[2], F.c[2]);
    return {mu, lambda, F, second_piola(F), FFt};
  }

  PrincipalDerivatives<T> principal(const std::array<T, 3>& s) const {
    const T offset =
        0.5 * lambda * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2] - 3.0) - mu;  // S_k - mu s_k^2
    PrincipalDerivatives<T> d;
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      d.first[k] = s[k] * (mu * s[k] * s[k] + offset);
      d.second[k][k] = 3.0 * mu * s[k] * s[k] + offset + lambda * s[k] * s[k];
      d.second[i][j] = d.second[j][i] = lambda * s[i] * s[j];
      const T squares = s[i] * s[i] + s[j] * s[j];
      d.flip[k] = offset + mu * (squares + s[i] * s[j]);
      d.twist[k] = offset + mu * (squares - s[i] * s[j]);
    }
    return d;
  }
};

}  // namespace sinew::physics
