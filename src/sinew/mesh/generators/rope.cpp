// SPDX-License-Identifier: Apache-2.0
#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/generators/checks.hpp>
#include <sinew/mesh/generators/particle_grid.hpp>

namespace sinew::mesh {

TetMesh make_rope(const RopeSettings& settings) {
  require_positive("/length", settings.length);
  require_at_least("/particles", settings.particles, 2);
  require_affordable_particles("/particles", settings.particles);
  TetMesh mesh;
  ParticleGrid grid(mesh, {settings.particles, 1, 1});
  grid.add_particles([&](const ParticleGrid::Point& point) {
    return Vec3(settings.length * point[0] / (settings.particles - 1), 0.0, 0.0);
  });
  grid.tie({1, 0, 0}, 0);
  return mesh;
}

}  // namespace sinew::mesh
