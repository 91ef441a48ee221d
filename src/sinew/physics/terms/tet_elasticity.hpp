// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <sinew/physics/elements/tet_batches.hpp>
#include <sinew/physics/terms/element_term.hpp>

namespace sinew::physics {

/// W = sum over tets of volume * psi(F), F = sum_k (x_k - x_0) g_k^T. Instantiated for every
/// material of the table in materials/registry.cpp.
template <template <class> class Material>
std::unique_ptr<ElementTerm> make_tet_elasticity(TetBatches batches);

}  // namespace sinew::physics
