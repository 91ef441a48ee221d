// SPDX-License-Identifier: Apache-2.0
// What cells can show, as fields of a system.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <sinew/dynamics/capabilities/observables.hpp>
#include <sinew/physics/elements/element_set.hpp>

namespace sinew::physics {

std::vector<dynamics::FieldInfo> cell_fields(std::span<const CellQuantity> quantities);

/// The one of this name, if it is among them.
std::optional<CellQuantity> find_quantity(std::string_view name,
                                          std::span<const CellQuantity> quantities);

}  // namespace sinew::physics
