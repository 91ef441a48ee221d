// SPDX-License-Identifier: Apache-2.0
// The parts of a modelled body.
#include <algorithm>

#include <sinew/scene/format/describe_parts.hpp>

namespace sinew::scene {
namespace {

using mesh::ShapePart;

/// Groups within groups; the schema is a tree and must end somewhere.
constexpr int deepest_group = 3;

void describe_round_part(Visitor& v, ShapePart& part, bool is_path) {
  if (is_path) {
    v.vector_list("points", part.points, "of a path: where it leads [m]");
  } else {
    v.vector("from", part.from, "of a capsule or cylinder: one end of its axis [m]");
    v.vector("to", part.to, "of a capsule or cylinder: the other end [m]");
  }
}

void describe_formula_part(Visitor& v, ShapePart& part) {
  v.text("formula", part.formula, "in x, y, z: negative inside");
  std::optional<std::array<Vec3, 2>> within = part.within;
  v.box("within", within, "of a formula: box that it is cut off by, two opposite corners [m]");
  if (within) part.within = *within;
}

void describe_lattice_part(Visitor& v, ShapePart& part) {
  v.text("lattice", part.lattice,
         "without an end, to intersect with: round bars along x, y and z, walls between hexagons "
         "in the xy plane, or a gyroid",
         {"bars", "honeycomb", "gyroid"});
  v.number("cell", part.cell, "of a lattice: period; distance of opposite walls of a hexagon [m]",
           Range::positive());
}

void describe_numbers(Visitor& v, ShapePart& part) {
  const bool all = v.wants_all_variants();
  const auto is = [&](std::initializer_list<std::string_view> types) {
    return all || std::find(types.begin(), types.end(), part.type) != types.end();
  };
  if (is({"sphere", "box"})) v.vector("center", part.center, "of a sphere or box [m]");
  if (is({"capsule", "cylinder"})) describe_round_part(v, part, false);
  if (is({"path"})) describe_round_part(v, part, true);
  if (is({"sphere", "capsule", "path", "cylinder", "band"}))
    v.number("radius", part.radius,
             "of a sphere, capsule, path, cylinder, or of a band's circle [m]", Range::positive());
  if (is({"capsule", "path"}))
    v.number("end_radius", part.end_radius, "at the last end, if it differs [m]",
             Range::positive());
  if (is({"box"})) v.vector("size", part.size, "of a box: edge lengths [m]");
  if (is({"box", "cylinder"}))
    v.number("rounding", part.rounding, "radius of the edges of a box or cylinder [m]",
             Range::not_negative());
  if (is({"torus"})) {
    v.number("major_radius", part.major_radius, "of a torus: from the axis to the tube [m]",
             Range::positive());
    v.number("minor_radius", part.minor_radius, "of a torus: of the tube [m]", Range::positive());
  }
  if (is({"band"})) {
    v.number("width", part.width, "of a band around the z axis [m]", Range::positive());
    v.integer("half_turns", part.half_turns, "of a band: how often it turns over; 1 is Moebius'",
              0);
  }
  if (is({"lattice"})) describe_lattice_part(v, part);
  if (is({"band", "lattice"}))
    v.number("thickness", part.thickness, "of a band, or of the bars or walls of a lattice [m]",
             Range::positive());
  if (is({"formula"})) describe_formula_part(v, part);
  if (is({"copy"})) v.text("of", part.of, "of a copy: the name of a part that stands above");
}

void describe_part(Visitor& v, ShapePart& part, int depth) {
  v.text("type", part.type, "what it is; a group is made of parts itself",
         {"sphere", "capsule", "path", "box", "cylinder", "torus", "band", "lattice", "formula",
          "copy", "group"});
  v.text("operation", part.operation,
         "what it does to what the parts before it make; a mark only gives a region its name",
         {"union", "intersection", "difference", "mark"});
  describe_numbers(v, part);
  if ((part.type == "group" || v.wants_all_variants()) && depth < deepest_group)
    v.list<ShapePart>("parts", part.parts, "of a group", [depth](Visitor& p, ShapePart& inner) {
      describe_part(p, inner, depth + 1);
    });
  v.number("blend", part.blend, "width of the fillet where it meets what is before it [m]",
           Range::not_negative());
  v.number("grow", part.grow, "added all around [m]");
  v.text("name", part.name, "for copies of it");
  v.text("region", part.region, "tets become part of it whose centre is in the part");
  describe_transform(v, part.placement);
  v.object("repeat", "copies, each placed from the one before", [&](Visitor& r) {
    r.integer("count", part.repeat.count, "how many, the part itself included", 1);
    describe_transform(r, part.repeat.each);
  });
  v.direction("mirror", part.mirror, "adds its image behind the plane through the origin");
}

}  // namespace

void describe_shape_parts(Visitor& v, std::vector<ShapePart>& parts) {
  v.list<ShapePart>("parts", parts, "of a shape, from the first to the last",
                    [](Visitor& p, ShapePart& part) { describe_part(p, part, 1); });
}

}  // namespace sinew::scene
