// SPDX-License-Identifier: Apache-2.0
#include <sinew/core/error.hpp>
#include <sinew/integrators/parts/filters.hpp>

namespace sinew::integrators {
namespace {

double one(const StumpffValues&) {
  return 1.0;
}
double sinc(const StumpffValues& c) {
  return c[1];
}
double sinc_squared(const StumpffValues& c) {
  return c[1] * c[1];
}
double sinc_cubed(const StumpffValues& c) {
  return c[1] * c[1] * c[1];
}
double sinc_squared_of_half(const StumpffValues& c) {
  return 2.0 * c[2];
}

}  // namespace

std::span<const FilterPair> filter_pairs() {
  static constexpr std::array table{
      FilterPair{"gautschi", sinc_squared_of_half, one, nullptr, false},
      FilterPair{"deuflhard", sinc, one, one, true},
      FilterPair{"garcia-archilla", sinc_squared, sinc, sinc, true},
      FilterPair{"hairer-lubich", sinc_squared, one, sinc, false},
      FilterPair{"grimm-hochbruck", sinc_cubed, sinc, sinc_squared, false},
  };
  return table;
}

const FilterPair& filter_pair(std::string_view name) {
  for (const FilterPair& pair : filter_pairs())
    if (pair.name == name) return pair;
  SINEW_ASSERT(false, "there is no such filter");
  return filter_pairs().front();
}

}  // namespace sinew::integrators
