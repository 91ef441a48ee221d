// SPDX-License-Identifier: Apache-2.0
// What is in proportion to mass: weight, and the damping a M of Rayleigh's sum.
#pragma once

#include <memory>

#include <sinew/physics/term.hpp>
#include <sinew/physics/tet_mass.hpp>

namespace sinew::physics {

/// W = -sum of m_k g . x_k over the free vertices. `masses`: one per vertex [kg].
std::unique_ptr<Term> make_gravity_term(const Vec3& gravity, const Vec& masses,
                                        const Numbering& numbering);

/// f = -D v; `damping` is the mass with the coefficient as a factor [kg/s].
std::unique_ptr<Term> make_mass_damping_term(TetMass damping);

}  // namespace sinew::physics
