// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <sinew/mesh/generators/checks.hpp>
#include <sinew/mesh/surfaces.hpp>

namespace sinew::mesh {

TetMesh make_box_surface(const BoxSurfaceSettings& settings) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    require_positive("/size/" + std::to_string(axis), settings.size[axis]);
  TetMesh mesh;
  const Vec3 half = 0.5 * Vec3(settings.size[0], settings.size[1], settings.size[2]);
  for (int corner = 0; corner < 8; ++corner)  // i + 2 j + 4 k
    mesh.vertices.push_back(half.cwiseProduct(
        Vec3(corner & 1 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0, corner & 4 ? 1.0 : -1.0)));
  // all diagonals join corners of 0, 3, 5, 6: the surface has the symmetry of a tetrahedron
  mesh.triangles = {{0, 4, 6}, {0, 6, 2}, {3, 7, 5}, {3, 5, 1}, {0, 1, 5}, {0, 5, 4},
                    {6, 7, 3}, {6, 3, 2}, {0, 2, 3}, {0, 3, 1}, {5, 7, 6}, {5, 6, 4}};
  return mesh;
}

}  // namespace sinew::mesh
