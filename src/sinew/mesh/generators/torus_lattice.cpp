// SPDX-License-Identifier: Apache-2.0
// The cross-sections have no diagonals of their own. As the square is rounded, its rows are not
// straight, and the bars along the ring hold all distances from the axis: nothing is left to shear.
#include <cmath>
#include <numbers>

#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/generators/checks.hpp>
#include <sinew/mesh/generators/particle_grid.hpp>

namespace sinew::mesh {

TetMesh make_torus_lattice(const TorusLatticeSettings& settings) {
  require_positive("/major_radius", settings.major_radius);
  require_positive("/minor_radius", settings.minor_radius);
  if (settings.minor_radius >= settings.major_radius)
    reject_parameter("/minor_radius", "the tube would reach through the axis",
                     "make the minor radius smaller than the major radius");
  const int cells = settings.cells;
  require_count("/cells", cells);
  // otherwise all bars across the middle are parallel, and the halves would slide along the axis
  if (cells % 2 != 0)
    reject_parameter("/cells", "the torus would not be rigid", "give an even number");
  require_at_least("/ring_cells", settings.ring_cells, 3);
  require_affordable_particles("/cells", (cells + 1.0) * (cells + 1.0) * settings.ring_cells);
  TetMesh mesh;
  ParticleGrid grid(mesh, {settings.ring_cells, cells + 1, cells + 1}, true);
  grid.add_particles([&](const ParticleGrid::Point& point) {
    Eigen::Vector2d section(2.0 * point[1] / cells - 1.0, 2.0 * point[2] / cells - 1.0);
    const double norm = section.norm();
    if (norm > 0.0) section *= settings.minor_radius * section.cwiseAbs().maxCoeff() / norm;
    const double angle = 2.0 * std::numbers::pi * point[0] / settings.ring_cells;
    const double distance = settings.major_radius + section[0];
    return Vec3(distance * std::cos(angle), distance * std::sin(angle), section[1]);
  });
  grid.tie_neighbours(0);
  grid.tie_diagonals(0, 1, 0, ParticleGrid::at_even_points);
  grid.tie_diagonals(0, 2, 0, ParticleGrid::at_even_points);
  return mesh;
}

}  // namespace sinew::mesh
