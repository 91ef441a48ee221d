// SPDX-License-Identifier: Apache-2.0
// Meshes made from a few numbers. Every shape here but needle, truss and those modelled or carved
// is a conforming block of hexahedral cells, each split into five tets; "cells" below are those
// hexahedra. More shapes of
// bars are in generators/particles.hpp, closed surfaces in surfaces.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <sinew/mesh/generators/particles.hpp>
#include <sinew/mesh/quadratic.hpp>
#include <sinew/mesh/shapes/shape_part.hpp>
#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh {

/// A box from the origin to `size`.
struct BarSettings {
  std::array<double, 3> size{1.0, 0.25, 0.25};  ///< edge lengths along x, y, z [m]
  std::array<int, 3> cells{16, 4, 4};           ///< cells along x, y, z
};

/// A thin box from the origin; its large faces are parallel to the xy plane.
struct SheetSettings {
  std::array<double, 2> size{1.0, 1.0};  ///< edge lengths along x, y [m]
  double thickness = 0.02;               ///< along z [m]
  std::array<int, 2> cells{20, 20};      ///< cells along x, y
  int layers = 1;                        ///< cells across the thickness
};

/// A ball around the origin: region 0 "core" inside region 1 "shell". A rounded cube of cells is
/// surrounded by six blocks of layers, finer toward the surface; the shell starts on an exact
/// sphere.
struct BallSettings {
  double radius = 0.1;            ///< outer radius [m]
  double shell_thickness = 0.02;  ///< 0 for a ball of one region [m]
  int cells = 5;                  ///< cells along an edge of the inner cube
  int core_layers = 3;            ///< layers from the cube to the shell
  int shell_layers = 2;           ///< layers in the shell; unused without one
};

/// A solid cylinder around the z axis from z = 0 to z = length.
struct CylinderSettings {
  double radius = 0.1;   ///< [m]
  double length = 1.0;   ///< along z [m]
  int cells = 3;         ///< cells along an edge of the inner square of the cross-section
  int layers = 2;        ///< layers from the square to the surface
  int axial_cells = 30;  ///< cells along z
};

/// A solid torus around the z axis, centred at the origin.
struct TorusSettings {
  double major_radius = 0.3;  ///< from the axis to the middle of the tube [m]
  double minor_radius = 0.1;  ///< radius of the tube [m]
  int cells = 3;              ///< cells along an edge of the inner square of the cross-section
  int layers = 2;             ///< layers from the square to the surface
  int ring_cells = 40;        ///< cells around the axis, an even number
};

/// A solid wire wound around the z axis, from z = 0 upwards; its ends lie at x = coil_radius for
/// whole numbers of turns. 1,207 vertices with these settings; 8,000 with cells = 3, layers = 2 and
/// wire_cells = 199.
struct CoilSpringSettings {
  double coil_radius = 0.1;    ///< from the axis to the middle of the wire [m]
  double wire_radius = 0.025;  ///< [m]
  double pitch = 0.1;          ///< rise per turn [m]
  double turns = 3.0;
  int cells = 2;        ///< cells along an edge of the inner square of the cross-section
  int layers = 1;       ///< layers from the square to the surface
  int wire_cells = 70;  ///< cells along the wire
};

/// A spur gear around the z axis from z = 0 to z = thickness; the middle of one tooth lies on +x.
/// Its outline is a polygon with corners on that of an involute gear, and inside of it. Gears of
/// the same pitch (radius / teeth), tooth height and pressure angle therefore turn without
/// overlapping at a distance of the sum of their radii, with `backlash` to spare along the pitch
/// circle.
struct GearSettings {
  double radius = 0.05;          ///< of the pitch circle [m]
  int teeth = 20;                ///< at least 4
  double thickness = 0.015;      ///< along z [m]
  double bore = 0.02;            ///< radius of the hole [m]
  double tooth_height = 0.0112;  ///< from root to tip; 4/9 of it outside of the pitch circle [m]
  double pressure_angle = 20.0;  ///< of the involute, between 5 and 40 [degree]
  double backlash = 4e-4;        ///< play between the flanks of two gears [m]
  int cells = 2;                 ///< across a tooth, and across the gap between two
  int layers = 5;                ///< from the hole to the roots of the teeth
  int tooth_layers = 3;          ///< from root to tip: as many straight pieces make a flank
  int axial_cells = 4;           ///< along z
};

/// A rod along z with a conical tip at the origin that points to -z. Six tets share the point, and
/// the sharper it is, the longer they are. The cross-section is cut into six sectors of triangles.
struct NeedleSettings {
  double radius = 0.001;      ///< [m]
  double length = 0.04;       ///< tip included [m]
  double tip_length = 0.003;  ///< of the cone [m]
  int cells = 2;              ///< from the axis to the surface, and along the tip
  int axial_cells = 48;       ///< along z above the tip
};

