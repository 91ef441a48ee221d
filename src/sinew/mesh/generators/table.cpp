// SPDX-License-Identifier: Apache-2.0
// The one table of mesh generators.
#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/generators/entry_tools.hpp>
#include <sinew/mesh/generators/round_surfaces.hpp>
#include <sinew/mesh/generators/surface_entries.hpp>
#include <sinew/mesh/validate.hpp>

namespace sinew::mesh {
namespace {

GeneratorEntry bar_entry() {
  const BarSettings d;
  return {"bar",
          "a box from the origin",
          {number_parameter("size", "edge lengths along x, y, z [m]", as_defaults(d.size)),
           integer_parameter("cells", "cells along x, y, z", as_defaults(d.cells))},
          [](const GeneratorValues& values) {
            return make_bar({numbers<3>(values, "size"), integers<3>(values, "cells")});
          }};
}

GeneratorEntry sheet_entry() {
  const SheetSettings d;
  return {"sheet",
          "a thin box from the origin, parallel to the xy plane",
          {number_parameter("size", "edge lengths along x, y [m]", as_defaults(d.size)),
           number_parameter("thickness", "extent along z [m]", {d.thickness}),
           integer_parameter("cells", "cells along x, y", as_defaults(d.cells)),
           integer_parameter("layers", "cells across the thickness", {1.0 * d.layers})},
          [](const GeneratorValues& values) {
            return make_sheet({numbers<2>(values, "size"), number(values, "thickness"),
                               integers<2>(values, "cells"), integer(values, "layers")});
          }};
}

BallSettings ball_settings(const GeneratorValues& values) {
  return {number(values, "radius"), number(values, "shell_thickness"), integer(values, "cells"),
          integer(values, "core_layers"), integer(values, "shell_layers")};
}

GeneratorEntry ball_entry() {
  const BallSettings d;
  return {"ball",
          "a ball around the origin with regions \"core\" and \"shell\"",
          {number_parameter("radius", "outer radius [m]", {d.radius}),
           number_parameter("shell_thickness", "thickness of the shell, 0 for none [m]",
                            {d.shell_thickness}),
           integer_parameter("cells", "cells along an edge of the inner cube", {1.0 * d.cells}),
           integer_parameter("core_layers", "layers from the inner cube to the shell",
                             {1.0 * d.core_layers}),
           integer_parameter("shell_layers", "layers in the shell", {1.0 * d.shell_layers})},
          [](const GeneratorValues& values) { return make_ball(ball_settings(values)); },
          [](const GeneratorValues& values) { return surface_of(ball_settings(values)); }};
}

CylinderSettings cylinder_settings(const GeneratorValues& values) {
  return {number(values, "radius"), number(values, "length"), integer(values, "cells"),
          integer(values, "layers"), integer(values, "axial_cells")};
}

GeneratorEntry cylinder_entry() {
  const CylinderSettings d;
  return {
      "cylinder",
      "a solid cylinder along z, from z = 0",
      {number_parameter("radius", "radius [m]", {d.radius}),
       number_parameter("length", "length along z [m]", {d.length}),
       integer_parameter("cells", "cells along an edge of the inner square", {1.0 * d.cells}),
       integer_parameter("layers", "layers from the inner square to the surface", {1.0 * d.layers}),
       integer_parameter("axial_cells", "cells along z", {1.0 * d.axial_cells})},
      [](const GeneratorValues& values) { return make_cylinder(cylinder_settings(values)); },
      [](const GeneratorValues& values) { return surface_of(cylinder_settings(values)); }};
}

TorusSettings torus_settings(const GeneratorValues& values) {
  return {number(values, "major_radius"), number(values, "minor_radius"), integer(values, "cells"),
          integer(values, "layers"), integer(values, "ring_cells")};
}

GeneratorEntry torus_entry() {
  const TorusSettings d;
  return {
      "torus",
      "a solid torus around the z axis",
      {number_parameter("major_radius", "from the axis to the middle of the tube [m]",
                        {d.major_radius}),
       number_parameter("minor_radius", "radius of the tube [m]", {d.minor_radius}),
       integer_parameter("cells", "cells along an edge of the inner square", {1.0 * d.cells}),
       integer_parameter("layers", "layers from the inner square to the surface", {1.0 * d.layers}),
       integer_parameter("ring_cells", "cells around the axis, even", {1.0 * d.ring_cells})},
      [](const GeneratorValues& values) { return make_torus(torus_settings(values)); },
      [](const GeneratorValues& values) { return surface_of(torus_settings(values)); }};
}

CoilSpringSettings coil_spring_settings(const GeneratorValues& values) {
  return {number(values, "coil_radius"), number(values, "wire_radius"), number(values, "pitch"),
          number(values, "turns"),       integer(values, "cells"),      integer(values, "layers"),
          integer(values, "wire_cells")};
}

GeneratorEntry coil_spring_entry() {
  const CoilSpringSettings d;
  return {
      "coil-spring",
      "a solid wire wound around the z axis, from z = 0",
      {number_parameter("coil_radius", "from the axis to the middle of the wire [m]",
                        {d.coil_radius}),
       number_parameter("wire_radius", "radius of the wire [m]", {d.wire_radius}),
       number_parameter("pitch", "rise per turn [m]", {d.pitch}),
       number_parameter("turns", "number of turns", {d.turns}),
       integer_parameter("cells", "cells along an edge of the inner square", {1.0 * d.cells}),
       integer_parameter("layers", "layers from the inner square to the surface", {1.0 * d.layers}),
       integer_parameter("wire_cells", "cells along the wire", {1.0 * d.wire_cells})},
      [](const GeneratorValues& values) { return make_coil_spring(coil_spring_settings(values)); },
      [](const GeneratorValues& values) { return surface_of(coil_spring_settings(values)); }};
}

GeneratorEntry gear_entry() {
  const GearSettings d;
  return {"gear",
          "a solid spur gear around the z axis, from z = 0; a tooth points to +x",
          {number_parameter("radius", "of the pitch circle [m]", {d.radius}),
           integer_parameter("teeth", "teeth, at least 4", {1.0 * d.teeth}),
           number_parameter("thickness", "extent along z [m]", {d.thickness}),
           number_parameter("bore", "radius of the hole [m]", {d.bore}),
           number_parameter("tooth_height", "from root to tip [m]", {d.tooth_height}),
           number_parameter("pressure_angle", "of the involute [degree]", {d.pressure_angle}),
           number_parameter("backlash", "play between the teeth of two gears [m]", {d.backlash}),
           integer_parameter("cells", "cells across a tooth and across a gap", {1.0 * d.cells}),
           integer_parameter("layers", "layers from the hole to the roots", {1.0 * d.layers}),
           integer_parameter("tooth_layers", "layers from root to tip", {1.0 * d.tooth_layers}),
           integer_parameter("axial_cells", "cells along z", {1.0 * d.axial_cells})},
          [](const GeneratorValues& values) {
            return make_gear({number(values, "radius"), integer(values, "teeth"),
                              number(values, "thickness"), number(values, "bore"),
                              number(values, "tooth_height"), number(values, "pressure_angle"),
                              number(values, "backlash"), integer(values, "cells"),
                              integer(values, "layers"), integer(values, "tooth_layers"),
                              integer(values, "axial_cells")});
          }};
}

GeneratorEntry honeycomb_entry() {
  const HoneycombSettings d;
  return {
      "honeycomb",
      "a sheet of hexagonal cells, open to +z and -z; the middle of the first one is the origin",
      {integer_parameter("cells", "cells in a row along x, and rows", as_defaults(d.cells)),
       number_parameter("cell", "between opposite walls, from middle to middle [m]", {d.cell}),
       number_parameter("thickness", "of the walls [m]", {d.thickness}),
       number_parameter("height", "along z [m]", {d.height}),
       integer_parameter("wall_cells", "cells along every wall, even", {1.0 * d.wall_cells}),
       integer_parameter("layers", "cells along z", {1.0 * d.layers})},
      [](const GeneratorValues& values) {
        return make_honeycomb({integers<2>(values, "cells"), number(values, "cell"),
                               number(values, "thickness"), number(values, "height"),
                               integer(values, "wall_cells"), integer(values, "layers")});
      }};
}

GeneratorEntry needle_entry() {
  const NeedleSettings d;
  return {"needle",
          "a solid rod along z with a conical tip at the origin that points to -z",
          {number_parameter("radius", "of the rod [m]", {d.radius}),
           number_parameter("length", "along z, tip included [m]", {d.length}),
           number_parameter("tip_length", "of the cone [m]", {d.tip_length}),
           integer_parameter("cells", "cells from the axis to the surface", {1.0 * d.cells}),
           integer_parameter("axial_cells", "cells along z above the tip", {1.0 * d.axial_cells})},
          [](const GeneratorValues& values) {
            return make_needle({number(values, "radius"), number(values, "length"),
                                number(values, "tip_length"), integer(values, "cells"),
                                integer(values, "axial_cells")});
          }};
}

GeneratorEntry truss_entry() {
  const TrussSettings d;
  return {
      "truss",
      "a lattice tower with cross-arms, made of bars: for springs only",
      {number_parameter("height", "of the tower, along z [m]", {d.height}),
       number_parameter("base_width", "between neighbouring feet [m]", {d.base_width}),
       number_parameter("waist_height", "where the taper changes [m]", {d.waist_height}),
       number_parameter("waist_width", "width there [m]", {d.waist_width}),
       number_parameter("top_width", "width at the top [m]", {d.top_width}),
       integer_parameter("panels", "panels below and above the waist", as_defaults(d.panels)),
       integer_parameter("arms", "arms on each side, along x", {1.0 * d.arms}),
       number_parameter("arm_length", "from the tower to the tip of an arm [m]", {d.arm_length}),
       integer_parameter("arm_panels", "panels of an arm", {1.0 * d.arm_panels})},
      [](const GeneratorValues& values) {
        return make_truss({number(values, "height"), number(values, "base_width"),
                           number(values, "waist_height"), number(values, "waist_width"),
                           number(values, "top_width"), integers<2>(values, "panels"),
                           integer(values, "arms"), number(values, "arm_length"),
                           integer(values, "arm_panels")});
      }};
}

GeneratorEntry rope_entry() {
  const RopeSettings d;
  return {"rope",
          "a chain of particles from the origin along x: for springs only",
          {number_parameter("length", "along x [m]", {d.length}),
           integer_parameter("particles", "particles, at least 2", {1.0 * d.particles})},
          [](const GeneratorValues& values) {
            return make_rope({number(values, "length"), integer(values, "particles")});
          }};
}

GeneratorEntry polymer_entry() {
  const PolymerSettings d;
  return {"polymer",
          "a bundle of hydrocarbon chains, in nm and u: for springs with units md only",
          {integer_parameter("atoms", "CH2 groups in all", {1.0 * d.atoms}),
           integer_parameter("chains", "chains along x, y", as_defaults(d.chains)),
           number_parameter("spacing", "between neighbouring chains [nm]", {d.spacing}),
           number_parameter("bond", "length of a bond [nm]", {d.bond}),
           number_parameter("angle", "between bonds [degree]", {d.angle})},
          [](const GeneratorValues& values) {
            return make_polymer({integer(values, "atoms"), integers<2>(values, "chains"),
                                 number(values, "spacing"), number(values, "bond"),
                                 number(values, "angle")});
          }};
}

GeneratorEntry cloth_entry() {
  const ClothSettings d;
  return {"cloth",
          "a rectangle of particles with bars \"structural\" and \"shear\": for springs only",
          {number_parameter("size", "edge lengths along x, y [m]", as_defaults(d.size)),
           integer_parameter("cells", "cells along x, y", as_defaults(d.cells))},
          [](const GeneratorValues& values) {
            return make_cloth({numbers<2>(values, "size"), integers<2>(values, "cells")});
          }};
}

GeneratorEntry foil_entry() {
  const FoilSettings d;
  return {"foil",
          "cloth with bars \"bending\" that skip one particle: for springs only",
          {number_parameter("size", "edge lengths along x, y [m]", as_defaults(d.size)),
           integer_parameter("particles", "particles along x, y, at least 2",
                             as_defaults(d.particles))},
          [](const GeneratorValues& values) {
            return make_foil({numbers<2>(values, "size"), integers<2>(values, "particles")});
          }};
}

GeneratorEntry truss_tower_entry() {
  const TrussTowerSettings d;
  return {
      "truss-tower",
      "a tower on four curved legs with regions \"lower\" and \"upper\": for springs only",
      {number_parameter("height", "of the tower, along z [m]", {d.height}),
       number_parameter("base_width", "between the outer edges of neighbouring legs [m]",
                        {d.base_width}),
       number_parameter("top_width", "width at the top [m]", {d.top_width}),
       number_parameter("leg_width", "of a leg at the base [m]", {d.leg_width}),
       integer_parameter("leg_cells", "cells across a leg", {1.0 * d.leg_cells}),
       integer_parameter("levels", "panels from the ground to the top", {1.0 * d.levels}),
       integer_parameter("platforms", "platforms between the legs", {1.0 * d.platforms}),
       number_parameter("merge_at", "where the legs merge, as part of the height", {d.merge_at}),
       number_parameter("upper_from", "where \"upper\" begins, as part of the height",
                        {d.upper_from})},
      [](const GeneratorValues& values) {
        return make_truss_tower({number(values, "height"), number(values, "base_width"),
                                 number(values, "top_width"), number(values, "leg_width"),
                                 integer(values, "leg_cells"), integer(values, "levels"),
                                 integer(values, "platforms"), number(values, "merge_at"),
                                 number(values, "upper_from")});
      }};
}

GeneratorEntry dome_entry() {
  const DomeSettings d;
  return {
      "dome",
      "a spherical cap of two layers with regions \"rim\" and \"shell\": for springs only",
      {number_parameter("base_radius", "outer radius at z = 0 [m]", {d.base_radius}),
       number_parameter("rise", "height of the cap, were it closed [m]", {d.rise}),
       number_parameter("thickness", "between the layers [m]", {d.thickness}),
       number_parameter("hole_radius", "of the hole at the top [m]", {d.hole_radius}),
       integer_parameter("around", "particles around the axis, at least 3", {1.0 * d.around}),
       integer_parameter("rings", "rings from the rim to the hole, at least 2", {1.0 * d.rings}),
       integer_parameter("rim_rings", "rings of the rim", {1.0 * d.rim_rings})},
      [](const GeneratorValues& values) {
        return make_dome({number(values, "base_radius"), number(values, "rise"),
                          number(values, "thickness"), number(values, "hole_radius"),
                          integer(values, "around"), integer(values, "rings"),
                          integer(values, "rim_rings")});
      }};
}

GeneratorEntry torus_lattice_entry() {
  const TorusLatticeSettings d;
  return {
      "torus-lattice",
      "a torus of particles around the z axis: for springs only",
      {number_parameter("major_radius", "from the axis to the middle of the tube [m]",
                        {d.major_radius}),
       number_parameter("minor_radius", "radius of the tube [m]", {d.minor_radius}),
       integer_parameter("cells", "cells across the tube, even", {1.0 * d.cells}),
       integer_parameter("ring_cells", "cells around the axis, at least 3", {1.0 * d.ring_cells})},
      [](const GeneratorValues& values) {
        return make_torus_lattice({number(values, "major_radius"), number(values, "minor_radius"),
                                   integer(values, "cells"), integer(values, "ring_cells")});
      }};
}

GeneratorEntry beam_lattice_entry() {
  const BeamLatticeSettings d;
  return {"beam-lattice",
          "a box of particles from the origin: for springs only",
          {number_parameter("size", "edge lengths along x, y, z [m]", as_defaults(d.size)),
           integer_parameter("cells", "cells along x, y, z", as_defaults(d.cells))},
          [](const GeneratorValues& values) {
            return make_beam_lattice({numbers<3>(values, "size"), integers<3>(values, "cells")});
          }};
}

GeneratorEntry sphere_lattice_entry() {
  const SphereLatticeSettings d;
  return {
      "sphere-lattice",
      "a hollow ball with bars \"outer\", \"inner\" and \"radial\": for springs only",
      {number_parameter("radius", "outer radius [m]", {d.radius}),
       number_parameter("inner_radius", "of the inner sphere [m]", {d.inner_radius}),
       integer_parameter("rings", "circles of latitude between the poles, at least 2",
                         {1.0 * d.rings}),
       integer_parameter("around", "particles around the equator, at least 3", {1.0 * d.around})},
      [](const GeneratorValues& values) {
        return make_sphere_lattice({number(values, "radius"), number(values, "inner_radius"),
                                    integer(values, "rings"), integer(values, "around")});
      }};
}

GeneratorEntry brush_entry() {
  const BrushSettings d;
  return {"brush",
          "bristles below z = 0 with bars \"axial\", \"ring\" and \"diagonal\": for springs only",
          {integer_parameter("bristles", "bristles along x, y", as_defaults(d.bristles)),
           number_parameter("pitch", "from one bristle to the next along x, y [m]",
                            as_defaults(d.pitch)),
           number_parameter("length", "of a bristle, along -z [m]", {d.length}),
           number_parameter("thickness", "side of the square cross-section [m]", {d.thickness}),
           integer_parameter("segments", "cuboids of a bristle", {1.0 * d.segments})},
          [](const GeneratorValues& values) {
            return make_brush({integers<2>(values, "bristles"), numbers<2>(values, "pitch"),
                               number(values, "length"), number(values, "thickness"),
                               integer(values, "segments")});
          }};
}

GeneratorEntry vehicle_entry() {
  const VehicleSettings d;
  return {
      "vehicle",
      "the body of a car with bars \"structural\", \"shear\" and \"bending\": for springs only",
      {number_parameter("size", "length, width and height of the roof [m]", as_defaults(d.size)),
       integer_parameter("resolution", "cells along the length, at least 12",
                         {1.0 * d.resolution})},
      [](const GeneratorValues& values) {
        return make_vehicle({numbers<3>(values, "size"), integer(values, "resolution")});
      }};
}

TetMesh make_from_parts(const GeneratorValues& values, std::vector<ShapePart> parts) {
  return make_shape({number(values, "size"), integer(values, "levels"), std::move(parts)});
}

GeneratorEntry shape_entry() {
  const ShapeSettings d;
  GeneratorEntry entry{
      "shape",
      "a body modelled from spheres, capsules, boxes and others, joined and cut by each other",
      {number_parameter("size", "edge length of the cells at the surface [m]", {d.size}),
       integer_parameter("levels", "sizes of cells, each twice the one before: larger ones inside",
                         {1.0 * d.levels})},
      [](const GeneratorValues& values) { return make_from_parts(values, {}); }};
  entry.make_from_parts = make_from_parts;
  return entry;
}

GeneratorEntry carved_entry(std::string name, std::string summary, int cells,
                            TetMesh (*make)(const GeneratorValues&)) {
  const CarvedSettings d;
  return {
      std::move(name),
      std::move(summary),
      {number_parameter("scale", "factor", {d.scale}),
       integer_parameter("cells", "cells along the longest side", {1.0 * cells}),
       number_parameter("slivers", "share of the vertices near the surface that leave thin tets",
                        {d.slivers}),
       number_parameter("snap", "how thin these may be: distance as a part of an edge", {d.snap})},
      make};
}

template <TetMesh (*make)(const CarvedSettings&)>
TetMesh make_carved(const GeneratorValues& values) {
  return make({number(values, "scale"), integer(values, "cells"), number(values, "slivers"),
               number(values, "snap")});
}

}  // namespace

GeneratorValues GeneratorEntry::default_values() const {
  GeneratorValues values;
  for (const GeneratorParameter& parameter : parameters)
    values[parameter.name] = parameter.defaults;
  return values;
}

TetMesh GeneratorEntry::make_of_order(const GeneratorValues& values, int order,
                                      const std::vector<ShapePart>& parts) const {
  TetMesh mesh = make_from_parts ? make_from_parts(values, parts) : make(values);
  if (mesh.tets.empty()) return mesh;
  if (order == 2)
    mesh = to_second_order(std::move(mesh), on_surface ? on_surface(values) : MiddlePlace{});
  const std::vector<Problem> problems = find_problems(mesh, name);
  if (!problems.empty())
    throw InputError(
        {.file = name,
         .what = "with these values some tets are inside out or flat: " + problems.front().what,
         .hint = "raise its numbers of cells, or make thin layers thicker"});
  return mesh;
}

GeneratorEntry given_mesh(std::string name, TetMesh mesh) {
  require_valid(mesh, name);
  if (mesh.regions.empty()) mesh.regions.assign(mesh.tets.size(), 0);
  return {.name = std::move(name),
          .summary = "a mesh in memory",
          .make = [mesh = std::move(mesh)](const GeneratorValues&) { return mesh; }};
}

std::span<const GeneratorEntry> generators() {
  static const std::vector<GeneratorEntry> table = [] {
    std::vector<GeneratorEntry> entries{
        bar_entry(),          sheet_entry(),          ball_entry(),  cylinder_entry(),
        torus_entry(),        coil_spring_entry(),    gear_entry(),  needle_entry(),
        honeycomb_entry(),    truss_entry(),          rope_entry(),  cloth_entry(),
        foil_entry(),         truss_tower_entry(),    dome_entry(),  torus_lattice_entry(),
        beam_lattice_entry(), sphere_lattice_entry(), brush_entry(), vehicle_entry(),
        polymer_entry(),
    };
    entries.push_back(carved_entry("figure", "a stocky creature of 3 cm that stands on z = 0", 16,
                                   &make_carved<&make_figure>));
    entries.push_back(carved_entry("dragon", "a long creature of 20 cm along x on four legs", 27,
                                   &make_carved<&make_dragon>));
    entries.push_back(
        carved_entry("liver", "two smooth lobes of 19 cm", 14, &make_carved<&make_liver>));
    entries.push_back(shape_entry());
    for (GeneratorEntry& entry : surface_entries()) entries.push_back(std::move(entry));
    return entries;
  }();
  return table;
}

}  // namespace sinew::mesh
