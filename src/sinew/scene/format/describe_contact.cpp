// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <sinew/scene/format/describe_parts.hpp>

namespace sinew::scene {
namespace {

void describe_pair(Visitor& v, std::vector<std::string>& bodies) {
  v.texts("bodies", bodies, "names of two bodies or obstacles, or twice the same", {});
  if (!bodies.empty() && bodies.size() != 2)
    v.reject("bodies", "two names are needed", "for example [\"ball\", \"plane-0\"]");
}

void describe_friction(Visitor& v, FrictionSpec& friction) {
  v.number("coefficient", friction.coefficient, "of what slides", Range::not_negative());
  v.number("static", friction.sticking, "of what does not slide yet; the same if not given",
           Range::not_negative());
  v.number("slip", friction.slip, "speed up to which it counts as sticking [m/s]",
           Range::positive());
  v.text("loads", friction.loads,
         "normal forces that it follows: those at the beginning of a step, or, by methods that "
         "iterate, solved for together with them",
         {"lagged", "coupled"});
  v.list<FrictionPairSpec>(
      "pairs", friction.pairs, "other coefficients of two bodies or obstacles",
      [](Visitor& p, FrictionPairSpec& pair) {
        describe_pair(p, pair.bodies);
        p.number("coefficient", pair.coefficient, "of what slides; as everywhere if not given",
                 Range::not_negative());
        p.number("static", pair.sticking,
                 "of what does not slide yet; if not given, as what slides if that is given here, "
                 "else as everywhere",
                 Range::not_negative());
      });
}

}  // namespace

void describe_obstacle(Visitor& v, ObstacleSpec& obstacle, const Catalog& catalog) {
  v.text("name", obstacle.name,
         "how other parts of the scene refer to it; type and number if none");
  v.text("type", obstacle.type, "its shape",
         {"plane", "sphere", "box", "capsule", "cylinder", "mesh", "formula"});
  const bool all = v.wants_all_variants();
  const auto is = [&](std::string_view type) { return obstacle.type == type || all; };
  if (is("plane") || is("sphere"))
    v.vector("point", obstacle.point, "of a plane, or the centre of a sphere [m]");
  if (is("plane")) {
    v.vector("normal", obstacle.normal, "of a plane, to where there is room, of any length");
    if (obstacle.normal.norm() == 0.0)
      v.reject("normal", "the normal must not be zero", "for example [0, 0, 1]");
  }
  if (is("sphere") || is("capsule") || is("cylinder"))
    v.number("radius", obstacle.radius, "of a sphere, a capsule, a cylinder [m]",
             Range::positive());
  if (is("capsule") || is("cylinder"))
    v.number("length", obstacle.length,
             "along z: of a cylinder, of a capsule without its round ends [m]", Range::positive());
  if (is("box")) {
    v.vector("size", obstacle.size, "of a box around the origin [m]");
    if (!(obstacle.size.minCoeff() > 0.0))
      v.reject("size", "all sizes must be above 0", "for example [1, 1, 1]");
  }
  if (is("mesh"))
    v.text_or_object("mesh", obstacle.mesh.file,
                     "a file with a surface or a solid beside the scene, or a shape to generate",
                     [&](Visitor& m) { describe_mesh(m, obstacle.mesh, catalog); });
  if (is("mesh"))
    v.optional_object<SequenceSpec>(
        "sequence", obstacle.sequence, "in place of \"mesh\": files with the same mesh over time",
        [](Visitor& s, SequenceSpec& sequence) {
          s.text("files", sequence.files,
                 "beside the scene, with one * in the name, in the order of the numbers in its "
                 "place: \"walk/pose_*.obj\"");
          if (std::count(sequence.files.begin(), sequence.files.end(), '*') != 1)
            s.reject("files", "one * is needed", "for example \"walk/pose_*.obj\"");
          s.number("fps", sequence.fps, "files per second; points go straight between them [1/s]",
                   Range::positive());
          s.number("start", sequence.start, "time of the first file; it rests before it [s]");
        });
  if (is("formula")) {
    v.text("formula", obstacle.formula,
           "in x, y, z; negative inside, the surface is where it is 0");
    std::optional<std::array<Vec3, 2>> within = obstacle.within;
    v.box("within", within, "box that contains the surface, two opposite corners [m]");
    if (within) obstacle.within = *within;
    v.integer("cells", obstacle.cells,
              "of the grid on which the surface is found, along its "
              "longest side",
              2);
  }
  if (all || (obstacle.type != "plane" && obstacle.type != "sphere"))
    describe_transform(v, obstacle.transform);
  v.formulas("position", obstacle.position,
             "where its points go, formulas in x, y, z of the place at the beginning and t [m]");
  if (obstacle.sequence && obstacle.position != Formulas{"x", "y", "z"})
    v.reject("position", "the sequence says where its points go already",
             "leave out \"position\" or \"sequence\"");
}

void describe_contact(Visitor& v, std::optional<ContactSpec>& contact) {
  v.optional_object<ContactSpec>(
      "contact", contact,
      "what happens where bodies meet obstacles, each other or themselves; without it obstacles "
      "still act, with the defaults here",
      [](Visitor& c, ContactSpec& given) {
        c.text("model", given.model, "what keeps things apart",
               {"barrier", "penalty", "virtual-spring", "projection", "hold", "velocity"});
        c.number("distance", given.distance,
                 "gap at which forces begin; two thousandths of the mean size of the bodies if not "
                 "given [m]",
                 Range::positive());
        c.number("stiffness", given.stiffness,
                 "of a pair of features; from the stiffness of the bodies if not given [N/m]",
                 stiffness_range);
        if (given.model == "barrier" || c.wants_all_variants())
          c.boolean("adaptive", given.adaptive,
                    "barrier: whether its stiffness doubles after a step that leaves a pair with "
                    "less than a thousandth of the distance; what that adds is booked");
        if (given.model == "penalty" || c.wants_all_variants())
          c.boolean("tangent", given.tangent,
                    "penalty: whether tangents know of it; without, its force acts as it is at the "
                    "beginning of a step, and must be soft enough for that");
        const bool is_kinematic =
            given.model == "projection" || given.model == "hold" || given.model == "velocity";
        if (is_kinematic || c.wants_all_variants())
          c.number("reduction", given.reduction,
                   "projection and velocity: part of the velocity along the surface that a step in "
                   "contact takes away",
                   Range{.minimum = 0.0, .maximum = 1.0});
        c.text(
            "between", given.between,
            "what meets: obstacles (and bodies), bodies (each other too), all (also themselves); "
            "the most that the model can if not given",
            {"obstacles", "bodies", "all"});
        c.list<ExceptionSpec>(
            "except", given.except, "pairs that never meet",
            [](Visitor& e, ExceptionSpec& pair) { describe_pair(e, pair.bodies); });
        c.optional_object<FrictionSpec>("friction", given.friction, "against sliding",
                                        describe_friction);
        c.text("surface", given.surface,
               "what solids and closed obstacles touch each other with: their triangles, or "
               "smooth surfaces around them (penalty only)",
               {"triangles", "smooth"});
        if (given.surface == "smooth" && given.model != "penalty")
          c.reject("surface", given.model + " is for triangles",
                   "use the model penalty, or leave out \"surface\"");
        if (given.surface == "smooth" && given.friction && given.friction->loads == "coupled")
          c.reject("surface", "coupled friction is for triangles",
                   "use lagged friction, or leave out \"surface\"");
        if (is_kinematic && given.friction)
          c.reject("friction", given.model + " has no normal forces that friction could follow",
                   "use \"reduction\", or another model");
        if (is_kinematic && given.between.value_or("obstacles") != "obstacles")
          c.reject("between", given.model + " is for obstacles only",
                   "use barrier or penalty between bodies");
      });
}

}  // namespace sinew::scene
