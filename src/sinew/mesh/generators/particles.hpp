// SPDX-License-Identifier: Apache-2.0
// Networks of particles made from a few numbers: bars, and triangles where there is a surface to
// draw; no tets, so that they can only be used for springs. "Rigid" means that, apart from moving
// as a whole, no particle can move without changing the length of a bar.
#pragma once

#include <array>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh {

/// A chain from the origin along x.
struct RopeSettings {
  double length = 1.0;  ///< [m]
  int particles = 80;
};

/// A rectangle in the xy plane from the origin, of triangles whose diagonals alternate. Bars are
/// "structural" along the lines of the grid and "shear" along both diagonals of every cell.
struct ClothSettings {
  std::array<double, 2> size{1.0, 1.0};  ///< edge lengths along x, y [m]
  std::array<int, 2> cells{20, 20};      ///< along x, y
};

/// Cloth with "bending" bars, which skip one particle along rows and columns: 502 bars with these
/// settings.
struct FoilSettings {
  std::array<double, 2> size{1.0, 1.0};  ///< edge lengths along x, y [m]
  std::array<int, 2> particles{10, 10};  ///< along x, y; at least 2
};

/// A tower around the z axis on four lattice legs that lean inwards until they merge. Its width
/// falls exponentially, and panels are the lower the narrower it is. Rigid once its feet are held.
/// Regions "lower" and "upper". 5,004 particles and 34,520 bars with these settings.
struct TrussTowerSettings {
  double height = 300.0;      ///< [m]
  double base_width = 125.0;  ///< between the outer edges of neighbouring legs [m]
  double top_width = 10.0;    ///< [m]
  double leg_width = 25.0;    ///< at the base [m]
  int leg_cells = 2;          ///< across a leg
  int levels = 138;           ///< panels from the ground to the top
  int platforms = 2;          ///< where bars tie the legs together, below the merge
  double merge_at = 0.6;      ///< as part of the height
  double upper_from = 0.4;    ///< where the region "upper" begins, as part of the height
};

/// Two layers of particles on spherical caps around the z axis, with a hole at the top; both stand
/// on z = 0. Bars within the lowest rings are "rim", the others "shell". Rigid. 930 particles and
/// 4,495 bars with these settings.
struct DomeSettings {
  double base_radius = 0.1;   ///< of the outer layer [m]
  double rise = 0.06;         ///< height of the outer cap, were it closed [m]
  double thickness = 0.01;    ///< between the layers [m]
  double hole_radius = 0.02;  ///< of the outer layer [m]
  int around = 31;            ///< particles around the axis, at least 3
  int rings = 15;             ///< from the rim to the hole, at least 2
  int rim_rings = 1;          ///< how many of them are the rim
};

/// A solid torus around the z axis, centred at the origin: a rounded square of particles swept
/// around, with a diagonal on every face along the way. Rigid. 684 particles and 2,508 bars with
/// these settings.
struct TorusLatticeSettings {
  double major_radius = 0.3;  ///< from the axis to the middle of the tube [m]
  double minor_radius = 0.1;  ///< of the tube [m]
  int cells = 2;              ///< across the tube, an even number
  int ring_cells = 76;        ///< around the axis, at least 3
};

/// A box of particles from the origin, with bars along edges, one diagonal of every face and one of
/// every cell. Rigid. 650 particles and 3,481 bars with these settings.
struct BeamLatticeSettings {
  std::array<double, 3> size{1.0, 0.16, 0.16};  ///< edge lengths along x, y, z [m]
  std::array<int, 3> cells{25, 4, 4};           ///< along x, y, z
};

/// A hollow ball around the origin: two spheres of particles with bars along the triangles of both
/// ("outer", "inner") and two bars per particle between them ("radial"). The outer triangles are
/// there to be drawn. n particles need 3 n - 6 bars to be rigid; this ball has 4 n - 12: 952
/// particles and 3,796 bars with these settings.
struct SphereLatticeSettings {
  double radius = 0.1;         ///< [m]
  double inner_radius = 0.07;  ///< [m]
  int rings = 18;              ///< of latitude between the poles, at least 2
  int around = 39;             ///< particles around the equator, at least 3
};

/// The head of a brush: bristles that hang down from z = 0, each a stack of cuboids with both
/// diagonals on every face. Bars are "axial" along the bristle, "ring" around its cross-sections,
/// and "diagonal". Each bristle is rigid; none is tied to another. 30,000 particles and 117,000
/// bars with these settings.
struct BrushSettings {
  std::array<int, 2> bristles{50, 30};      ///< along x, y
  std::array<double, 2> pitch{5e-4, 5e-4};  ///< from one bristle to the next along x, y [m]
  double length = 0.01;                     ///< [m]
  double thickness = 1.2e-4;                ///< side of the square cross-section [m]
  int segments = 4;                         ///< cuboids of a bristle
};

/// A bundle of hydrocarbon chains along z, side by side on a grid around the z axis: CH2 groups of
/// 14.027 u in a zigzag, in nm. Species "C". The first chains are longer by one where the atoms
/// cannot be shared out evenly.
struct PolymerSettings {
  int atoms = 1732;                 ///< in all
  std::array<int, 2> chains{6, 6};  ///< along x, y
  double spacing = 0.48;            ///< between the axes of neighbouring chains [nm]
  double bond = 0.154;              ///< [nm]
  double angle = 112.0;             ///< between bonds [degree]
};

/// The body of a car, front towards +x: a closed wall of two layers of particles with bulkheads and
/// seats inside. It is symmetric to y = 0, begins at x = 0 and stands above the ground z = 0. Bars
/// are "structural" between neighbours, "shear" along both diagonals of every face, and "bending"
/// where they skip one particle. The outer triangles are there to be drawn. Rigid. 119,796
/// particles and 1,022,166 bars with these settings.
struct VehicleSettings {
  std::array<double, 3> size{4.2, 1.75, 1.4};  ///< length, width and height of the roof [m]
  int resolution = 172;                        ///< cells along the length, at least 12
};

/// Each throws InputError, with "/<parameter>" as its place, when a setting makes no sense.
TetMesh make_rope(const RopeSettings& settings);
TetMesh make_cloth(const ClothSettings& settings);
TetMesh make_foil(const FoilSettings& settings);
TetMesh make_truss_tower(const TrussTowerSettings& settings);
TetMesh make_dome(const DomeSettings& settings);
TetMesh make_torus_lattice(const TorusLatticeSettings& settings);
TetMesh make_beam_lattice(const BeamLatticeSettings& settings);
TetMesh make_sphere_lattice(const SphereLatticeSettings& settings);
TetMesh make_brush(const BrushSettings& settings);
TetMesh make_polymer(const PolymerSettings& settings);
TetMesh make_vehicle(const VehicleSettings& settings);

}  // namespace sinew::mesh
