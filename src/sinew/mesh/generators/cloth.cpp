// SPDX-License-Identifier: Apache-2.0
// Cloth and foil: a rectangle of triangles, without and with bars that resist bending.
#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/generators/checks.hpp>
#include <sinew/mesh/generators/particle_grid.hpp>

namespace sinew::mesh {
namespace {

void add_woven_rectangle(TetMesh& mesh, const std::array<double, 2>& size,
                         const std::array<int, 2>& particles, bool has_bending_bars) {
  ParticleGrid grid(mesh, {particles[0], particles[1], 1});
  grid.add_particles([&](const ParticleGrid::Point& point) {
    return Vec3(size[0] * point[0] / (particles[0] - 1), size[1] * point[1] / (particles[1] - 1),
                0.0);
  });
  mesh.region_names = {{0, "structural"}, {1, "shear"}};
  grid.tie_neighbours(0);
  grid.tie_diagonals(0, 1, 1, ParticleGrid::everywhere);
  if (has_bending_bars) {
    mesh.region_names[2] = "bending";
    grid.tie({2, 0, 0}, 2);
    grid.tie({0, 2, 0}, 2);
  }
  grid.add_triangles(2, 0, true);
}

}  // namespace

TetMesh make_cloth(const ClothSettings& settings) {
  require_positive("/size/0", settings.size[0]);
  require_positive("/size/1", settings.size[1]);
  require_count("/cells/0", settings.cells[0]);
  require_count("/cells/1", settings.cells[1]);
  require_affordable_particles("/cells", (settings.cells[0] + 1.0) * (settings.cells[1] + 1.0));
  TetMesh mesh;
  add_woven_rectangle(mesh, settings.size, {settings.cells[0] + 1, settings.cells[1] + 1}, false);
  return mesh;
}

TetMesh make_foil(const FoilSettings& settings) {
  require_positive("/size/0", settings.size[0]);
  require_positive("/size/1", settings.size[1]);
  require_at_least("/particles/0", settings.particles[0], 2);
  require_at_least("/particles/1", settings.particles[1], 2);
  require_affordable_particles("/particles", 1.0 * settings.particles[0] * settings.particles[1]);
  TetMesh mesh;
  add_woven_rectangle(mesh, settings.size, settings.particles, true);
  return mesh;
}

}  // namespace sinew::mesh
