// SPDX-License-Identifier: Apache-2.0
#include <sinew/mesh/cut_mesh.hpp>
#include <sinew/scene/format/describe_parts.hpp>

namespace sinew::scene {
namespace {

void describe_snap(Visitor& v, double& snap) {
  v.number("snap", snap,
           "where the surface passes a vertex by less than this part of an edge, it goes through "
           "the vertex: fewer thin tets",
           Range{.minimum = mesh::CutSurface::least_snap, .maximum = 0.5});
}

void require_direction(Visitor& v, const char* key, const Vec3& direction, const char* what) {
  if (direction.norm() == 0.0) v.reject(key, what, "for example [0, 0, 1]");
}

}  // namespace

void describe_cut(Visitor& v, CutSpec& cut, const Catalog& catalog) {
  v.text("body", cut.body, "name of the body");
  v.text("type", cut.type,
         "what it is cut along: a plane, a path of straight pieces drawn through the body, or a "
         "surface of triangles",
         {"plane", "path", "surface"});
  const bool all = v.wants_all_variants();
  const bool is_plane = cut.type == "plane", is_path = cut.type == "path";
  if (is_plane || all) {
    v.vector("point", cut.point, "of a plane [m]");
    v.vector("normal", cut.normal, "of a plane, of any length");
    require_direction(v, "normal", cut.normal, "the normal must not be zero");
  }
  if (is_path || all) {
    v.vector_list("points", cut.points, "of a path, two at least [m]");
    v.vector("sweep", cut.sweep, "direction in which a path is drawn through the body");
    require_direction(v, "sweep", cut.sweep, "the direction must not be zero");
  }
  if ((!is_plane && !is_path) || all) {
    v.text_or_object("mesh", cut.mesh.file,
                     "a file with triangles beside the scene, or a shape to generate",
                     [&](Visitor& m) { describe_mesh(m, cut.mesh, catalog); });
    describe_transform(v, cut.transform);
  }
  v.number("at", cut.at, "when it begins [s]", Range::not_negative());
  v.number("until", cut.until,
           "when it ends: it advances steadily, a path along its points, others along \"along\"; "
           "not given: it is made at once [s]",
           Range::not_negative());
  if (cut.until && !(*cut.until > cut.at))
    v.reject("until", "the cut must end after it begins", "until must be above at");
  if (!is_path || all) {
    v.vector("along", cut.along,
             "direction in which a plane or a surface advances, from one end of the body to the "
             "other");
    if (cut.until && !is_path)
      require_direction(v, "along", cut.along, "a cut that takes time needs a direction");
  }
  v.box("box", cut.box, "it goes no further than this, two opposite corners [m]");
  v.text("frame", cut.frame,
         "world: it meets the body where it is then; rest: it is drawn on the rest shape; if not "
         "given, world for cuts made at once and rest for those that take time",
         {"world", "rest"});
  describe_snap(v, cut.snap);
}

void describe_fracture(Visitor& v, FractureSpec& fracture) {
  v.text("body", fracture.body, "name of the body");
  v.number("strength", fracture.strength,
           "largest principal tension that it bears; it is the mean of the tets at a vertex, and "
           "depends on their size [Pa]",
           Range::positive());
  v.number("from", fracture.from, "it cannot break before [s]", Range::not_negative());
  v.integer("at_once", fracture.at_once, "cracks after one step, at most", 1);
  describe_snap(v, fracture.snap);
}

}  // namespace sinew::scene
