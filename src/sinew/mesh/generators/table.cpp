// SPDX-License-Identifier: Apache-2.0
// The one table of mesh generators.
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/generators/checks.hpp>

namespace sinew::mesh {
namespace {

const std::vector<double>& values_of(const GeneratorValues& values, const std::string& name,
                                     std::size_t length) {
  const auto found = values.find(name);
  SINEW_ASSERT(found != values.end(), fmt::format("no value for parameter '{}'", name));
  if (found->second.size() != length)
    reject_parameter("/" + name, fmt::format("{} values given", found->second.size()),
                     fmt::format("give {}", length));
  return found->second;
}

int whole_number(const std::string& where, double value) {
  if (!(std::abs(value) <= std::numeric_limits<int>::max()) || value != std::floor(value))
    reject_parameter(where, fmt::format("{} is not a whole number", value),
                     "give a whole number of at least 1");
  return static_cast<int>(value);
}

double number(const GeneratorValues& values, const std::string& name) {
  return values_of(values, name, 1)[0];
}

int integer(const GeneratorValues& values, const std::string& name) {
  return whole_number("/" + name, number(values, name));
}

template <std::size_t k>
std::array<double, k> numbers(const GeneratorValues& values, const std::string& name) {
  std::array<double, k> result;
  std::copy_n(values_of(values, name, k).begin(), k, result.begin());
  return result;
}

template <std::size_t k>
std::array<int, k> integers(const GeneratorValues& values, const std::string& name) {
  std::array<int, k> result;
  const std::array<double, k> given = numbers<k>(values, name);
  for (std::size_t i = 0; i < k; ++i)
    result[i] = whole_number(fmt::format("/{}/{}", name, i), given[i]);
  return result;
}

GeneratorParameter number_parameter(std::string name, std::string description,
                                    std::vector<double> defaults) {
  return {std::move(name), std::move(description), ParameterKind::number, std::move(defaults)};
}

GeneratorParameter integer_parameter(std::string name, std::string description,
                                     std::vector<double> defaults) {
  return {std::move(name), std::move(description), ParameterKind::integer, std::move(defaults)};
}

template <class Array>
std::vector<double> as_defaults(const Array& values) {
  return {values.begin(), values.end()};
}

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
          [](const GeneratorValues& values) {
            return make_ball({number(values, "radius"), number(values, "shell_thickness"),
                              integer(values, "cells"), integer(values, "core_layers"),
                              integer(values, "shell_layers")});
          }};
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
      [](const GeneratorValues& values) {
        return make_cylinder({number(values, "radius"), number(values, "length"),
                              integer(values, "cells"), integer(values, "layers"),
                              integer(values, "axial_cells")});
      }};
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
      [](const GeneratorValues& values) {
        return make_torus({number(values, "major_radius"), number(values, "minor_radius"),
                           integer(values, "cells"), integer(values, "layers"),
                           integer(values, "ring_cells")});
      }};
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
      [](const GeneratorValues& values) {
        return make_coil_spring({number(values, "coil_radius"), number(values, "wire_radius"),
                                 number(values, "pitch"), number(values, "turns"),
                                 integer(values, "cells"), integer(values, "layers"),
                                 integer(values, "wire_cells")});
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

}  // namespace

GeneratorValues GeneratorEntry::default_values() const {
  GeneratorValues values;
  for (const GeneratorParameter& parameter : parameters)
    values[parameter.name] = parameter.defaults;
  return values;
}

std::span<const GeneratorEntry> generators() {
  static const std::vector<GeneratorEntry> table{
      bar_entry(),   sheet_entry(),       ball_entry(),  cylinder_entry(),
      torus_entry(), coil_spring_entry(), truss_entry(),
  };
  return table;
}

}  // namespace sinew::mesh
