// SPDX-License-Identifier: Apache-2.0
#include <sinew/mesh/generators/entry_tools.hpp>
#include <sinew/mesh/generators/surface_entries.hpp>
#include <sinew/mesh/surfaces.hpp>

namespace sinew::mesh {
namespace {

GeneratorEntry box_surface_entry() {
  const BoxSurfaceSettings d;
  return {
      "box-surface",
      "the surface of a box around the origin: for obstacles",
      {number_parameter("size", "edge lengths along x, y, z [m]", as_defaults(d.size))},
      [](const GeneratorValues& values) { return make_box_surface({numbers<3>(values, "size")}); }};
}

GeneratorEntry sphere_surface_entry() {
  const SphereSurfaceSettings d;
  return {"sphere-surface",
          "a sphere around the origin: for obstacles",
          {number_parameter("radius", "radius [m]", {d.radius}),
           integer_parameter("subdivisions", "parts of each edge of an icosahedron",
                             {1.0 * d.subdivisions})},
          [](const GeneratorValues& values) {
            return make_sphere_surface({number(values, "radius"), integer(values, "subdivisions")});
          }};
}

GeneratorEntry capsule_surface_entry() {
  const CapsuleSurfaceSettings d;
  return {
      "capsule-surface",
      "a cylinder along z with round ends, around the origin: for obstacles",
      {number_parameter("radius", "radius [m]", {d.radius}),
       number_parameter("half_length", "half of the straight part [m]", {d.half_length}),
       integer_parameter("segments", "segments around the axis, at least 3", {1.0 * d.segments})},
      [](const GeneratorValues& values) {
        return make_capsule_surface(
            {number(values, "radius"), number(values, "half_length"), integer(values, "segments")});
      }};
}

GeneratorEntry cylinder_surface_entry() {
  const CylinderSurfaceSettings d;
  return {
      "cylinder-surface",
      "a cylinder along z with flat ends, around the origin: for obstacles",
      {number_parameter("radius", "radius [m]", {d.radius}),
       number_parameter("length", "along z [m]", {d.length}),
       integer_parameter("segments", "segments around the axis, at least 3", {1.0 * d.segments})},
      [](const GeneratorValues& values) {
        return make_cylinder_surface(
            {number(values, "radius"), number(values, "length"), integer(values, "segments")});
      }};
}

GeneratorEntry bowl_entry() {
  const BowlSettings d;
  return {
      "bowl",
      "a bowl on z = 0, open to +z: for obstacles",
      {number_parameter("radius", "inside, at the rim [m]", {d.radius}),
       number_parameter("depth", "inside [m]", {d.depth}),
       number_parameter("thickness", "of the wall [m]", {d.thickness}),
       integer_parameter("segments", "segments around the axis, at least 3", {1.0 * d.segments})},
      [](const GeneratorValues& values) {
        return make_bowl({number(values, "radius"), number(values, "depth"),
                          number(values, "thickness"), integer(values, "segments")});
      }};
}

}  // namespace

std::vector<GeneratorEntry> surface_entries() {
  return {box_surface_entry(), sphere_surface_entry(), capsule_surface_entry(),
          cylinder_surface_entry(), bowl_entry()};
}

}  // namespace sinew::mesh
