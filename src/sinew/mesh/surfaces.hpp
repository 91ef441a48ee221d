// SPDX-License-Identifier: Apache-2.0
// Closed surfaces made from a few numbers or from a function, for obstacles: vertices and triangles
// only. Triangles are counter-clockwise seen from outside, every edge has two of them, none is
// degenerate and no vertex is there twice. Vertices of round shapes lie on the exact surface.
#pragma once

#include <array>
#include <functional>
#include <span>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh {

/// A box of twelve triangles, centred at the origin.
struct BoxSurfaceSettings {
  std::array<double, 3> size{1.0, 1.0, 1.0};  ///< edge lengths along x, y, z [m]
};

/// A sphere around the origin: an icosahedron of which every face is cut into subdivisions^2
/// triangles.
struct SphereSurfaceSettings {
  double radius = 0.1;    ///< [m]
  int subdivisions = 12;  ///< parts of each edge of the icosahedron
};

/// All points within `radius` of the part of the z axis from -half_length to half_length.
struct CapsuleSurfaceSettings {
  double radius = 0.1;       ///< [m]
  double half_length = 0.2;  ///< of the straight part [m]
  int segments = 48;         ///< around the axis, at least 3
};

/// A cylinder with flat ends around the z axis, centred at the origin.
struct CylinderSurfaceSettings {
  double radius = 0.1;  ///< [m]
  double length = 0.5;  ///< along z [m]
  int segments = 48;    ///< around the axis, at least 3
};

/// Half an ellipsoid, hollow and open to +z, that touches z = 0 from above. The wall has its
/// thickness at the rim and at the bottom, and everywhere if radius and depth are the same.
struct BowlSettings {
  double radius = 0.2;      ///< inside, at the rim [m]
  double depth = 0.15;      ///< inside [m]
  double thickness = 0.02;  ///< of the wall [m]
  int segments = 64;        ///< around the axis, at least 3
};

/// Each throws InputError, with "/<parameter>" as its place, when a setting makes no sense.
TetMesh make_box_surface(const BoxSurfaceSettings& settings);
TetMesh make_sphere_surface(const SphereSurfaceSettings& settings);
TetMesh make_capsule_surface(const CapsuleSurfaceSettings& settings);
TetMesh make_cylinder_surface(const CylinderSurfaceSettings& settings);
TetMesh make_bowl(const BowlSettings& settings);

/// A point of the half-plane that turns around the z axis.
struct ProfilePoint {
  double distance = 0.0;  ///< from the axis [m]
  double z = 0.0;         ///< [m]
};

enum class ProfileKind {
  from_axis_to_axis,  ///< begins and ends on the axis, where the distance is exactly 0
  ring                ///< the last point is joined to the first one; none is on the axis
};

/// Turns a profile around the z axis. It runs counter-clockwise around the solid, where the
/// distance points right and z up. Throws InputError for profiles with less than three points, or
/// with points on the wrong side of the axis.
TetMesh make_revolved(std::span<const ProfilePoint> profile, ProfileKind kind, int segments);

/// The surface phi = 0 with phi < 0 inside, by marching tetrahedra on a grid of cells from `low` to
/// `high`; between points of the grid phi counts as linear, and edges of bodies are cut off by up
/// to a cell. Closed and manifold whatever phi is. Points of the grid close to the surface become
/// vertices of it, which leaves no slivers except where the surface would touch itself: there,
/// vertices keep a thousandth of an edge apart. Throws InputError if no point of the grid is inside
/// ("/phi"), or if one on the sides of the box is ("/low/0" is the side of least x): use a larger
/// box, or cut phi off.
TetMesh make_level_set(const std::function<double(const Vec3&)>& phi, const Vec3& low,
                       const Vec3& high, const std::array<int, 3>& cells);

}  // namespace sinew::mesh
