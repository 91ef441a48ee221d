// SPDX-License-Identifier: Apache-2.0
// The elements of all bodies of a system, sorted by the term they go to.
#pragma once

#include <map>
#include <span>
#include <vector>

#include <sinew/physics/body.hpp>
#include <sinew/physics/elements/tet_batches.hpp>
#include <sinew/physics/terms/spring_elasticity.hpp>
#include <sinew/physics/tet_mass.hpp>

namespace sinew::physics {

using TetsByMaterial = std::map<const MaterialEntry*, std::vector<TetElement>>;

struct BodyElements {
  std::vector<const MaterialEntry*> materials;  ///< in order of appearance, for a fixed sum order
  TetsByMaterial tets;
  std::vector<SpringElement> springs;

  // Damping by stiffness: the same elements with stiffnesses times the coefficient.
  std::vector<TetElement> tets_damped_at_rest;  ///< with parameters of SmallStrain
  TetsByMaterial tets_damped_now;
  std::vector<SpringElement> springs_damped_at_rest, springs_damped_now;

  // Masses, and the same times the coefficient of damping by mass.
  Vec lumped, damped_lumped;  ///< per vertex [kg], [kg/s]
  std::vector<TetMass::Element> consistent, damped_consistent;
};

/// `internal_of_user` numbers the vertices of all bodies; `rest` are their positions in that order.
BodyElements gather_elements(std::span<const Body> bodies, std::span<const int> internal_of_user,
                             std::span<const Vec3> rest);

}  // namespace sinew::physics
