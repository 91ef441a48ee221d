// SPDX-License-Identifier: Apache-2.0
// Materials that depend on I = |F|^2 and detF alone. With subscripts for derivatives of psi(I,
// detF):
//   P = 2 psi_I F + psi_J cof F,
//   tangent = 2 psi_I (a.b) 1 + psi_J d(cof) + 4 psi_II (Fa)(Fb)^T
//             + 2 psi_IJ [(Fa)(cof b)^T + (cof a)(Fb)^T] + psi_JJ (cof a)(cof b)^T.
#pragma once

#include <sinew/physics/materials/material.hpp>

namespace sinew::physics {

/// First and second derivatives of psi(I, detF).
template <class T>
struct InvariantDerivatives {
  T i, j, ii, ij, jj;
};

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

 private:
  const Form& form() const { return static_cast<const Form&>(*this); }
};

}  // namespace sinew::physics
