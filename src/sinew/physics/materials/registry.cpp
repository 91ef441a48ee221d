// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <sinew/physics/materials/registry.hpp>
#include <sinew/physics/materials/stable_neo_hookean.hpp>
#include <sinew/physics/materials/stvk.hpp>
#include <sinew/physics/terms/tet_elasticity.hpp>

namespace sinew::physics {
namespace {

Matrix3<double> from_eigen(const Mat3& F) {
  Matrix3<double> result;
  for (int k = 0; k < 3; ++k) result.c[k] = {F(0, k), F(1, k), F(2, k)};
  return result;
}

Mat3 to_eigen(const Matrix3<double>& a) {
  Mat3 result;
  for (int k = 0; k < 3; ++k) result.col(k) << a.c[k].x, a.c[k].y, a.c[k].z;
  return result;
}

template <template <class> class Material>
struct PointWise {
  static Material<double> material(const Parameters& p) { return {p[0], p[1]}; }
  static double energy_density(const Parameters& p, const Mat3& F) {
    return material(p).energy_density(from_eigen(F));
  }
  static Mat3 first_piola(const Parameters& p, const Mat3& F) {
    return to_eigen(material(p).first_piola(from_eigen(F)));
  }
  static Mat9 hessian(const Parameters& p, const Mat3& F) {
    const auto tangent = material(p).tangent(from_eigen(F));
    static constexpr std::array<Vector3<double>, 3> unit{
        {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    Mat9 H;
    for (int j = 0; j < 3; ++j)
      for (int l = 0; l < 3; ++l)
        H.block<3, 3>(3 * j, 3 * l) = to_eigen(tangent.contract(unit[j], unit[l]));
    return H;
  }
};

template <template <class> class Material>
constexpr MaterialEntry entry(std::string_view name, std::string_view title,
                              std::string_view formula, std::string_view remark,
                              std::string_view reference) {
  using Point = PointWise<Material>;
  return {name,
          title,
          formula,
          remark,
          reference,
          &Material<double>::parameters,
          &make_tet_elasticity<Material>,
          &Point::energy_density,
          &Point::first_piola,
          &Point::hessian};
}

}  // namespace

std::span<const MaterialEntry> materials() {
  static constexpr std::array table{
      entry<StableNeoHookean>(
          "stable-neo-hookean", "stable neo-Hookean",
          "psi = mu/2 (|F|^2 - 3) - mu (detF - 1) + (lambda + mu)/2 (detF - 1)^2",
          "finite and differentiable for every F, inverted elements included", "smith2018"),
      entry<Stvk>("stvk", "Saint Venant-Kirchhoff",
                  "psi = mu |E|^2 + lambda/2 tr(E)^2,  E = (F^T F - I)/2",
                  "linear in the Green strain; weak in strong compression", "bonet2008"),
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
