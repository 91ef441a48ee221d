// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <sinew/physics/elements/element_set.hpp>
#include <sinew/physics/elements/tet_batches.hpp>

namespace sinew::physics {

/// W = sum over tets and their points of volume * psi(F), F = sum_k (x_k - x_0) g_k^T. Defined in
/// tet_elasticity_impl.hpp; the file of each material instantiates it.
template <template <class> class Material, int nodes>
std::unique_ptr<ElementSet> make_tet_elasticity(TetBatches<nodes> batches);

}  // namespace sinew::physics
