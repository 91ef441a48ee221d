// SPDX-License-Identifier: Apache-2.0
// Contact as a potential of the gaps between features (contact_law.hpp), and smoothed Coulomb
// friction between the features that are in contact at the beginning of a step.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <sinew/physics/contact/contact_law.hpp>
#include <sinew/physics/contact/contact_surface.hpp>
#include <sinew/physics/contact/friction_law.hpp>
#include <sinew/physics/term.hpp>

namespace sinew::physics {

/// Which normal forces friction follows.
enum class FrictionLoads {
  lagged,   ///< those at the beginning of a step
  coupled,  ///< those of the configuration: methods that iterate solve for both together
};

struct Friction {
  FrictionTable coefficients;  ///< one per pair of parts
  FrictionLoads loads = FrictionLoads::lagged;
};

/// Contact, and friction after it if there is any. A barrier also limits steps: nothing passes
/// through anything.
std::vector<std::unique_ptr<Term>> make_contact_terms(std::shared_ptr<const ContactSurface> surface,
                                                      const ContactLaw& law,
                                                      std::optional<Friction> friction = {});

/// Contact with obstacles without forces.
enum class KinematicForm {
  projection,  ///< what got inside is put on the surface
  hold,        ///< what is close stays where it is until something pulls it away
  velocity,    ///< what is close moves along the surface or away from it, as that was before a step
};

struct KinematicLaw {
  KinematicForm form = KinematicForm::projection;
  double distance = 0.0;   ///< gap below which it acts [m]
  double reduction = 0.0;  ///< part of the velocity along the surface that is lost in a step
};

/// `masses`: of the vertices, internal order [kg].
std::unique_ptr<Term> make_kinematic_contact(std::shared_ptr<const ContactSurface> surface,
                                             const KinematicLaw& law, const Vec& masses);

}  // namespace sinew::physics