/// A lattice tower with cross-arms, made of bars only: four legs that stand on z = 0 around the z
/// axis, narrow to the waist and then to the top, with crossed braces on every side of every panel.
/// Arms reach along x, to both sides of the part above the waist. 278 vertices and 863 bars with
/// these settings; no vertex can move without changing the length of a bar.
struct TrussSettings {
  double height = 40.0;               ///< [m]
  double base_width = 7.0;            ///< between neighbouring feet [m]
  double waist_height = 24.0;         ///< [m]
  double waist_width = 1.8;           ///< [m]
  double top_width = 1.2;             ///< [m]
  std::array<int, 2> panels{13, 18};  ///< below and above the waist
  int arms = 3;                       ///< on each side
  double arm_length = 5.0;            ///< from the tower to the tip [m]
  int arm_panels = 7;                 ///< along an arm
};

/// A sheet of hexagonal cells, open to +z and -z: rows along x, every second one shifted by half a
/// cell. The middle of the first cell is the origin.
struct HoneycombSettings {
  std::array<int, 2> cells{8, 6};  ///< in a row, rows
  double cell = 0.125;             ///< between opposite walls, from middle to middle [m]
  double thickness = 0.03;         ///< of the walls [m]
  double height = 0.07;            ///< along z [m]
  int wall_cells = 2;              ///< along every wall, an even number
  int layers = 2;                  ///< along z
};

/// Shapes that are carved out of cells (generators/carved.cpp), with thin tets at their surface.
struct CarvedSettings {
  double scale = 1.0;     ///< factor
  int cells = 20;         ///< along the longest side
  double slivers = 0.05;  ///< share of the vertices near the surface that leave thin tets
  double snap = 0.02;     ///< how thin these may be: distance as a part of an edge
};

/// Bodies modelled from simple shapes (shapes/shape_part.hpp), filled by isosurface stuffing.
struct ShapeSettings {
  double size = 0.06;              ///< edge length of the cells at the surface [m]
  int levels = 1;                  ///< sizes of cells, each twice the one before
  std::vector<ShapePart> parts{};  ///< none: a sphere of radius 0.5
};

/// Of bars, which several processes can make in slices: each its own vertices and cells.
inline constexpr std::int64_t tets_per_cell = 5;
std::int64_t num_bar_vertices(const BarSettings& settings);
std::int64_t num_bar_cells(const BarSettings& settings);
/// Appends vertices first_vertex to end_vertex and, four numbers each, the tets of these cells, as
/// make_bar() has them.
void make_bar_slice(const BarSettings& settings, std::int64_t first_vertex, std::int64_t end_vertex,
                    std::vector<Vec3>& vertices, std::int64_t first_cell, std::int64_t end_cell,
                    std::vector<std::int64_t>& nodes);

/// Each throws InputError, with "/<parameter>" as its place, when a setting makes no sense.
TetMesh make_bar(const BarSettings& settings);
TetMesh make_sheet(const SheetSettings& settings);
TetMesh make_ball(const BallSettings& settings);
TetMesh make_cylinder(const CylinderSettings& settings);
TetMesh make_torus(const TorusSettings& settings);
TetMesh make_coil_spring(const CoilSpringSettings& settings);
TetMesh make_gear(const GearSettings& settings);
TetMesh make_honeycomb(const HoneycombSettings& settings);
TetMesh make_needle(const NeedleSettings& settings);
TetMesh make_truss(const TrussSettings& settings);
/// A stocky creature of 2.7 x 2.9 x 3.1 cm, a long one of 20 cm, and two lobes of 19 cm.
TetMesh make_figure(const CarvedSettings& settings);
TetMesh make_dragon(const CarvedSettings& settings);
TetMesh make_liver(const CarvedSettings& settings);
TetMesh make_shape(const ShapeSettings& settings);

enum class ParameterKind { number, integer };

struct GeneratorParameter {
  std::string name;
  std::string description;  ///< ends with the unit where there is one
  ParameterKind kind = ParameterKind::number;
  std::vector<double> defaults;  ///< one value for a scalar, k values for a vector of length k

  int length() const { return static_cast<int>(defaults.size()); }
};

/// Values by parameter name.
using GeneratorValues = std::map<std::string, std::vector<double>>;

struct GeneratorEntry {
  std::string name;
  std::string summary;
  std::vector<GeneratorParameter> parameters;
  /// Takes a value for every parameter (see default_values) and throws InputError, with
  /// "/<parameter>" as its place, for values that make no sense.
  std::function<TetMesh(const GeneratorValues&)> make{};

  /// Of round shapes: where vertices between two others of the surface go. None: halfway.
  MiddlePlace (*on_surface)(const GeneratorValues&) = nullptr;

  /// Of shapes made from parts.
  TetMesh (*make_from_parts)(const GeneratorValues&, std::vector<ShapePart>) = nullptr;

  GeneratorValues default_values() const;
  /// Of order 2, tets have ten vertices and round shapes are round between their corners too.
  TetMesh make_of_order(const GeneratorValues& values, int order,
                        const std::vector<ShapePart>& parts = {}) const;
};

/// A mesh that a program has already, under a name that scenes can give as that of a generator.
/// Throws InputError if it is not valid.
GeneratorEntry given_mesh(std::string name, TetMesh mesh);

/// Every generator there is.
std::span<const GeneratorEntry> generators();

}  // namespace sinew::mesh
