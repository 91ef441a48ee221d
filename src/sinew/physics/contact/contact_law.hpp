// SPDX-License-Identifier: Apache-2.0
// Energy of a pair of features as a function of the gap g between them. Nothing acts from the gap
// delta on.
//
//   barrier    k b(g),  b = -(g - delta)^2 ln(g/delta)         grows without end as g -> 0
//   penalty    k (s^3/(6 delta)),   s = delta - g, up to s = delta: then k ((s - delta/2)^2/2 +
//              delta^2/24). Two continuous derivatives; a plain spring once the gap is used up
//   spring     k s^2/2; those that a step begins with pull as well until it ends
//
// k is a stiffness [N/m] in all of them. Lengths of the order of delta make forces of the order of
// k delta.
#pragma once

#include <cmath>
#include <limits>

namespace sinew::physics {

enum class ContactForm { barrier, penalty, spring };

/// Energy of a pair and its derivatives by the gap.
struct GapEnergy {
  double energy = 0.0;     ///< [J]
  double slope = 0.0;      ///< [N], not positive where contact pushes
  double curvature = 0.0;  ///< [N/m]
};

struct ContactLaw {
  ContactForm form = ContactForm::barrier;
  double stiffness = 1e4;    ///< k [N/m]
  double distance = 1e-3;    ///< delta [m]
  bool is_adaptive = false;  ///< barriers: see stiffening.hpp
  bool is_explicit = false;  ///< tangents know nothing of it, as in the code of the SIERE paper

  GapEnergy at(double gap) const {
    const double s = distance - gap;
    // a spring that is set pulls as well
    if (form == ContactForm::spring) return {0.5 * stiffness * s * s, -stiffness * s, stiffness};
    if (!(s > 0.0)) return {};
    switch (form) {
      case ContactForm::barrier: {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        if (!(gap > 0.0)) return {infinity, -infinity, infinity};
        const double logarithm = std::log(gap / distance), ratio = s / gap;
        return {-stiffness * s * s * logarithm, stiffness * (2.0 * s * logarithm - s * ratio),
                stiffness * (-2.0 * logarithm + 4.0 * ratio + ratio * ratio)};
      }
      case ContactForm::penalty:
        if (s < distance)
          return {stiffness * s * s * s / (6.0 * distance), -stiffness * s * s / (2.0 * distance),
                  stiffness * s / distance};
        return {stiffness * (0.5 * (s - 0.5 * distance) * (s - 0.5 * distance) +
                             distance * distance / 24.0),
                -stiffness * (s - 0.5 * distance), stiffness};
      case ContactForm::spring:
        break;
    }
    return {};
  }
};

}  // namespace sinew::physics
