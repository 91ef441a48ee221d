// SPDX-License-Identifier: Apache-2.0
// How the volume of a tet, and with it mass and weight, goes to its vertices.
//
//   lumped       four nodes: 1/4 each; ten nodes: 1/36 at corners, 4/27 on edges. The latter is the
//                diagonal of the consistent matrix scaled to the whole volume: row sums would give
//                corners less than nothing (-1/20), and no positive weights are exact to degree 2.
//   consistent   integral of N_a N_b over the rest shape; four nodes: V/20 (1 + delta_ab)
#pragma once

#include <sinew/mesh/quadratic.hpp>

namespace sinew::mesh {

inline constexpr double quadratic_corner_share = 1.0 / 36.0, quadratic_middle_share = 4.0 / 27.0;

/// use(vertex, volume) for every vertex of a tet [m^3].
template <class Use>
void for_each_share(const TetMesh& mesh, int tet, const Use& use) {
  const double volume = tet_volume(mesh, tet);
  const double corner_share = mesh.is_quadratic() ? quadratic_corner_share : 0.25;
  for (const int vertex : mesh.tets[tet]) use(vertex, corner_share * volume);
  if (!mesh.is_quadratic()) return;
  for (const int vertex : mesh.middles[tet]) use(vertex, quadratic_middle_share * volume);
}

/// The integrals of N_a N_b over a curved tet, a <= b, row by row [m^3].
std::array<double, 55> quadratic_mass(const TetMesh& mesh, int tet);

/// use(vertex, other, volume) for every pair a <= b of vertices of a tet, by place in it [m^3].
template <class Use>
void for_each_consistent_share(const TetMesh& mesh, int tet, const Use& use) {
  if (mesh.is_quadratic()) {
    const QuadraticTet nodes = quadratic_tet(mesh, tet);
    const std::array<double, 55> mass = quadratic_mass(mesh, tet);
    std::size_t next = 0;
    for (std::size_t a = 0; a < nodes.size(); ++a)
      for (std::size_t b = a; b < nodes.size(); ++b) use(nodes[a], nodes[b], mass[next++]);
  } else {
    const double volume = tet_volume(mesh, tet);
    const Tet& nodes = mesh.tets[tet];
    for (std::size_t a = 0; a < nodes.size(); ++a)
      for (std::size_t b = a; b < nodes.size(); ++b)
        use(nodes[a], nodes[b], volume / 20.0 * (a == b ? 2.0 : 1.0));
  }
}

}  // namespace sinew::mesh
