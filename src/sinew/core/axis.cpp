// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <sinew/core/axis.hpp>

namespace sinew::core {

const std::vector<std::string>& axis_names() {
  static const std::vector<std::string> names{"x", "y", "z", "-x", "-y", "-z"};
  return names;
}

std::optional<Vec3> axis_direction(std::string_view name) {
  const std::vector<std::string>& names = axis_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  const Index number = found - names.begin();
  Vec3 direction = Vec3::Zero();
  direction[number % 3] = number < 3 ? 1.0 : -1.0;
  return direction;
}

}  // namespace sinew::core
