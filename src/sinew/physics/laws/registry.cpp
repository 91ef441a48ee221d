// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <sinew/physics/laws/entries.hpp>

namespace sinew::physics {

std::span<const SpringLawEntry> spring_laws() {
  static const std::array table{linear_spring_entry(), cubic_spring_entry(),
                                repulsive_spring_entry()};
  return table;
}

const SpringLawEntry* find_spring_law(std::string_view name) {
  for (const SpringLawEntry& law : spring_laws())
    if (law.name == name) return &law;
  return nullptr;
}

}  // namespace sinew::physics
