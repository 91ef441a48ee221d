// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <sinew/core/nearest.hpp>
#include <sinew/mesh/surface.hpp>
#include <sinew/scene/compile/body_mesh.hpp>
#include <sinew/scene/compile/compile_cuts.hpp>

namespace sinew::scene {
namespace {

class CutCompiler {
 public:
  CutCompiler(const SceneSpec& scene, const Catalog& catalog, const physics::BodiesSpec& spec,
              Diagnostics& diagnostics)
      : scene_(scene), catalog_(catalog), spec_(spec), diagnostics_(diagnostics) {}

  void add(const CutSpec& asked, const std::string& pointer, EditPlan& plan) {
    const auto body = find_body(asked.body, pointer);
    std::shared_ptr<const geometry::Blade> blade;
    diagnostics_.collect(pointer, [&] { blade = blade_of(asked, pointer); });
    if (!body || !blade) return;
    PlannedCut cut{.body = *body,
                   .blade = std::move(blade),
                   .at = asked.at,
                   .box = asked.box,
                   .snap = asked.snap};
    if (asked.until) cut.until = *asked.until;
    cut.in_world = asked.frame.value_or(asked.until ? "rest" : "world") == "world";
    if (!reaches(cut)) {
      const std::string hint = diagnostics_.extent_hint(spec_.bodies[*body].mesh);
      if (!cut.in_world)
        diagnostics_.error(pointer, "this does not meet the body", hint);
      else
        diagnostics_.warn(pointer,
                          "this does not meet the body where it is at rest, and cuts only what "
                          "comes there",
                          hint);
    }
    if (!asked.until && asked.along.norm() > 0.0)
      diagnostics_.warn(pointer + "/along", "a cut that is made at once does not advance",
                        "give \"until\", or leave it out");
    if (asked.at > scene_.time.end)
      diagnostics_.warn(pointer + "/at", "the run ends before this cut", "raise /time/end");
    plan.cuts.push_back(std::move(cut));
  }

  void add(const FractureSpec& asked, const std::string& pointer, EditPlan& plan) {
    const auto body = find_body(asked.body, pointer);
    if (!body) return;
    if (std::any_of(plan.fractures.begin(), plan.fractures.end(),
                    [&](const PlannedFracture& other) { return other.body == *body; })) {
      diagnostics_.error(pointer + "/body", "this body has a strength already",
                         "give one entry per body");
      return;
    }
    plan.fractures.push_back({.body = *body,
                              .strength = asked.strength,
                              .from = asked.from,
                              .at_once = asked.at_once,
                              .snap = asked.snap});
  }

  /// What goes on beside bodies that are cut.
  void check_neighbours(const EditPlan& plan) {
    const char* pointer = scene_.cuts.empty() ? "/fracture" : "/cuts";
    for (const physics::Body& body : spec_.bodies)
      if (std::any_of(body.springs.begin(), body.springs.end(),
                      [](const physics::Spring& spring) { return spring.is_plastic(); }))
        diagnostics_.error(pointer,
                           fmt::format("the springs of '{}' yield, and what they remember does not "
                                       "survive a cut of another body yet",
                                       body.name),
                           "leave out \"yield\", or the cut");
    std::vector<std::size_t> cut;
    for (const PlannedCut& planned : plan.cuts) cut.push_back(planned.body);
    for (const PlannedFracture& planned : plan.fractures) cut.push_back(planned.body);
    int first = 0;
    for (std::size_t b = 0; b < spec_.bodies.size(); ++b) {
      const int end = first + spec_.bodies[b].mesh.num_vertices();
      const auto is_own = [&](int vertex) { return vertex >= first && vertex < end; };
      const bool is_cut = std::find(cut.begin(), cut.end(), b) != cut.end();
      const bool is_attached = std::any_of(spec_.joined.begin(), spec_.joined.end(), is_own) ||
                               std::any_of(spec_.attachments.begin(), spec_.attachments.end(),
                                           [&](const physics::Attachment& attachment) {
                                             return std::any_of(attachment.vertices.begin(),
                                                                attachment.vertices.end(), is_own);
                                           });
      if (is_cut && is_attached)
        diagnostics_.error(
            "/attachments",
            fmt::format("'{}' is cut, and attachments would not follow", spec_.bodies[b].name),
            "attach another body, hold vertices by \"fixed\", or leave out the cut");
      first = end;
    }
    const bool touches_itself = scene_.contact && scene_.contact->between.value_or("all") == "all";
    if (touches_itself && scene_.contact->model == "barrier")
      diagnostics_.error("/contact/between",
                         "the sides of a cut lie on each other, and a barrier needs a gap",
                         "say \"between\": \"bodies\", or use the model penalty");
  }

