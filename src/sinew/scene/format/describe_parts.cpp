// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <sinew/scene/format/describe_parts.hpp>
#include <sinew/scene/format/names.hpp>

namespace sinew::scene {
namespace {

void describe_generator(Visitor& v, MeshSpec& mesh, const Catalog& catalog) {
  const auto& table = catalog.generators();
  v.text("generator", mesh.generator, "a shape made from numbers", names_of(table));
  std::set<std::string> seen;
  for (const mesh::GeneratorEntry& generator : table) {
    if (generator.name != mesh.generator && !v.wants_all_variants()) continue;
    if (generator.make_from_parts != nullptr) describe_shape_parts(v, mesh.parts);
    for (const mesh::GeneratorParameter& parameter : generator.parameters) {
      if (!seen.insert(parameter.name).second) continue;
      auto [value, is_new] = mesh.parameters.try_emplace(parameter.name, parameter.defaults);
      v.numbers(parameter.name, value->second, parameter.kind == mesh::ParameterKind::integer,
                parameter.description);
    }
  }
}

}  // namespace

void describe_mesh(Visitor& m, MeshSpec& mesh, const Catalog& catalog) {
  m.text("file", mesh.file, "a mesh file, relative to the scene file");
  const bool is_file = !mesh.file.empty();
  if (is_file || m.wants_all_variants()) {
    m.boolean("repair", mesh.repair, "of a file: turn inverted tets around, drop unused vertices");
    m.boolean("torn", mesh.torn,
              "of a file: vertices at the same place may be two, as a cut leaves them");
  }
  if (!is_file || m.wants_all_variants()) describe_generator(m, mesh, catalog);
  m.integer("order", mesh.order,
            "of the tets of a solid: 1, with four vertices; 2, with ten, which bend well; not "
            "given: as the file has them, 1 for shapes to generate",
            1);
  if (mesh.order.value_or(1) > 2)
    m.reject("order", "tets are of order 1 or 2", "2 is the most accurate there is");
}

void describe_transform(Visitor& v, TransformSpec& transform) {
  v.object("transform", "applied to the mesh: scale, then rotate, then translate", [&](Visitor& t) {
    t.number("scale", transform.scale, "factor", Range::positive());
    t.object("rotate", "about an axis through the origin", [&](Visitor& r) {
      r.vector("axis", transform.axis, "direction, of any length");
      r.number("degrees", transform.degrees, "angle [degree]");
      if (transform.axis.norm() == 0.0)
        r.reject("axis", "the axis must not be zero", "for example [0, 0, 1]");
    });
    t.vector("translate", transform.translate, "[m]");
  });
}

void describe_name(Visitor& v, std::string& value, std::string_view doc) {
  v.text("name", value, doc);
  if (const auto problem = find_name_problem(value)) v.reject("name", problem->what, problem->hint);
}

void describe_selection(Visitor& v, mesh::Selection& select) {
  v.object("select", "which part of the body; all conditions given must hold, {} is everything",
           [&](Visitor& s) {
             s.box("box", select.box, "two opposite corners [m]");
             using Plane = mesh::Selection::Plane;
             s.optional_object<Plane>(
                 "plane", select.plane, "near a plane", [](Visitor& p, Plane& plane) {
                   p.vector("point", plane.point, "a point of the plane [m]");
                   p.vector("normal", plane.normal, "its normal, of any length");
                   p.number("within", plane.within, "distance to either side [m]",
                            Range::not_negative());
                   if (plane.normal.norm() == 0.0)
                     p.reject("normal", "the normal must not be zero", "for example [0, 0, 1]");
                 });
             using Sphere = mesh::Selection::Sphere;
             s.optional_object<Sphere>(
                 "sphere", select.sphere, "inside a sphere", [](Visitor& p, Sphere& sphere) {
                   p.vector("center", sphere.center, "[m]");
                   p.number("radius", sphere.radius, "[m]", Range::not_negative());
                 });
             s.integers("vertices", select.vertices, "vertex numbers, counted from 0");
             s.label("region", select.region, "name or number of a region of the mesh");
           });
}

}  // namespace sinew::scene
