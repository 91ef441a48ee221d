// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <sinew/physics/materials/entries.hpp>

namespace sinew::physics {

std::span<const MaterialEntry> materials() {
  static const std::array table{
      stable_neo_hookean_entry(),
      neo_hookean_entry(),
      isochoric_neo_hookean_entry(),
      stvk_entry(),
      mooney_rivlin_entry(),
      arap_entry(),
      corotated_entry(),
      fixed_corotated_entry(),
      linear_entry(),
  };
  return table;
}

const MaterialEntry* find_material(std::string_view name) {
  for (const MaterialEntry& material : materials())
    if (material.name == name) return &material;
  return nullptr;
}

std::vector<std::string> material_names() {
  std::vector<std::string> names;
  for (const MaterialEntry& material : materials()) names.emplace_back(material.name);
  return names;
}

}  // namespace sinew::physics
