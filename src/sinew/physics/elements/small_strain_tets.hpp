// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <sinew/physics/elements/element_set.hpp>
#include <sinew/physics/elements/tet_batches.hpp>

namespace sinew::physics {

/// Tets with the stiffness of the rest shape, linear in what takes the place of positions; their
/// parameters are those of SmallStrain (materials/small_strain.hpp).
std::unique_ptr<ElementSet> make_small_strain_tets(TetBatches<4> batches);
std::unique_ptr<ElementSet> make_small_strain_tets(TetBatches<10> batches);

}  // namespace sinew::physics
