// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/generators/checks.hpp>
#include <sinew/mesh/generators/particle_grid.hpp>

namespace sinew::mesh {

TetMesh make_beam_lattice(const BeamLatticeSettings& settings) {
  const std::array<int, 3>& cells = settings.cells;
  for (std::size_t i = 0; i < 3; ++i) {
    require_positive("/size/" + std::to_string(i), settings.size[i]);
    require_count("/cells/" + std::to_string(i), cells[i]);
  }
  require_affordable_particles("/cells", (cells[0] + 1.0) * (cells[1] + 1.0) * (cells[2] + 1.0));
  TetMesh mesh;
  ParticleGrid grid(mesh, {cells[0] + 1, cells[1] + 1, cells[2] + 1});
  grid.add_particles([&](const ParticleGrid::Point& point) {
    Vec3 x;
    for (std::size_t i = 0; i < 3; ++i) x[i] = settings.size[i] * point[i] / cells[i];
    return x;
  });
  grid.tie_neighbours(0);
  grid.tie_all_diagonals(0, ParticleGrid::at_even_points);
  // one corner of every cell has three even numbers; its diagonal points another way in each of the
  // eight cells around
  const auto is_all_even = [](const ParticleGrid::Point& point) {
    return point[0] % 2 == 0 && point[1] % 2 == 0 && point[2] % 2 == 0;
  };
  const auto joins = [&](const ParticleGrid::Point& from, const ParticleGrid::Point& to) {
    return is_all_even(from) || is_all_even(to);
  };
  for (const int y : {1, -1})
    for (const int z : {1, -1}) grid.tie({1, y, z}, 0, joins);
  return mesh;
}

}  // namespace sinew::mesh
