// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <sinew/mesh/closed_surface.hpp>
#include <sinew/mesh/surface.hpp>
#include <sinew/mesh/surfaces.hpp>
#include <sinew/physics/motion_sequence.hpp>
#include <sinew/physics/scripted_motion.hpp>
#include <sinew/scene/compile/body_mesh.hpp>
#include <sinew/scene/compile/compile_contact.hpp>
#include <sinew/scene/compile/mesh_sequence.hpp>

namespace sinew::scene {
namespace {

/// Of all bodies.
Eigen::AlignedBox3d extent_of(const std::vector<physics::Body>& bodies) {
  Eigen::AlignedBox3d box;
  for (const physics::Body& body : bodies)
    for (const Vec3& x : body.mesh.vertices) box.extend(x);
  return box;
}

/// What an obstacle is made of, in its own numbering.
struct Shape {
  mesh::TetMesh mesh;                                     ///< what is seen of it
  physics::ContactPart part;                              ///< what is felt
  std::shared_ptr<const physics::VertexMotion> motion{};  ///< none: it keeps its shape
};

/// A plane has no end; a square as wide as the scene is seen of it.
Shape plane(const ObstacleSpec& obstacle, const Eigen::AlignedBox3d& bodies) {
  Shape shape;
  const Vec3 n = obstacle.normal.normalized(), a = n.unitOrthogonal(), b = n.cross(a);
  const Vec3 centre = bodies.center() - n * n.dot(bodies.center() - obstacle.point);
  const double half = bodies.diagonal().norm();
  // the first three carry the plane
  shape.mesh.vertices = {obstacle.point, obstacle.point + a, obstacle.point + b};
  for (const auto& [s, t] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
    shape.mesh.vertices.emplace_back(centre + half * (s * a + t * b));
  shape.mesh.triangles = {{3, 4, 5}, {3, 5, 6}};
  shape.part.planes = {{0, 1, 2}};
  return shape;
}

/// Points of `axis`, with a radius, are what is felt.
Shape round(mesh::TetMesh surface, std::vector<Vec3> axis, double radius) {
  Shape shape;
  shape.mesh = std::move(surface);
  const int first = shape.mesh.num_vertices();
  shape.mesh.vertices.insert(shape.mesh.vertices.end(), axis.begin(), axis.end());
  if (axis.size() == 1)
    shape.part.points = {first};
  else
    shape.part.bars = {{first, first + 1}};
  shape.part.radius = radius;
  return shape;
}

Shape surface(mesh::TetMesh mesh) {
  Shape shape;
  if (!mesh.tets.empty()) {
    mesh.triangles = mesh::extract_surface(mesh).triangles;
    mesh.tets.clear();
    mesh.regions.clear();
    mesh.region_names.clear();
  }
  shape.mesh = std::move(mesh);
  shape.part.triangles = shape.mesh.triangles;
  shape.part.is_closed = mesh::is_closed(shape.mesh.triangles);
  if (shape.mesh.triangles.empty()) shape.part.bars = shape.mesh.bars;
  return shape;
}

mesh::TetMesh level_set(const ObstacleSpec& obstacle, const std::string& pointer,
                        const Catalog& catalog, Diagnostics& diagnostics) {
  const auto formula =
      parse_expression(obstacle.formula, pointer + "/formula", catalog, diagnostics);
  if (!formula) return {};
  if (formula->depends_on_time())
    throw InputError(Problem{.where = "/formula",
                             .what = "the surface must not change with time",
                             .hint = "move the obstacle as a whole by \"position\""});
  const Vec3 size = obstacle.within[1] - obstacle.within[0];
  const double cell = size.maxCoeff() / obstacle.cells;
  std::array<int, 3> cells{};
  for (int k = 0; k < 3; ++k)
    cells[static_cast<std::size_t>(k)] = std::max(1, static_cast<int>(std::ceil(size[k] / cell)));
  try {
    return mesh::make_level_set([&](const Vec3& x) { return (*formula)(x, 0.0); },
                                obstacle.within[0], obstacle.within[1], cells);
  } catch (const InputError& error) {
    // in the words of the scene
    std::vector<Problem> problems = error.problems();
    for (Problem& problem : problems) {
      if (problem.where.starts_with("/phi")) problem.where = "/formula";
      if (problem.where.starts_with("/low") || problem.where.starts_with("/high"))
        problem.where = "/within";
    }
    throw InputError(std::move(problems));
  }
}

Shape shape_of(const SceneSpec& scene, const ObstacleSpec& obstacle, const std::string& pointer,
               const Catalog& catalog, const Eigen::AlignedBox3d& bodies,
               Diagnostics& diagnostics) {
  if (obstacle.type == "plane") return plane(obstacle, bodies);
  if (obstacle.type == "sphere") {
    mesh::TetMesh ball = mesh::make_sphere_surface({.radius = obstacle.radius});
    for (Vec3& x : ball.vertices) x += obstacle.point;
    return round(std::move(ball), {obstacle.point}, obstacle.radius);
  }
  Shape shape;
  if (obstacle.type == "box") {
    const Vec3& size = obstacle.size;
    shape = surface(mesh::make_box_surface({.size = {size[0], size[1], size[2]}}));
  } else if (obstacle.type == "capsule") {
    const Vec3 end(0.0, 0.0, 0.5 * obstacle.length);
    shape = round(mesh::make_capsule_surface(
                      {.radius = obstacle.radius, .half_length = 0.5 * obstacle.length}),
                  {-end, end}, obstacle.radius);
    shape.part.radius *= obstacle.transform.scale;
  } else if (obstacle.type == "cylinder") {
    shape = surface(
        mesh::make_cylinder_surface({.radius = obstacle.radius, .length = obstacle.length}));
  } else if (obstacle.type == "formula") {
    shape = surface(level_set(obstacle, pointer, catalog, diagnostics));
  } else if (obstacle.sequence) {
    MeshSequence sequence = read_sequence(*obstacle.sequence, scene.directory);
    for (std::vector<Vec3>& places : sequence.places) place(obstacle.transform, places);
    shape = surface(std::move(sequence.first));
    shape.motion = std::make_shared<physics::MotionSequence>(std::move(sequence.times),
                                                             std::move(sequence.places));
  } else {
    BodySpec body;
    body.mesh = obstacle.mesh;
    shape = surface(body_mesh(scene, body, catalog));
  }
  place(obstacle.transform, shape.mesh.vertices);
  return shape;
}

template <std::size_t N>
void shift(int offset, std::vector<std::array<int, N>>& features) {
  for (auto& feature : features)
    for (int& vertex : feature) vertex += offset;
}

/// Of a body: its surface, or its springs if it has none.
physics::ContactPart part_of(const physics::Body& body, double thickness) {
  physics::ContactPart part{.name = body.name, .radius = 0.5 * thickness};
  part.is_closed = !body.mesh.tets.empty();
  part.triangles =
      part.is_closed ? mesh::extract_surface(body.mesh).triangles : body.mesh.triangles;
  std::vector<char> is_used(body.mesh.vertices.size(), 0);
  const auto use = [&](const auto& features) {
    for (const auto& feature : features)
      for (const int vertex : feature) is_used[static_cast<std::size_t>(vertex)] = 1;
  };
  use(part.triangles);
  if (part.triangles.empty())
    for (const physics::Spring& spring : body.springs) part.bars.push_back(spring.vertices);
  use(part.bars);
  if (body.mesh.tets.empty())
    for (int v = 0; v < body.mesh.num_vertices(); ++v)
      if (!is_used[static_cast<std::size_t>(v)]) part.points.push_back(v);
  return part;
}

void add_offset(int offset, physics::ContactPart& part) {
  for (int& vertex : part.points) vertex += offset;
  shift(offset, part.bars);
  shift(offset, part.triangles);
  shift(offset, part.planes);
}

std::shared_ptr<const physics::VertexMotion> script(const Formulas& position,
                                                    const std::string& place,
                                                    const Catalog& catalog, FormulaWatch& watch,
                                                    Diagnostics& diagnostics) {
  auto motion = std::make_shared<physics::ScriptedMotion>(
      parse_expressions(position, place, catalog, diagnostics));
  watch.add(motion, motion->formulas(), place);
  return motion;
}

/// What is felt of a sphere or a capsule has the radius that it had; what is drawn should have too.
void require_rigid(const physics::VertexMotion& motion, const std::vector<Vec3>& vertices,
                   const std::string& place, double end, Diagnostics& diagnostics) {
  constexpr double tolerance = 1e-6;
  const Vec3& last = vertices.back();  // of the axis
  for (const double t : {0.0, 0.37 * end, end})
    for (std::size_t k = 0; k + 1 < vertices.size(); ++k) {
      const double rest = (vertices[k] - last).norm();
      const double now =
          (motion.position(k, vertices[k], t) - motion.position(vertices.size() - 1, last, t))
              .norm();
      if (!(std::abs(now - rest) > tolerance * rest)) continue;
      diagnostics.error(place,
                        fmt::format("spheres and capsules keep their shape, and this changes it "
                                    "(at t = {})",
                                    t),
                        "only turn and shift them, or use a mesh (sphere-surface)");
      return;
    }
}

}  // namespace

std::vector<physics::ContactPart> compile_obstacles(const SceneSpec& scene, const Catalog& catalog,
                                                    physics::BodiesSpec& spec, FormulaWatch& watch,
                                                    Diagnostics& diagnostics) {
  std::vector<physics::ContactPart> parts;
  int offset = 0;
  for (std::size_t b = 0; b < spec.bodies.size(); ++b) {
    parts.push_back(part_of(spec.bodies[b], scene.bodies[b].thickness));
    add_offset(offset, parts.back());
    offset += spec.bodies[b].mesh.num_vertices();
  }
  const Eigen::AlignedBox3d bodies = extent_of(spec.bodies);
  for (std::size_t k = 0; k < scene.obstacles.size(); ++k) {
    const ObstacleSpec& obstacle = scene.obstacles[k];
    const std::string pointer = fmt::format("/obstacles/{}", k);
    Shape shape;
    diagnostics.collect(
        pointer, [&] { shape = shape_of(scene, obstacle, pointer, catalog, bodies, diagnostics); });
    physics::Body body;
    body.name = obstacle.name.empty() ? fmt::format("{}-{}", obstacle.type, k) : obstacle.name;
    const auto has_name = [&](const physics::ContactPart& part) { return part.name == body.name; };
    if (std::any_of(parts.begin(), parts.end(), has_name))
      diagnostics.error(pointer + "/name",
                        fmt::format("there is a body or obstacle called '{}' already", body.name),
                        "give each its own name");
    body.is_obstacle = true;
    body.mesh = std::move(shape.mesh);
    shape.part.name = body.name;
    shape.part.is_obstacle = true;
    add_offset(offset, shape.part);
    std::vector<int> vertices(body.mesh.vertices.size());
    std::iota(vertices.begin(), vertices.end(), offset);
    offset += body.mesh.num_vertices();
    if (shape.motion) {
      spec.moved.push_back({std::move(vertices), std::move(shape.motion)});
    } else if (obstacle.moves()) {
      const auto motion =
          script(obstacle.position, pointer + "/position", catalog, watch, diagnostics);
      if (shape.part.radius > 0.0)
        require_rigid(*motion, body.mesh.vertices, pointer + "/position", scene.time.end,
                      diagnostics);
      spec.moved.push_back({std::move(vertices), motion});
    } else
      spec.fixed.insert(spec.fixed.end(), vertices.begin(), vertices.end());
    spec.bodies.push_back(std::move(body));
    parts.push_back(std::move(shape.part));
  }
  return parts;
}

}  // namespace sinew::scene
