// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>

#include <sinew/physics/elements/cell_fields.hpp>

namespace sinew::physics {
namespace {

struct CellField {
  CellQuantity quantity;
  std::string_view name;
  int components;
};

constexpr std::array all_fields{CellField{CellQuantity::cauchy_stress, "cauchy_stress", 6},
                                CellField{CellQuantity::von_mises, "von_mises", 1},
                                CellField{CellQuantity::energy_density, "energy_density", 1},
                                CellField{CellQuantity::det_f, "det_f", 1},
                                CellField{CellQuantity::strain, "strain", 1},
                                CellField{CellQuantity::tension, "tension", 1}};

const CellField& field_of(CellQuantity quantity) {
  std::size_t k = 0;
  while (all_fields[k].quantity != quantity) ++k;
  return all_fields[k];
}

}  // namespace

std::vector<dynamics::FieldInfo> cell_fields(std::span<const CellQuantity> quantities) {
  std::vector<dynamics::FieldInfo> fields;
  for (const CellQuantity quantity : quantities) {
    const CellField& field = field_of(quantity);
    fields.push_back({std::string(field.name), dynamics::FieldSite::per_cell, field.components});
  }
  return fields;
}

std::optional<CellQuantity> find_quantity(std::string_view name,
                                          std::span<const CellQuantity> quantities) {
  for (const CellQuantity quantity : quantities)
    if (field_of(quantity).name == name) return quantity;
  return std::nullopt;
}

}  // namespace sinew::physics
