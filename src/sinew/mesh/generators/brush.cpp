// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/generators/checks.hpp>
#include <sinew/mesh/generators/particle_grid.hpp>

namespace sinew::mesh {

TetMesh make_brush(const BrushSettings& settings) {
  require_positive("/length", settings.length);
  require_positive("/thickness", settings.thickness);
  require_count("/segments", settings.segments);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string where = "/pitch/" + std::to_string(i);
    require_count("/bristles/" + std::to_string(i), settings.bristles[i]);
    require_positive(where, settings.pitch[i]);
    if (settings.pitch[i] <= settings.thickness)
      reject_parameter(where, "neighbouring bristles would overlap",
                       "make the pitch larger than the thickness");
  }
  require_affordable_particles(
      "/bristles", 4.0 * (settings.segments + 1.0) * settings.bristles[0] * settings.bristles[1]);
  enum Region { axial, ring, diagonal };
  TetMesh mesh;
  mesh.region_names = {{axial, "axial"}, {ring, "ring"}, {diagonal, "diagonal"}};
  for (int row = 0; row < settings.bristles[1]; ++row)
    for (int column = 0; column < settings.bristles[0]; ++column) {
      ParticleGrid grid(mesh, {2, 2, settings.segments + 1});
      grid.add_particles([&](const ParticleGrid::Point& point) {
        return Vec3(column * settings.pitch[0] + point[0] * settings.thickness,
                    row * settings.pitch[1] + point[1] * settings.thickness,
                    -settings.length * point[2] / settings.segments);
      });
      grid.tie({0, 0, 1}, axial);
      grid.tie({1, 0, 0}, ring);
      grid.tie({0, 1, 0}, ring);
      grid.tie_all_diagonals(diagonal);
    }
  return mesh;
}

}  // namespace sinew::mesh
