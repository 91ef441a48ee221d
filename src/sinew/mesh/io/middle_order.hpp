// SPDX-License-Identifier: Apache-2.0
// Formats list the vertices on the edges of a second-order tet in orders of their own.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <sinew/core/error.hpp>
#include <sinew/mesh/quadratic.hpp>

namespace sinew::mesh::io {

/// The edges, as numbers in tet_edges, in the order in which a file has their middle vertices.
using MiddleOrder = std::array<std::size_t, 6>;
inline constexpr MiddleOrder vtk_middles{0, 3, 1, 2, 4, 5};     ///< 01 12 02 03 13 23; Medit too
inline constexpr MiddleOrder gmsh_middles{0, 3, 1, 2, 5, 4};    ///< 01 12 02 03 23 13
inline constexpr MiddleOrder tetgen_middles{5, 2, 0, 3, 4, 1};  ///< 23 03 01 12 13 02

/// The vertices of a tet as mesh/quadratic.hpp wants them.
inline QuadraticTet from_file_order(const QuadraticTet& nodes, const MiddleOrder& order) {
  QuadraticTet result = nodes;
  for (std::size_t k = 0; k < order.size(); ++k) result[4 + order[k]] = nodes[4 + k];
  return result;
}

/// And back.
inline QuadraticTet to_file_order(const QuadraticTet& nodes, const MiddleOrder& order) {
  QuadraticTet result = nodes;
  for (std::size_t k = 0; k < order.size(); ++k) result[4 + k] = nodes[4 + order[k]];
  return result;
}

/// Adds a tet of second order as the file has it.
inline void add_quadratic_tet(const QuadraticTet& nodes, const MiddleOrder& order, TetMesh& mesh) {
  const auto [a, b, c, d, ab, ac, ad, bc, bd, cd] = from_file_order(nodes, order);
  mesh.tets.push_back({a, b, c, d});
  mesh.middles.push_back({ab, ac, ad, bc, bd, cd});
}

/// The vertices of a tet of either order as the file has them.
inline std::vector<int> nodes_of(const TetMesh& mesh, int tet, const MiddleOrder& order) {
  std::vector<int> nodes(mesh.tets[tet].begin(), mesh.tets[tet].end());
  if (mesh.is_quadratic())
    for (const std::size_t edge : order) nodes.push_back(mesh.middles[tet][edge]);
  return nodes;
}

[[noreturn]] inline void fail_mixed_orders(const std::string& file) {
  throw InputError({file, "", "has tetrahedra of first and of second order",
                    "save the whole volume with one order (Gmsh: gmsh -3 -order 2)"});
}

}  // namespace sinew::mesh::io
