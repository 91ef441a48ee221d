// SPDX-License-Identifier: Apache-2.0
#include <sinew/scene/format/describe_parts.hpp>
#include <sinew/scene/format/names.hpp>

namespace sinew::scene {

void describe_name(Visitor& v, std::string& value, std::string_view doc) {
  v.text("name", value, doc);
  if (const auto problem = find_name_problem(value)) v.reject("name", problem->what, problem->hint);
}

void describe_selection(Visitor& v, mesh::Selection& select) {
  v.object("select", "which part of the body; all conditions given must hold, {} is everything",
           [&](Visitor& s) {
             s.box("box", select.box, "two opposite corners [m]");
             bool has_plane = select.plane.has_value();
             mesh::Selection::Plane plane = select.plane.value_or(mesh::Selection::Plane{});
             s.optional_object("plane", has_plane, "near a plane", [&](Visitor& p) {
               p.vector("point", plane.point, "a point of the plane [m]");
               p.vector("normal", plane.normal, "its normal, of any length");
               p.number("within", plane.within, "distance to either side [m]",
                        Range::not_negative());
               if (plane.normal.norm() == 0.0)
                 p.reject("normal", "the normal must not be zero", "for example [0, 0, 1]");
             });
             if (has_plane) select.plane = plane;
             bool has_sphere = select.sphere.has_value();
             mesh::Selection::Sphere sphere = select.sphere.value_or(mesh::Selection::Sphere{});
             s.optional_object("sphere", has_sphere, "inside a sphere", [&](Visitor& p) {
               p.vector("center", sphere.center, "[m]");
               p.number("radius", sphere.radius, "[m]", Range::not_negative());
             });
             if (has_sphere) select.sphere = sphere;
             s.integers("vertices", select.vertices, "vertex numbers, counted from 0");
             s.label("region", select.region, "name or number of a region of the mesh");
           });
}

}  // namespace sinew::scene
