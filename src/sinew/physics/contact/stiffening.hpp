// SPDX-License-Identifier: Apache-2.0
// Barriers that become stiffer where gaps become too small for floating-point numbers: a factor of
// all stiffnesses, doubled after every step that leaves a pair with less than a thousandth of its
// distance. What that adds to the energy of contacts is known, for nothing moves meanwhile.
#pragma once

#include <vector>

#include <sinew/physics/contact/contact_law.hpp>
#include <sinew/physics/contact/contact_pair.hpp>

namespace sinew::physics {

/// The factor for the next step, from that of this one and the contacts at its end.
inline double stiffened(double factor, const std::vector<Contact>& contacts) {
  constexpr double least_share = 1e-3, most = 1e9;
  if (factor >= most) return factor;
  for (const Contact& contact : contacts)
    if (contact.gap < least_share * contact.distance) return 2.0 * factor;
  return factor;
}

inline ContactLaw stiffened(ContactLaw law, double factor) {
  law.stiffness *= factor;
  return law;
}

}  // namespace sinew::physics
