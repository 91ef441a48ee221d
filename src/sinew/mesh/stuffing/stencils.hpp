// SPDX-License-Identifier: Apache-2.0
// What is left of one tet of the lattice when the outside is cut away.
#pragma once

#include <functional>
#include <vector>

#include <sinew/mesh/stuffing/lattice.hpp>

namespace sinew::mesh {

/// Of a point of the lattice.
enum class Side : signed char { outside = -1, on_surface = 0, inside = 1 };

/// A vertex of a tet that is left: a point of the lattice, or the cut between two.
struct CutCorner {
  LatticePoint point;    ///< not outside
  LatticePoint outside;  ///< the same: no cut

  bool is_cut() const { return point != outside; }
};

/// visit(corners) for each of up to three tets that are left, in no particular orientation. Where
/// two tets of the lattice meet, both are cut in the same way. A quadrilateral in the surface has a
/// diagonal that no other tet sees.
void cut_lattice_tet(const LatticeTet& tet, const std::array<Side, 4>& sides,
                     const std::function<void(const std::array<CutCorner, 4>&)>& visit);

}  // namespace sinew::mesh
