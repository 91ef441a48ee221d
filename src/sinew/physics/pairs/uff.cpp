// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>

#include <sinew/physics/pairs/uff.hpp>

namespace sinew::physics {
namespace {

/// As printed: distance of the minimum in Angstrom, depth in kcal/mol.
struct Row {
  std::string_view symbol;
  double distance, depth;
};

constexpr std::array table{
    Row{"H", 2.886, 0.044},  Row{"He", 2.362, 0.056}, Row{"Li", 2.451, 0.025},
    Row{"C", 3.851, 0.105},  Row{"N", 3.660, 0.069},  Row{"O", 3.500, 0.060},
    Row{"F", 3.364, 0.050},  Row{"Ne", 3.243, 0.042}, Row{"Na", 2.983, 0.030},
    Row{"Mg", 3.021, 0.111}, Row{"Al", 4.499, 0.505}, Row{"Si", 4.295, 0.402},
    Row{"P", 4.147, 0.305},  Row{"S", 4.035, 0.274},  Row{"Cl", 3.947, 0.227},
    Row{"Ar", 3.868, 0.185}, Row{"K", 3.812, 0.035},  Row{"Ca", 3.399, 0.238},
    Row{"Mn", 2.961, 0.013}, Row{"Fe", 2.912, 0.013}, Row{"Co", 2.872, 0.014},
    Row{"Ni", 2.834, 0.015}, Row{"Cu", 3.495, 0.005}, Row{"Zn", 2.763, 0.124},
    Row{"Se", 4.205, 0.291}, Row{"Br", 4.189, 0.251}, Row{"Kr", 4.141, 0.220},
    Row{"I", 4.500, 0.339},  Row{"Xe", 4.404, 0.332}};

}  // namespace

std::optional<LennardJones::Kind> find_uff(std::string_view symbol) {
  constexpr double kilojoule = 4.184, nanometre = 0.1;
  for (const Row& row : table)
    if (row.symbol == symbol)
      return LennardJones::Kind{kilojoule * row.depth,
                                nanometre * row.distance / std::pow(2.0, 1.0 / 6.0)};
  return std::nullopt;
}

}  // namespace sinew::physics
