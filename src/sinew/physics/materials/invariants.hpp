// SPDX-License-Identifier: Apache-2.0
// Materials that depend on I = |F|^2 and detF alone. With subscripts for derivatives of psi(I,
// detF):
//   P = 2 psi_I F + psi_J cof F,
//   tangent = 2 psi_I (a.b) 1 + psi_J d(cof) + 4 psi_II (Fa)(Fb)^T
//             + 2 psi_IJ [(Fa)(cof b)^T + (cof a)(Fb)^T] + psi_JJ (cof a)(cof b)^T.
#pragma once

#include <sinew/physics/elements/principal.hpp>

namespace sinew::physics {

/// First and second derivatives of psi(I, detF).
template <class T>
struct InvariantDerivatives {
  T i, j, ii, ij, jj;
};

/// The same material in terms of the singular values, where I = sum s_i^2 and detF = s_0 s_1 s_2.
template <class T>
PrincipalDerivatives<T> principal_of_invariants(const InvariantDerivatives<T>& d,
                                                const std::array<T, 3>& s) {
  PrincipalDerivatives<T> result;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const T area = s[i] * s[j];  // d detF/d s_k
    result.first[k] = 2.0 * d.i * s[k] + d.j * area;
    result.second[k][k] =
        2.0 * d.i + 4.0 * d.ii * s[k] * s[k] + 4.0 * d.ij * s[k] * area + d.jj * area * area;
    const T area_i = s[j] * s[k], area_j = s[i] * s[k];
    result.second[i][j] = result.second[j][i] = 4.0 * d.ii * area +
                                                2.0 * d.ij * (s[i] * area_j + s[j] * area_i) +
                                                d.jj * area_i * area_j + d.j * s[k];
    result.flip[k] = 2.0 * d.i - d.j * s[k];
    result.twist[k] = 2.0 * d.i + d.j * s[k];
  }
  return result;
}

template <class T>
struct InvariantTangent {
  InvariantDerivatives<T> d;
  Matrix3<T> F, cof;

  Matrix3<T> contract(const Vector3<T>& a, const Vector3<T>& b) const {
    const Vector3<T> Fa = F * a, Fb = F * b, ca = cof * a, cb = cof * b;
    Matrix3<T> block = outer(Vector3<T>(T(4.0 * d.ii) * Fa + T(2.0 * d.ij) * ca), Fb) +
                       outer(Vector3<T>(T(2.0 * d.ij) * Fa + d.jj * ca), cb);
    add_to_diagonal(block, T(2.0 * d.i * dot(a, b)));
    add_cross(block, Vector3<T>(d.j * (F * cross(a, b))));
    return block;
  }
};

template <class T, class Form>
struct InvariantMaterial {
  T energy_density(const Matrix3<T>& F) const {
    return form().psi(T(squared_norm(F)), T(dot(F.c[0], cross(F.c[1], F.c[2]))));
  }

  Matrix3<T> first_piola(const Matrix3<T>& F) const {
    const Matrix3<T> cof = cofactor(F);
    const auto d = form().derivatives(T(squared_norm(F)), T(dot(F.c[0], cof.c[0])));
    return T(2.0 * d.i) * F + d.j * cof;
  }

  using Tangent = InvariantTangent<T>;
  Tangent tangent(const Matrix3<T>& F) const {
    const Matrix3<T> cof = cofactor(F);
    return {form().derivatives(T(squared_norm(F)), T(dot(F.c[0], cof.c[0]))), F, cof};
  }

  PrincipalDerivatives<T> principal(const std::array<T, 3>& s) const {
    const T i = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
    return principal_of_invariants(form().derivatives(i, T(s[0] * s[1] * s[2])), s);
  }

 private:
  const Form& form() const { return static_cast<const Form&>(*this); }
};

}  // namespace sinew::physics