 private:
  std::optional<std::size_t> find_body(const std::string& name, const std::string& pointer) {
    std::vector<std::string> names;
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
      names.push_back(scene_.bodies[b].name);
      if (names.back() != name && !(name.empty() && scene_.bodies.size() == 1)) continue;
      if (spec_.bodies[b].mesh.is_quadratic()) {
        diagnostics_.error(
            pointer + "/body",
            fmt::format("'{}' has tets with ten vertices, which cannot be cut", names.back()),
            "say \"order\": 1 in its mesh");
        return std::nullopt;
      }
      if (!spec_.bodies[b].tets.empty()) return b;
      diagnostics_.error(
          pointer + "/body",
          fmt::format("'{}' is made of springs, and cuts are for solids", names.back()),
          "name a body of tets");
      return std::nullopt;
    }
    if (name.empty())
      diagnostics_.error(pointer + "/body", "say which body is meant",
                         fmt::format("one of {}", fmt::join(names, ", ")));
    else
      diagnostics_.error(pointer + "/body", fmt::format("there is no body '{}'", name),
                         core::suggestion(name, names));
    return std::nullopt;
  }

  std::shared_ptr<const geometry::Blade> blade_of(const CutSpec& asked,
                                                  const std::string& pointer) {
    const Vec3 way = asked.along.norm() > 0.0 ? asked.along.normalized() : Vec3(Vec3::UnitZ());
    if (asked.type == "plane") return geometry::make_plane_blade(asked.point, asked.normal, way);
    if (asked.type == "path") {
      const Vec3 sweep = asked.sweep.normalized();
      int count = 0;  // of pieces that the sweep does not shrink to a point
      for (std::size_t k = 0; k + 1 < asked.points.size(); ++k) {
        const Vec3 piece = asked.points[k + 1] - asked.points[k];
        count += (piece - sweep * sweep.dot(piece)).norm() > 1e-9 * piece.norm();
      }
      if (count > 0) return geometry::make_path_blade(asked.points, sweep);
      diagnostics_.error(pointer + "/points", "a path needs two points beside each other",
                         "they must differ in another direction than that of \"sweep\"");
      return nullptr;
    }
    BodySpec body;
    body.mesh = asked.mesh;
    body.transform = asked.transform;
    mesh::TetMesh mesh = body_mesh(scene_, body, catalog_);
    if (!mesh.tets.empty()) mesh.triangles = mesh::extract_surface(mesh).triangles;
    if (!mesh.triangles.empty())
      return geometry::make_mesh_blade(mesh.vertices, mesh.triangles, way);
    diagnostics_.error(pointer + "/mesh", "this has no triangles to cut along",
                       "give a surface, or a solid whose surface is meant");
    return nullptr;
  }

  bool reaches(const PlannedCut& cut) const {
    const mesh::TetMesh& mesh = spec_.bodies[cut.body].mesh;
    return mesh::meets(mesh, cut_surface(cut, mesh.vertices));
  }

  const SceneSpec& scene_;
  const Catalog& catalog_;
  const physics::BodiesSpec& spec_;
  Diagnostics& diagnostics_;
};

}  // namespace

void compile_cuts(const SceneSpec& scene, const Catalog& catalog, const physics::BodiesSpec& spec,
                  EditPlan& plan, Diagnostics& diagnostics) {
  if (scene.cuts.empty() && scene.fracture.empty()) return;
  CutCompiler compiler(scene, catalog, spec, diagnostics);
  for (std::size_t k = 0; k < scene.cuts.size(); ++k)
    compiler.add(scene.cuts[k], fmt::format("/cuts/{}", k), plan);
  for (std::size_t k = 0; k < scene.fracture.size(); ++k)
    compiler.add(scene.fracture[k], fmt::format("/fracture/{}", k), plan);
  compiler.check_neighbours(plan);
}

}  // namespace sinew::scene
