// SPDX-License-Identifier: Apache-2.0
// psi = c1 (detF^(-2/3) I1 - 3) + c2 (detF^(-4/3) I2 - 3) + kappa/2 (detF - 1)^2
// with I1 = |F|^2 and I2 = |cof F|^2; c1 + c2 = mu/2, c2 = mooney mu/2, kappa = lambda + 2 mu/3.
// Small strains give linear elasticity with mu and lambda. The cube root keeps its sign, so
// inverted elements have a finite energy; flat ones have not.
#pragma once

#include <sinew/physics/elements/principal.hpp>

namespace sinew::physics {

template <class T>
struct MooneyRivlin {
  T c1, c2, kappa;

  static Parameters parameters(const Moduli& moduli) {
    const double mooney = moduli.own[0];
    return {0.5 * moduli.mu * (1.0 - mooney), 0.5 * moduli.mu * mooney,
            moduli.lambda + 2.0 * moduli.mu / 3.0};
  }
  static Moduli small_strain(const Moduli& moduli) { return {moduli.mu, moduli.lambda}; }
  static MooneyRivlin make(const std::array<T, max_parameters>& p) { return {p[0], p[1], p[2]}; }

  /// Derivatives of psi by I1 (1), I2 (2) and detF (j); psi is linear in I1 and I2.
  struct Derivatives {
    T i1, i2, j, i1j, i2j, jj;
  };

  Derivatives derivatives(const T& I1, const T& I2, const T& j) const {
    const T r = cube_root(j), r2 = 1.0 / (r * r), inverse = 1.0 / j;
    const T a = c1 * r2, b = c2 * r2 * r2;  // d/dI1 and d/dI2
    const T aj = -2.0 / 3.0 * a * inverse, bj = -4.0 / 3.0 * b * inverse;
    return {a,  b,  aj * I1 + bj * I2 + kappa * (j - 1.0),
            aj, bj, (-5.0 / 3.0 * aj * I1 - 7.0 / 3.0 * bj * I2) * inverse + kappa};
  }

  T energy_density(const Matrix3<T>& F) const {
    const Matrix3<T> cof = cofactor(F);
    const T j = dot(F.c[0], cof.c[0]), r = cube_root(j), r2 = 1.0 / (r * r);
    return c1 * (r2 * squared_norm(F) - 3.0) + c2 * (r2 * r2 * squared_norm(cof) - 3.0) +
           0.5 * kappa * (j - 1.0) * (j - 1.0);
  }

  /// d I2 / dF = 2 (I1 F - F F^T F), by columns.
  static Matrix3<T> second_invariant_gradient(const Matrix3<T>& F, const Matrix3<T>& FFt,
                                              const T& I1) {
    const T scale = 2.0 * I1, minus_two = scale - scale - 2.0;
    return scale * F + minus_two * Matrix3<T>{{FFt * F.c[0], FFt * F.c[1], FFt * F.c[2]}};
  }
  static Matrix3<T> times_transposed(const Matrix3<T>& F) {
    return outer(F.c[0], F.c[0]) + outer(F.c[1], F.c[1]) + outer(F.c[2], F.c[2]);
  }

  Matrix3<T> first_piola(const Matrix3<T>& F) const {
    const Matrix3<T> cof = cofactor(F);
    const T I1 = squared_norm(F);
    const Derivatives d = derivatives(I1, T(squared_norm(cof)), T(dot(F.c[0], cof.c[0])));
    return T(2.0 * d.i1) * F + d.i2 * second_invariant_gradient(F, times_transposed(F), I1) +
           d.j * cof;
  }

  struct Tangent {
    Derivatives d;
    T I1;
    Matrix3<T> F, FFt, cof, G;  // G = d I2 / dF

    Matrix3<T> contract(const Vector3<T>& a, const Vector3<T>& b) const {
      const Vector3<T> Fa = F * a, Fb = F * b, ca = cof * a, cb = cof * b;
      const Vector3<T> Ga = G * a, Gb = G * b;
      // mixed derivatives: I1 with detF, I2 with detF, detF twice
      const Vector3<T> left = T(2.0 * d.i1j) * Fa + d.i2j * Ga + d.jj * ca;
      const Vector3<T> right = T(2.0 * d.i1j) * Fb + d.i2j * Gb;
      Matrix3<T> block = outer(left, cb) + outer(ca, right);
      // second derivative of I2: 4 Fa Fb^T - 2 Fb Fa^T + 2 (I1 a.b - Fa.Fb) 1 - 2 (a.b) F F^T
      const T ab = dot(a, b), twice = 2.0 * d.i2;
      block =
          block + outer(T(2.0 * twice) * Fa, Fb) + outer(T(-twice) * Fb, Fa) + T(-twice * ab) * FFt;
      add_to_diagonal(block, T(twice * (I1 * ab - dot(Fa, Fb)) + 2.0 * d.i1 * ab));
      add_cross(block, Vector3<T>(d.j * (F * cross(a, b))));
      return block;
    }
  };

  Tangent tangent(const Matrix3<T>& F) const {
    const Matrix3<T> cof = cofactor(F), FFt = times_transposed(F);
    const T I1 = squared_norm(F);
    const Derivatives d = derivatives(I1, T(squared_norm(cof)), T(dot(F.c[0], cof.c[0])));
    return {d, I1, F, FFt, cof, second_invariant_gradient(F, FFt, I1)};
  }

  PrincipalDerivatives<T> principal(const std::array<T, 3>& s) const {
    const T square[3] = {s[0] * s[0], s[1] * s[1], s[2] * s[2]};
    const T I1 = square[0] + square[1] + square[2];
    const T I2 = square[0] * square[1] + square[1] * square[2] + square[2] * square[0];
    const Derivatives d = derivatives(I1, I2, T(s[0] * s[1] * s[2]));
    PrincipalDerivatives<T> result;
    T g1[3], g2[3], gj[3];  // gradients of I1, I2, detF by s
    for (int k = 0; k < 3; ++k) {
      g1[k] = 2.0 * s[k];
      g2[k] = 2.0 * s[k] * (I1 - square[k]);
      gj[k] = s[(k + 1) % 3] * s[(k + 2) % 3];
    }
    const auto mixed = [&](int a, int b) {
      return d.i1j * (g1[a] * gj[b] + g1[b] * gj[a]) + d.i2j * (g2[a] * gj[b] + g2[b] * gj[a]) +
             d.jj * gj[a] * gj[b];
    };
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      result.first[k] = d.i1 * g1[k] + d.i2 * g2[k] + d.j * gj[k];
      result.second[k][k] = T(mixed(k, k) + 2.0 * d.i1 + 2.0 * d.i2 * (I1 - square[k]));
      result.second[i][j] = result.second[j][i] =
          T(mixed(i, j) + 4.0 * d.i2 * s[i] * s[j] + d.j * s[k]);
      result.flip[k] = 2.0 * d.i1 + 2.0 * d.i2 * (square[k] - s[i] * s[j]) - d.j * s[k];
      result.twist[k] = 2.0 * d.i1 + 2.0 * d.i2 * (square[k] + s[i] * s[j]) + d.j * s[k];
    }
    return result;
  }
};

}  // namespace sinew::physics
