// SPDX-License-Identifier: Apache-2.0
// A mesh as plain data: tets of a solid, or particles with the triangles and bars between them.
// Readers and generators make it, validation judges it, physics consumes it.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include <sinew/core/types.hpp>

namespace sinew::mesh {

using Tet = std::array<int, 4>;
using Middles = std::array<int, 6>;
using Triangle = std::array<int, 3>;
using Edge = std::array<int, 2>;

/// Corners of the face opposite each corner, outward when the tet has positive volume.
inline constexpr std::array<std::array<int, 3>, 4> tet_faces{
    {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

/// Corners of the six edges.
inline constexpr std::array<std::array<int, 2>, 6> tet_edges{
    {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

struct TetMesh {
  std::vector<Vec3> vertices;  ///< rest positions [m]; of atoms [nm]
  std::vector<Tet> tets;       ///< vertex indices; positive volume once validated
  /// Of tets of second order: the vertices on their edges, in the order of tet_edges. Either one
  /// entry per tet or none.
  std::vector<Middles> middles;
  std::vector<int> regions;                 ///< one number per tet
  std::map<int, std::string> region_names;  ///< for those regions that have a name

  // Of bodies made of particles.
  std::vector<Triangle> triangles;   ///< of a surface that is a body itself, such as cloth
  std::vector<Edge> bars;            ///< of a truss, a rope, a molecule
  std::vector<int> bar_regions;      ///< one number per bar; none: all are 0
  std::vector<double> masses;        ///< one per vertex if the source has them [kg]; of atoms [u]
  std::vector<std::string> species;  ///< of atoms: one chemical symbol per vertex; or none

  int num_vertices() const { return static_cast<int>(vertices.size()); }
  int num_tets() const { return static_cast<int>(tets.size()); }
  bool is_quadratic() const { return !middles.empty(); }
};

/// Whether particles make it up: no tets, but triangles, bars, masses or species.
bool is_made_of_particles(const TetMesh& mesh);

/// The positions of a tet's four corners [m]
std::array<Vec3, 4> corners(const TetMesh& mesh, int tet);

/// det[b - a, c - a, d - a] / 6 for the tet (a, b, c, d) [m^3]
double signed_volume(const std::array<Vec3, 4>& corners);
double signed_volume(const TetMesh& mesh, int tet);

/// Bars and edges of triangles and tets, from corner to corner, each once, in ascending order.
std::vector<Edge> edges_of(const TetMesh& mesh);

/// Axis-aligned box; for no points at all, the empty box at the origin.
struct BoundingBox {
  Vec3 low = Vec3::Zero();   ///< [m]
  Vec3 high = Vec3::Zero();  ///< [m]

  Vec3 size() const { return high - low; }
  double diagonal() const { return size().norm(); }
};

BoundingBox bounding_box(const TetMesh& mesh);

/// Length of the bounding box's diagonal: the mesh's own length scale for relative tolerances [m]
double bounding_diagonal(const TetMesh& mesh);

}  // namespace sinew::mesh
