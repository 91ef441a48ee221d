// SPDX-License-Identifier: Apache-2.0
// Terms made of elements: their elasticity, and damping in proportion to their stiffness.
#pragma once

#include <memory>

#include <sinew/physics/elements/element_set.hpp>
#include <sinew/physics/term.hpp>

namespace sinew::physics {

/// W = sum over the elements. `energy_scale`: at strains of order one [J]. `keeps_rotations`: a
/// turned body has the same energy.
std::unique_ptr<Term> make_elastic_term(std::unique_ptr<ElementSet> elements, double energy_scale,
                                        bool keeps_rotations);

/// f = -D v with D the stiffness of `elements`, which must be linear: their force is that of
/// velocities in place of positions.
std::unique_ptr<Term> make_rest_damping_term(std::unique_ptr<ElementSet> elements);

/// f = -D(x) v with D the stiffness of the elements as they are now, negative curvature clamped;
/// d(D v)/dx is left out of tangents.
std::unique_ptr<Term> make_current_damping_term(std::unique_ptr<ElementSet> elements);

}  // namespace sinew::physics
