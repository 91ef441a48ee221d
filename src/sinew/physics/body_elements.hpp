// SPDX-License-Identifier: Apache-2.0
// The elements of all bodies of a system, sorted by the term they go to.
#pragma once

#include <map>
#include <span>
#include <vector>

#include <sinew/physics/body.hpp>
#include <sinew/physics/elements/bending.hpp>
#include <sinew/physics/elements/tet_batches.hpp>
#include <sinew/physics/numbering.hpp>
#include <sinew/physics/tet_mass.hpp>

namespace sinew::physics {

template <int nodes>
using TetsByMaterial = std::map<const MaterialEntry*, std::vector<TetElement<nodes>>>;

template <int nodes>
struct TetGroup {
  std::vector<const MaterialEntry*> materials;  ///< in order of appearance, for a fixed sum order
  TetsByMaterial<nodes> elastic;

  // Damping by stiffness: the same elements with stiffnesses times the coefficient.
  std::vector<TetElement<nodes>> damped_at_rest;  ///< with parameters of SmallStrain
  TetsByMaterial<nodes> damped_now;
};

/// Springs of one law.
struct LawSprings {
  const SpringLawEntry* law = nullptr;
  SpringElements elastic, plastic;
  // with the coefficient as their weight
  SpringElements damped_at_rest, damped_now, damped_along;
};

struct Bends {
  std::vector<BendAngle> angles;
  std::vector<BendHinge> hinges;
};

struct BodyElements {
  TetGroup<4> tets;
  TetGroup<10> quadratic_tets;
  std::vector<LawSprings> springs;  ///< per law, in order of appearance
  Bends bends;

  // with stiffnesses times the coefficient
  Bends bends_damped_at_rest, bends_damped_now;
};

BodyElements gather_elements(std::span<const Body> bodies, const Numbering& numbering);

/// [kg]
TetMass gather_mass(std::span<const Body> bodies, const Numbering& numbering);
/// The same times the coefficient of damping by mass [kg/s].
TetMass gather_mass_damping(std::span<const Body> bodies, const Numbering& numbering);

}  // namespace sinew::physics
