// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/core/types.hpp>
#include <sinew/physics/elements/element_set.hpp>
#include <sinew/physics/elements/tet_batches.hpp>
#include <sinew/physics/named_constant.hpp>

namespace sinew::physics {

using Mat9 = Eigen::Matrix<double, 9, 9>;

/// The loops over tets of either kind.
struct TetElasticityMakers {
  std::unique_ptr<ElementSet> (*linear)(TetBatches<4>);
  std::unique_ptr<ElementSet> (*quadratic)(TetBatches<10>);

  std::unique_ptr<ElementSet> operator()(TetBatches<4> tets) const {
    return linear(std::move(tets));
  }
  std::unique_ptr<ElementSet> operator()(TetBatches<10> tets) const {
    return quadratic(std::move(tets));
  }
};

/// One row of the table of materials: what it is, and the same source as loops and point by point.
struct MaterialEntry {
  std::string_view name;
  std::string_view title;
  std::string_view formula;
  std::string_view remark;
  std::string_view reference;    ///< key in docs/references.bib
  bool allows_inversion = true;  ///< energy and stress exist for flat and inverted elements
  bool keeps_rotations = true;   ///< a turned body is at rest
  std::vector<NamedConstant> constants{};  ///< at most max_constants
  Parameters (*parameters)(const Moduli&);
  Moduli (*small_strain)(const Moduli&);  ///< its moduli near the rest shape
  TetElasticityMakers make_elements;
  double (*energy_density)(const Parameters&, const Mat3& F);
  Mat3 (*first_piola)(const Parameters&, const Mat3& F);
  Mat9 (*hessian)(const Parameters&, const Mat3& F);  ///< d^2 psi / dF^2, column-major vec(F)
  /// The same with negative eigenvalues replaced by `mirror` times their absolute value.
  Mat9 (*definite_hessian)(const Parameters&, const Mat3& F, double mirror);
};

/// Every material, in the order of the documentation.
std::span<const MaterialEntry> materials();

/// nullptr when there is no such material.
const MaterialEntry* find_material(std::string_view name);

std::vector<std::string> material_names();

}  // namespace sinew::physics
