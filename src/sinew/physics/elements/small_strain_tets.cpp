// SPDX-License-Identifier: Apache-2.0
#include <sinew/physics/elements/small_strain.hpp>
#include <sinew/physics/elements/small_strain_tets.hpp>
#include <sinew/physics/elements/tet_elasticity_impl.hpp>

namespace sinew::physics {

std::unique_ptr<ElementSet> make_small_strain_tets(TetBatches batches) {
  return make_tet_elasticity<SmallStrain>(std::move(batches));
}

}  // namespace sinew::physics
