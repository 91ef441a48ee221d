// SPDX-License-Identifier: Apache-2.0
// Directions that have names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/core/types.hpp>

namespace sinew::core {

/// x, y, z, -x, -y, -z.
const std::vector<std::string>& axis_names();

/// The unit vector of such a name.
std::optional<Vec3> axis_direction(std::string_view name);

}  // namespace sinew::core
