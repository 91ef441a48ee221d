// SPDX-License-Identifier: Apache-2.0
// Two spheres of particles. Either is a closed surface of triangles, rigid by itself; a bar along
// the radius and one askew from every particle hold the inner one in the outer one.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/generators/checks.hpp>

namespace sinew::mesh {
namespace {

/// Particles on a circle of latitude, numbered eastwards; a pole is a ring of one.
struct SphereRing {
  int first = 0;
  int count = 1;
  double phase = 0.0;  ///< of the first particle, as part of the distance to the next

  int vertex(int i) const { return first + (i + count) % count; }
  double turn(int i) const { return (i + phase) / count; }
};

std::vector<SphereRing> sphere_rings(const SphereLatticeSettings& settings) {
  std::vector<SphereRing> rings{{}};
  for (int ring = 1; ring <= settings.rings + 1; ++ring) {
    const SphereRing& last = rings.back();
    const double polar = std::numbers::pi * ring / (settings.rings + 1);
    const bool is_pole = ring > settings.rings;
    const int count = std::max(3, static_cast<int>(std::lround(settings.around * std::sin(polar))));
    // half a step from ring to ring, so that triangles are nearly isosceles
    rings.push_back({last.first + last.count, is_pole ? 1 : count, 0.5 * (ring % 2)});
  }
  return rings;
}

/// Triangles between two rings: whichever has its next particle further west goes on.
void add_strip(TetMesh& mesh, const SphereRing& north, const SphereRing& south) {
  const int north_steps = north.count > 1 ? north.count : 0;
  const int south_steps = south.count > 1 ? south.count : 0;
  for (int a = 0, b = 0; a < north_steps || b < south_steps;) {
    const bool northward =
        b == south_steps || (a < north_steps && north.turn(a + 1) < south.turn(b + 1));
    const int next = northward ? north.vertex(a + 1) : south.vertex(b + 1);
    mesh.triangles.push_back({north.vertex(a), south.vertex(b), next});
    ++(northward ? a : b);
  }
}

}  // namespace

TetMesh make_sphere_lattice(const SphereLatticeSettings& settings) {
  require_positive("/radius", settings.radius);
  require_positive("/inner_radius", settings.inner_radius);
  if (settings.inner_radius >= settings.radius)
    reject_parameter("/inner_radius", "the inner sphere would not be inside",
                     "make it smaller than the radius");
  require_at_least("/rings", settings.rings, 2);
  require_at_least("/around", settings.around, 3);
  require_affordable_particles("/rings", 2.0 * settings.rings * settings.around);

  TetMesh mesh;
  const std::vector<SphereRing> rings = sphere_rings(settings);
  for (std::size_t ring = 0; ring < rings.size(); ++ring)
    for (int i = 0; i < rings[ring].count; ++i) {
      const double polar = std::numbers::pi * static_cast<double>(ring) / (settings.rings + 1);
      const double angle = 2.0 * std::numbers::pi * rings[ring].turn(i);
      // poles are exactly on the axis
      const double distance = rings[ring].count > 1 ? std::sin(polar) : 0.0;
      mesh.vertices.push_back(settings.radius * Vec3(distance * std::cos(angle),
                                                     distance * std::sin(angle), std::cos(polar)));
    }
  for (std::size_t ring = 0; ring + 1 < rings.size(); ++ring)
    add_strip(mesh, rings[ring], rings[ring + 1]);

  enum Region { outer, inner, radial };
  mesh.region_names = {{outer, "outer"}, {inner, "inner"}, {radial, "radial"}};
  const int inside = mesh.num_vertices();  // from a particle to the one below it
  for (int i = 0; i < inside; ++i)
    mesh.vertices.push_back(mesh.vertices[i] * (settings.inner_radius / settings.radius));
  const auto add_bar = [&](int from, int to, Region region) {
    mesh.bars.push_back({from, to});
    mesh.bar_regions.push_back(region);
  };
  const std::vector<Edge> edges = edges_of(mesh);
  for (const auto& [from, to] : edges) add_bar(from, to, outer);
  for (const auto& [from, to] : edges) add_bar(inside + from, inside + to, inner);
  for (std::size_t ring = 0; ring < rings.size(); ++ring)
    for (int i = 0; i < rings[ring].count; ++i) {
      const int from = rings[ring].vertex(i);
      // askew to the east and to the west in turn: neither sense of rotation is preferred
      const int beside = rings[ring].vertex(ring % 2 == 0 ? i + 1 : i - 1);
      const int next_to_pole = rings[ring == 0 ? 1 : ring - 1].first;
      add_bar(from, inside + from, radial);
      add_bar(from, inside + (rings[ring].count > 1 ? beside : next_to_pole), radial);
    }
  return mesh;
}

}  // namespace sinew::mesh
