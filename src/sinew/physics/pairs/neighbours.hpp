// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include <sinew/core/types.hpp>
#include <sinew/physics/elements/padded_field.hpp>

namespace sinew::physics {

/// Pairs of particles closer than a distance, each once, of `particles` (ascending numbers):
/// neighbours of particle k are listed in ascending order and come after it.
struct Neighbours {
  std::vector<std::size_t> start;  ///< one more than there are particles
  std::vector<int> others;         ///< places in the list of particles

  std::span<const int> of(std::size_t k) const {
    return std::span(others).subspan(start[k], start[k + 1] - start[k]);
  }
};

/// By a grid of cells as wide as the distance.
Neighbours find_neighbours(std::span<const int> particles, const PaddedField& x, double distance);

/// The same by looking at every pair.
Neighbours find_neighbours_directly(std::span<const int> particles, const PaddedField& x,
                                    double distance);

}  // namespace sinew::physics
