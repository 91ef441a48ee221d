// SPDX-License-Identifier: Apache-2.0
// Splits hexahedral cells into five tets each so that neighbours agree on their common faces.
//
// Colour the corners of all cells black and white so that every cell edge joins the two colours.
// The diagonal of a face then joins its two black corners, whichever cell looks at it: cut off the
// four white corners of each cell, and the black ones form the fifth tet.
//
//      6-------7      corner = i + 2 j + 4 k with i, j, k in {0, 1} along a right-handed frame
//     /|      /|
//    4-------5 |
//    | 2-----|-3
//    |/      |/
//    0-------1
#pragma once

#include <array>
#include <span>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh {

/// The five tets of a cell by its corners: those cut off, then the middle one.
std::span<const Tet, 5> hex_tets(bool first_is_black);
/// Appends them.
void split_hex(TetMesh& mesh, const std::array<int, 8>& corners, bool first_is_black, int region);

}  // namespace sinew::mesh
