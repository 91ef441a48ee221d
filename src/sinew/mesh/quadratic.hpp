// SPDX-License-Identifier: Apache-2.0
// Tets with ten nodes: corners 0 to 3, then the vertices on the edges in the order of tet_edges.
// With barycentric coordinates l of the corners the shape functions are
//   N_i = l_i (2 l_i - 1) of a corner,   N_ij = 4 l_i l_j of the vertex on edge ij,
// and a point is the sum of N_k x_k: edges and faces are curved where a middle vertex does not lie
// halfway between its corners.
#pragma once

#include <array>
#include <functional>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh {

inline constexpr int num_quadratic_nodes = 10;
using QuadraticTet = std::array<int, num_quadratic_nodes>;
using Barycentric = std::array<double, 4>;

/// Corners and middles of a tet of second order.
QuadraticTet quadratic_tet(const TetMesh& mesh, int tet);

/// Tets alone: a mesh without positions.
TetMesh quadratic_mesh(const std::vector<QuadraticTet>& tets);

/// Where the vertex on the edge between two corners is in Middles.
int middle_between(int corner, int other);

/// The four points of equal weight that integrate polynomials of degree 2 exactly: the coordinate
/// of one corner, and of the three others; (5 + 3 sqrt 5)/20 and (5 - sqrt 5)/20.
inline constexpr double tet_rule_near = 0.58541019662496845446;
inline constexpr double tet_rule_far = 0.13819660112501051518;

std::array<double, num_quadratic_nodes> quadratic_shape(const Barycentric& l);
/// d N_k / d l_m for m = 1, 2, 3, with l_0 = 1 - l_1 - l_2 - l_3.
std::array<Vec3, num_quadratic_nodes> quadratic_slopes(const Barycentric& l);
/// Columns dX/dl_m: its determinant is six times the volume per volume [m].
Mat3 quadratic_jacobian(const std::array<Vec3, num_quadratic_nodes>& nodes, const Barycentric& l);

/// Of a tet of either order [m^3].
double tet_volume(const TetMesh& mesh, int tet);

/// Where a new middle vertex goes between two vertices.
using MiddlePlace = std::function<Vec3(const Vec3&, const Vec3&)>;

/// The same mesh of second order: every edge gets a vertex, after the vertices there are. It lies
/// halfway, or where `on_surface` says if the edge is on the boundary. A mesh that is quadratic
/// already, or has no tets, stays as it is.
TetMesh to_second_order(TetMesh mesh, const MiddlePlace& on_surface = {});

/// The corners alone, in their order. A mesh of first order stays as it is.
TetMesh to_first_order(TetMesh mesh);

}  // namespace sinew::mesh
