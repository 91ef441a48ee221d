// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include <sinew/physics/term.hpp>
#include <sinew/physics/terms/load_spec.hpp>

namespace sinew::physics {

/// Forces on vertices that depend on time alone. Their potential is -sum of force . position over
/// the free vertices.
std::unique_ptr<Term> make_vertex_loads_term(std::vector<VertexLoad> loads,
                                             const Numbering& numbering);

}  // namespace sinew::physics
