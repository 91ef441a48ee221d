// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include <sinew/physics/pairs/pair_potential.hpp>

namespace sinew::physics {

/// Constants of the universal force field of Rappe and others (1992) for a chemical symbol, in nm
/// and kJ/mol.
std::optional<LennardJones::Kind> find_uff(std::string_view symbol);

}  // namespace sinew::physics
