// SPDX-License-Identifier: Apache-2.0
// Splits cells of a lattice into six tets each. Every tet follows the edges of the cell from its
// first corner to its last one, so that neighbours agree on their common faces without a colouring,
// and the planes x = y, y = z and x = z of the lattice are made of faces.
#pragma once

#include <array>

namespace sinew::mesh {

/// Corners i + 2 j + 4 k of a cell, with i, j, k in {0, 1} along a right-handed frame; each tet has
/// positive volume. Of two corners of a tet, the bits of one are among those of the other.
inline constexpr std::array<std::array<int, 4>, 6> kuhn_tets{
    {{0, 1, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 3, 2, 7}, {0, 6, 4, 7}, {0, 5, 1, 7}}};

}  // namespace sinew::mesh
