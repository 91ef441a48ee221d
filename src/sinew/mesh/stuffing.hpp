// SPDX-License-Identifier: Apache-2.0
// Isosurface stuffing (Labelle and Shewchuk 2007): fills the inside of a surface with tets of a
// body-centred cubic lattice, moved and cut at the surface so that no dihedral angle is below 9.3
// or above 161.7 degrees, whatever the surface is (docs/theory/stuffing.md).
#pragma once

#include <functional>
#include <limits>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh {

/// What is filled: all points of the box where phi < 0.
struct Solid {
  std::function<double(const Vec3&)> phi;
  BoundingBox box;  ///< holds the whole solid
  /// Bound of |grad phi|: with one, places far from the surface are passed over in large blocks.
  double slope = std::numeric_limits<double>::infinity();
};

struct StuffingSettings {
  double size = 0.1;   ///< edge length of the cells at the surface; two vertices per cell [m]
  int coarsening = 0;  ///< how often cells away from the surface may double in size
};

/// The angles that no tet exceeds [degree]
inline constexpr double least_stuffing_angle = 9.3, largest_stuffing_angle = 161.7;

/// Corners and edges of the solid that are sharp are rounded, and what is thinner than about a cell
/// is lost, or joined where it would only touch. The boundary is a manifold. Throws InputError,
/// with its place in "/size", if there is nothing inside or too many cells are needed, and in
/// "/phi" if a value is not finite.
TetMesh stuff(const Solid& solid, const StuffingSettings& settings);

}  // namespace sinew::mesh
