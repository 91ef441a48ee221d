// SPDX-License-Identifier: Apache-2.0
// From the state of a system to that of the one that an edit has made of it.
#pragma once

#include <span>

#include <sinew/physics/cut_bodies.hpp>

namespace sinew::physics {

struct CarriedState {
  dynamics::State state;
  dynamics::DofMap map;
};

/// Vertices go on where they are and as fast; those that cuts have added move with the material.
/// This keeps mass and momentum. Angular momentum of lumped masses depends on where they are, and
/// cuts distribute them anew: what is missing then is given to the vertices whose mass has changed,
/// as a turn.
CarriedState carry_over(const TermSystem& before, const dynamics::State& state,
                        const TermSystem& after, std::span<const CutChange> cuts = {});

}  // namespace sinew::physics
