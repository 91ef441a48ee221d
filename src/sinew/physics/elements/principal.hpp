// SPDX-License-Identifier: Apache-2.0
// Isotropic materials seen through the singular values of F = U diag(s) V^T: psi(s0, s1, s2) and,
// in closed form,
//
//   first[i]  = d psi/d s_i                       second = d^2 psi/d s_i d s_j (symmetric)
//   flip[k]   = (psi_i - psi_j)/(s_i - s_j)       twist[k] = (psi_i + psi_j)/(s_i + s_j)
//
// for the pair (i, j) that leaves out k. In the frame of U and V the tangent couples the diagonal
// entries of dF through `second`, and the entries ij and ji through (flip + twist)/2 and
// (flip - twist)/2: its nine eigenvalues are those of `second`, the flips and the twists. Replacing
// the negative ones makes a definite tangent without any larger eigenvalue problem.
#pragma once

#include <sinew/physics/elements/decompose.hpp>
#include <sinew/physics/elements/material_parameters.hpp>
#include <sinew/physics/elements/pack.hpp>

namespace sinew::physics {

template <class T>
struct PrincipalDerivatives {
  std::array<T, 3> first;
  std::array<std::array<T, 3>, 3> second;
  std::array<T, 3> flip, twist;
};

template <class T>
struct PrincipalTangent {
  Matrix3<T> U, V, Vt;
  PrincipalDerivatives<T> d;

  Matrix3<T> stress() const {
    Matrix3<T> P = outer(d.first[0] * U.c[0], V.c[0]);
    P = P + outer(d.first[1] * U.c[1], V.c[1]);
    return P + outer(d.first[2] * U.c[2], V.c[2]);
  }

  Matrix3<T> contract(const Vector3<T>& a, const Vector3<T>& b) const {
    const Vector3<T> p = Vt * a, q = Vt * b;
    const std::array<T, 3> x{p.x, p.y, p.z}, y{q.x, q.y, q.z};
    std::array<std::array<T, 3>, 3> m;  // in the frame of U, [row][column]
    for (int i = 0; i < 3; ++i) m[i][i] = d.second[i][i] * x[i] * y[i];
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      const T same = 0.5 * (d.flip[k] + d.twist[k]), mirrored = 0.5 * (d.flip[k] - d.twist[k]);
      m[i][i] += same * x[j] * y[j];
      m[j][j] += same * x[i] * y[i];
      m[i][j] = d.second[i][j] * x[i] * y[j] + mirrored * x[j] * y[i];
      m[j][i] = d.second[i][j] * x[j] * y[i] + mirrored * x[i] * y[j];
    }
    // U m U^T
    Matrix3<T> Um;
    for (int c = 0; c < 3; ++c) Um.c[c] = m[0][c] * U.c[0] + m[1][c] * U.c[1] + m[2][c] * U.c[2];
    Matrix3<T> result = outer(Um.c[0], U.c[0]);
    result = result + outer(Um.c[1], U.c[1]);
    return result + outer(Um.c[2], U.c[2]);
  }
};

/// Replaces negative eigenvalues by `mirror` times their absolute value: 0 clamps, 1 reflects.
/// Returns 1 where one was clearly below zero, 0 elsewhere.
template <class T>
T make_definite(PrincipalDerivatives<T>& d, double mirror) {
  Matrix3<T> second;
  for (int k = 0; k < 3; ++k) second.c[k] = {d.second[0][k], d.second[1][k], d.second[2][k]};
  SymmetricEigen<T> eigen = symmetric_eigen(second);
  const T zero = d.flip[0] - d.flip[0];
  T largest = zero, smallest = zero;
  const auto replace = [&](T& value) {
    const T size = absolute(value);
    largest = select(size > largest, size, largest);
    smallest = select(value < smallest, value, smallest);
    value = select(value < 0.0, T(mirror * size), value);
  };
  for (int k = 0; k < 3; ++k) {
    replace(d.flip[k]);
    replace(d.twist[k]);
    replace(eigen.lambda[k]);
  }
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) {
      const auto row = [](const Vector3<T>& q, int r) { return r == 0 ? q.x : r == 1 ? q.y : q.z; };
      T sum = zero;
      for (int k = 0; k < 3; ++k)
        sum += eigen.lambda[k] * row(eigen.Q.c[k], i) * row(eigen.Q.c[k], j);
      d.second[i][j] = d.second[j][i] = sum;
    }
  // turning the body costs nothing: those eigenvalues are rounding around zero
  constexpr double rounding = 1e-12;
  return select(smallest < -rounding * largest, T(zero + 1.0), zero);
}

/// The tangent of an isotropic material with its negative eigenvalues replaced.
template <class T>
struct DefiniteTangent {
  PrincipalTangent<T> tangent;
  T changed;  ///< 1 where an eigenvalue was negative
};

template <class T, class Material>
DefiniteTangent<T> definite_tangent(const Material& material, const Matrix3<T>& F, double mirror) {
  const SignedSvd<T> svd = signed_svd(F);
  DefiniteTangent<T> result{{svd.U, svd.V, transposed(svd.V), material.principal(svd.sigma)}, T{}};
  result.changed = make_definite(result.tangent.d, mirror);
  return result;
}

/// The three functions of a material from its principal form. `Form` has psi(s) and principal(s).
template <class T, class Form>
struct PrincipalMaterial {
  T energy_density(const Matrix3<T>& F) const { return form().psi(signed_svd(F).sigma); }

  Matrix3<T> first_piola(const Matrix3<T>& F) const { return tangent(F).stress(); }

  using Tangent = PrincipalTangent<T>;
  Tangent tangent(const Matrix3<T>& F) const {
    const SignedSvd<T> svd = signed_svd(F);
    return {svd.U, svd.V, transposed(svd.V), form().principal(svd.sigma)};
  }

 private:
  const Form& form() const { return static_cast<const Form&>(*this); }
};

}  // namespace sinew::physics
