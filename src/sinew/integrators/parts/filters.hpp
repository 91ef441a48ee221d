// SPDX-License-Identifier: Apache-2.0
// Filters of trigonometric methods, as functions of x = (h omega)^2; sinc x means sin x / x.
#pragma once

#include <span>
#include <string_view>

#include <sinew/la/phi/stumpff.hpp>

namespace sinew::integrators {

using StumpffValues = std::array<double, la::num_stumpff>;

/// A pair (psi, phi): forces are taken at phi(h Omega) q and act through psi. Here c are the
/// Stumpff functions of x, so c[1] is sinc(h omega) and 2 c[2] is sinc^2(h omega/2).
struct FilterPair {
  std::string_view name;
  double (*psi)(const StumpffValues& c);
  double (*phi)(const StumpffValues& c);
  /// psi/sinc, by which half kicks of the one-step form act; nullptr where it has poles.
  double (*kick)(const StumpffValues& c);
  bool symplectic;  ///< psi = sinc phi
};

std::span<const FilterPair> filter_pairs();
/// The name must be one of the table.
const FilterPair& filter_pair(std::string_view name);

}  // namespace sinew::integrators
