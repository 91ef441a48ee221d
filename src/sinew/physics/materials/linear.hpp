// SPDX-License-Identifier: Apache-2.0
// Linear elasticity in the displacement gradient F - I: constant stiffness, correct for small
// rotations only; a turned body swells.
#pragma once

#include <sinew/physics/elements/small_strain.hpp>

namespace sinew::physics {

template <class T>
struct Linear {
  SmallStrain<T> form;

  static Parameters parameters(const Moduli& moduli) { return {moduli.mu, moduli.lambda}; }
  static Moduli small_strain(const Moduli& moduli) { return moduli; }
  static Linear make(const std::array<T, max_parameters>& p) { return {{p[0], p[1]}}; }

  static Matrix3<T> displacement_gradient(Matrix3<T> F) {
    add_to_diagonal(F, T((F.c[0].x - F.c[0].x) - 1.0));
    return F;
  }

  T energy_density(const Matrix3<T>& F) const {
    return form.energy_density(displacement_gradient(F));
  }
  Matrix3<T> first_piola(const Matrix3<T>& F) const {
    return form.first_piola(displacement_gradient(F));
  }

  using Tangent = typename SmallStrain<T>::Tangent;
  Tangent tangent(const Matrix3<T>& F) const { return form.tangent(displacement_gradient(F)); }
};

}  // namespace sinew::physics
