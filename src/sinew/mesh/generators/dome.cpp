// SPDX-License-Identifier: Apache-2.0
// Cells between two layers and two rings, each rigid: a diagonal on every face, and both on those
// that stand across the wall along the rings.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/generators/checks.hpp>
#include <sinew/mesh/generators/particle_grid.hpp>

namespace sinew::mesh {
namespace {

void check(const DomeSettings& settings) {
  require_positive("/base_radius", settings.base_radius);
  require_positive("/rise", settings.rise);
  const double steepness = settings.rise / settings.base_radius;
  if (steepness < 1e-6 || steepness > 1e6)
    reject_parameter("/rise", "this makes no cap of a sphere",
                     "give a length that can be compared with the base radius");
  require_positive("/thickness", settings.thickness);
  if (settings.thickness >= std::min(settings.rise, settings.base_radius))
    reject_parameter("/thickness", "there is no room for the inner layer",
                     "make it smaller than the rise and the base radius");
  require_positive("/hole_radius", settings.hole_radius);
  if (settings.hole_radius >= settings.base_radius - settings.thickness)
    reject_parameter("/hole_radius", "the hole would leave nothing of the dome",
                     "make it smaller than the base radius less the thickness");
  require_at_least("/around", settings.around, 3);
  require_at_least("/rings", settings.rings, 2);
  require_count("/rim_rings", settings.rim_rings);
  if (settings.rim_rings >= settings.rings)
    reject_parameter(
        "/rim_rings",
        fmt::format("{} of {} rings leave no shell", settings.rim_rings, settings.rings),
        "make it smaller than the number of rings");
  require_affordable_particles("/around", 2.0 * settings.around * settings.rings);
}

}  // namespace

TetMesh make_dome(const DomeSettings& settings) {
  check(settings);
  // the angle from the axis, seen from the centre of a sphere, is 2 atan(rise/base) at the rim
  const auto sphere_radius = [](double base, double rise) {
    return 0.5 * (base / rise * base + rise);
  };
  const double outer = sphere_radius(settings.base_radius, settings.rise);
  const double hole = std::asin(settings.hole_radius / outer) /
                      (2.0 * std::atan2(settings.rise, settings.base_radius));

  TetMesh mesh;
  ParticleGrid grid(mesh, {settings.around, settings.rings, 2}, true);
  grid.add_particles([&](const ParticleGrid::Point& point) {
    const double base = settings.base_radius - point[2] * settings.thickness;
    const double rise = settings.rise - point[2] * settings.thickness;
    const double up = static_cast<double>(point[1]) / (settings.rings - 1);
    const double polar = 2.0 * std::atan2(rise, base) * (1.0 - up * (1.0 - hole));
    const double angle = 2.0 * std::numbers::pi * point[0] / settings.around;
    const double radius = sphere_radius(base, rise);
    // no rounding at the rim: it is to be found at z = 0
    const double z = point[1] == 0 ? 0.0 : rise - radius * (1.0 - std::cos(polar));
    return Vec3(radius * std::sin(polar) * std::cos(angle),
                radius * std::sin(polar) * std::sin(angle), z);
  });
  // `around` may be odd: diagonals alternate from ring to ring and from layer to layer only
  const auto alternates = [](const ParticleGrid::Point& from, const ParticleGrid::Point&) {
    return (from[1] + from[2]) % 2 == 0;
  };
  grid.tie_neighbours(1);
  grid.tie_diagonals(0, 1, 1, alternates);
  grid.tie_diagonals(1, 2, 1, alternates);
  grid.tie_diagonals(0, 2, 1, ParticleGrid::everywhere);

  mesh.region_names = {{0, "rim"}, {1, "shell"}};
  const auto is_rim = [&](int vertex) {
    return vertex / settings.around % settings.rings < settings.rim_rings;
  };
  for (std::size_t i = 0; i < mesh.bars.size(); ++i)
    if (is_rim(mesh.bars[i][0]) && is_rim(mesh.bars[i][1])) mesh.bar_regions[i] = 0;
  return mesh;
}

}  // namespace sinew::mesh
