// SPDX-License-Identifier: Apache-2.0
#include <sinew/physics/elements/small_strain.hpp>
#include <sinew/physics/elements/small_strain_tets.hpp>
#include <sinew/physics/elements/tet_elasticity_impl.hpp>

namespace sinew::physics {

std::unique_ptr<ElementSet> make_small_strain_tets(TetBatches<4> batches) {
  return make_tet_elasticity<SmallStrain, 4>(std::move(batches));
}

std::unique_ptr<ElementSet> make_small_strain_tets(TetBatches<10> batches) {
  return make_tet_elasticity<SmallStrain, 10>(std::move(batches));
}

}  // namespace sinew::physics
