// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <sinew/physics/elements/eigen_matrix.hpp>
#include <sinew/physics/materials/arap.hpp>
#include <sinew/physics/materials/corotated.hpp>
#include <sinew/physics/materials/fixed_corotated.hpp>
#include <sinew/physics/materials/isochoric_neo_hookean.hpp>
#include <sinew/physics/materials/linear.hpp>
#include <sinew/physics/materials/mooney_rivlin.hpp>
#include <sinew/physics/materials/neo_hookean.hpp>
#include <sinew/physics/materials/registry.hpp>
#include <sinew/physics/materials/stable_neo_hookean.hpp>
#include <sinew/physics/materials/stvk.hpp>
#include <sinew/physics/terms/tet_elasticity.hpp>

namespace sinew::physics {
namespace {

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

/// What a row says in words.
struct Description {
  std::string_view name, title, formula, remark, reference;
  bool allows_inversion = true;
  bool keeps_rotations = true;
};

template <template <class> class Material>
constexpr MaterialEntry entry(const Description& text) {
  using Point = PointWise<Material>;
  return {.name = text.name,
          .title = text.title,
          .formula = text.formula,
          .remark = text.remark,
          .reference = text.reference,
          .allows_inversion = text.allows_inversion,
          .keeps_rotations = text.keeps_rotations,
          .parameters = &Material<double>::parameters,
          .small_strain = &Material<double>::small_strain,
          .make_term = &make_tet_elasticity<Material>,
          .energy_density = &Point::energy_density,
          .first_piola = &Point::first_piola,
          .hessian = &Point::hessian,
          .definite_hessian = &Point::definite_hessian};
}

}  // namespace

std::span<const MaterialEntry> materials() {
  static constexpr std::array table{
      entry<StableNeoHookean>(
          {.name = "stable-neo-hookean",
           .title = "stable neo-Hookean",
           .formula = "psi = mu/2 (|F|^2 - 3) - mu (detF - 1) + (lambda + mu)/2 (detF - 1)^2",
           .remark = "finite and differentiable for every F, inverted elements included",
           .reference = "smith2018"}),
      entry<NeoHookean>(
          {.name = "neo-hookean",
           .title = "neo-Hookean with a logarithmic barrier",
           .formula = "psi = mu/2 (|F|^2 - 3) - mu ln detF + lambda/2 (ln detF)^2",
           .remark =
               "no energy for flat or inverted elements: use be, whose line search avoids them",
           .reference = "bonet2008",
           .allows_inversion = false}),
      entry<IsochoricNeoHookean>(
          {.name = "isochoric-neo-hookean",
           .title = "neo-Hookean in the isochoric invariant",
           .formula = "psi = mu/2 (detF^(-2/3) |F|^2 - 3) + lambda/2 (detF - 1)^2",
           .remark = "bulk modulus lambda: small strains have mu and lambda - 2 mu/3",
           .reference = "chen2020",
           .allows_inversion = false}),
      entry<Stvk>({.name = "stvk",
                   .title = "Saint Venant-Kirchhoff",
                   .formula = "psi = mu |E|^2 + lambda/2 tr(E)^2,  E = (F^T F - I)/2",
                   .remark = "linear in the Green strain; weak in strong compression",
                   .reference = "bonet2008"}),
      entry<MooneyRivlin>(
          {.name = "mooney-rivlin",
           .title = "Mooney-Rivlin in the isochoric invariants",
           .formula =
               "psi = c1 (detF^(-2/3) I1 - 3) + c2 (detF^(-4/3) I2 - 3) + kappa/2 (detF - 1)^2,"
               "  I1 = |F|^2, I2 = |cof F|^2, c1 + c2 = mu/2, kappa = lambda + 2 mu/3",
           .remark = "material.mooney is the share of c2 in c1 + c2; 0 leaves neo-Hookean",
           .reference = "mooney1940",
           .allows_inversion = false}),
      entry<Arap>({.name = "arap",
                   .title = "as rigid as possible",
                   .formula = "psi = mu sum (s_i - 1)^2, s the singular values of F",
                   .remark = "small strains have mu and lambda = 0",
                   .reference = "chen2020"}),
      entry<Corotated>({.name = "corotated",
                        .title = "rotation-extracted linear elasticity",
                        .formula = "psi = mu sum (s_i - 1)^2 + lambda/2 (s_0 + s_1 + s_2 - 3)^2",
                        .remark = "linear elasticity in the frame of the nearest rotation",
                        .reference = "fierz2011"}),
      entry<FixedCorotated>({.name = "fixed-corotated",
                             .title = "fixed corotated",
                             .formula = "psi = mu sum (s_i - 1)^2 + lambda/2 (detF - 1)^2",
                             .remark = "corotated with a volume term that resists inversion",
                             .reference = "stomakhin2012"}),
      entry<Linear>({.name = "linear",
                     .title = "linear elasticity",
                     .formula = "psi = mu |e|^2 + lambda/2 tr(e)^2,  e = sym(F - I)",
                     .remark = "constant stiffness; for small rotations only",
                     .reference = "bonet2008",
                     .keeps_rotations = false}),
  };
  return table;
}

const MaterialEntry* find_material(std::string_view name) {
  for (const MaterialEntry& material : materials())
    if (material.name == name) return &material;
  return nullptr;
}

std::vector<std::string> material_names() {
  std::vector<std::string> names;
  for (const MaterialEntry& material : materials()) names.emplace_back(material.name);
  return names;
}

}  // namespace sinew::physics
