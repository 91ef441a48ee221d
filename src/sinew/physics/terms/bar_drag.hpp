// SPDX-License-Identifier: Apache-2.0
// Wind on bars: f = c |w| w on each bar, half of it on either end, with w the velocity of the air
// relative to the middle of the bar, across it, and c = drag * density/2 * diameter * length.
// D = c (|w| P + w w^T/|w|)/4 on each pair of ends, P = I - d d^T; the change of the force with the
// direction of the bar and with the place is left out.
#pragma once

#include <memory>

#include <sinew/physics/numbering.hpp>
#include <sinew/physics/term.hpp>
#include <sinew/physics/terms/load_spec.hpp>

namespace sinew::physics {

std::unique_ptr<Term> make_bar_drag_term(const WindLoad& load, const Numbering& numbering);

}  // namespace sinew::physics
