// SPDX-License-Identifier: Apache-2.0
// Isotropic materials given by their singular values: psi(s0, s1, s2) of F = U diag(s) V^T. Such a
// material says psi and, in closed form,
//
//   first[i]  = d psi/d s_i                       second = d^2 psi/d s_i d s_j (symmetric)
//   flip[k]   = (psi_i - psi_j)/(s_i - s_j)       twist[k] = (psi_i + psi_j)/(s_i + s_j)
//
// for the pair (i, j) that leaves out k. In the frame of U and V the tangent couples the diagonal
// entries of dF through `second`, and the entries ij and ji through (flip + twist)/2 and
// (flip - twist)/2: its nine eigenvalues are those of `second`, the flips and the twists.
#pragma once

#include <sinew/physics/elements/decompose.hpp>
#include <sinew/physics/materials/material.hpp>

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

/// The three functions of a material from its principal form. `Form` has psi(s) and derivatives(s).
template <class T, class Form>
struct PrincipalMaterial {
  T energy_density(const Matrix3<T>& F) const { return form().psi(signed_svd(F).sigma); }

  Matrix3<T> first_piola(const Matrix3<T>& F) const { return tangent(F).stress(); }

  using Tangent = PrincipalTangent<T>;
  Tangent tangent(const Matrix3<T>& F) const {
    const SignedSvd<T> svd = signed_svd(F);
    return {svd.U, svd.V, transposed(svd.V), form().derivatives(svd.sigma)};
  }

 private:
  const Form& form() const { return static_cast<const Form&>(*this); }
};

}  // namespace sinew::physics
