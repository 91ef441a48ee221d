// SPDX-License-Identifier: Apache-2.0
// A row of the table of materials from the struct that defines one (material.hpp). Include it in
// the one source file of a material: the loops over tets are compiled there, four elements at a
// time.
#pragma once

#include <sinew/physics/elements/eigen_matrix.hpp>
#include <sinew/physics/elements/tet_elasticity_impl.hpp>
#include <sinew/physics/materials/registry.hpp>

namespace sinew::physics {

/// What a row says in words.
struct MaterialText {
  std::string_view name, title, formula, remark, reference;
  bool allows_inversion = true;
  bool keeps_rotations = true;
  std::vector<NamedConstant> constants{};
};

namespace material_points {

template <template <class> class Material>
struct PointWise {
  static Material<double> material(const Parameters& p) { return Material<double>::make(p); }
  static double energy_density(const Parameters& p, const Mat3& F) {
    return material(p).energy_density(from_eigen(F));
  }
  static Mat3 first_piola(const Parameters& p, const Mat3& F) {
    return to_eigen(material(p).first_piola(from_eigen(F)));
  }
  static Mat9 hessian(const Parameters& p, const Mat3& F) {
    return entries(material(p).tangent(from_eigen(F)));
  }
  static Mat9 definite_hessian(const Parameters& p, const Mat3& F, double mirror) {
    if constexpr (requires(std::array<double, 3> s) { material(p).principal(s); }) {
      return entries(definite_tangent(material(p), from_eigen(F), mirror).tangent);
    } else {
      return hessian(p, F);
    }
  }

 private:
  template <class Tangent>
  static Mat9 entries(const Tangent& tangent) {
    static constexpr std::array<Vector3<double>, 3> unit{
        {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    Mat9 H;
    for (int j = 0; j < 3; ++j)
      for (int l = 0; l < 3; ++l)
        H.block<3, 3>(3 * j, 3 * l) = to_eigen(tangent.contract(unit[j], unit[l]));
    return H;
  }
};

}  // namespace material_points

template <template <class> class Material>
MaterialEntry material_entry(MaterialText text) {
  using Point = material_points::PointWise<Material>;
  return {.name = text.name,
          .title = text.title,
          .formula = text.formula,
          .remark = text.remark,
          .reference = text.reference,
          .allows_inversion = text.allows_inversion,
          .keeps_rotations = text.keeps_rotations,
          .constants = std::move(text.constants),
          .parameters = &Material<double>::parameters,
          .small_strain = &Material<double>::small_strain,
          .make_elements = {&make_tet_elasticity<Material, 4>, &make_tet_elasticity<Material, 10>},
          .energy_density = &Point::energy_density,
          .first_piola = &Point::first_piola,
          .hessian = &Point::hessian,
          .definite_hessian = &Point::definite_hessian};
}

}  // namespace sinew::physics
