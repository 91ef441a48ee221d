// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <sinew/core/unit_system.hpp>

namespace sinew::core {
namespace {

using Replacement = UnitSystem::Replacement;

constexpr std::array molecular_units{Replacement{"s", "ps"},
                                     Replacement{"m", "nm"},
                                     Replacement{"m/s", "nm/ps"},
                                     Replacement{"J", "kJ/mol"},
                                     Replacement{"N", "kJ/mol/nm"},
                                     Replacement{"Pa", "kJ/mol/nm^3"},
                                     Replacement{"J/m^3", "kJ/mol/nm^3"},
                                     Replacement{"1/s", "1/ps"},
                                     Replacement{"Hz", "THz"}};

constexpr std::array systems{UnitSystem("si", 1.0, {}), UnitSystem("md", 1e-12, molecular_units)};

}  // namespace

std::string UnitSystem::unit(std::string_view si) const {
  const auto found = std::ranges::find(units_, si, &Replacement::si);
  return std::string(found == units_.end() ? si : found->own);
}

const UnitSystem& unit_system(std::string_view name) {
  const auto found = std::ranges::find(systems, name, &UnitSystem::name);
  return found == systems.end() ? si_units() : *found;
}

const UnitSystem& si_units() {
  return systems.front();
}

std::vector<std::string> unit_system_names() {
  std::vector<std::string> names;
  names.reserve(systems.size());
  for (const UnitSystem& system : systems) names.emplace_back(system.name());
  return names;
}

}  // namespace sinew::core
