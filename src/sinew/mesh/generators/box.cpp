// SPDX-License-Identifier: Apache-2.0
// Generators of boxes: bar and sheet.
#include <fmt/format.h>

#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/generators/checks.hpp>
#include <sinew/mesh/generators/hex_split.hpp>

namespace sinew::mesh {
namespace {

TetMesh make_box(const Vec3& size, const std::array<int, 3>& cells) {
  const auto [nx, ny, nz] = cells;
  TetMesh mesh;
  for (int k = 0; k <= nz; ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i)
        mesh.vertices.emplace_back(size[0] * i / nx, size[1] * j / ny, size[2] * k / nz);

  const auto vertex = [nx = nx, ny = ny](int i, int j, int k) {
    return i + (nx + 1) * (j + (ny + 1) * k);
  };
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        std::array<int, 8> corners;
        for (int c = 0; c < 8; ++c)
          corners[c] = vertex(i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2));
        split_hex(mesh, corners, (i + j + k) % 2 == 0, 0);
      }
  return mesh;
}

}  // namespace

TetMesh make_bar(const BarSettings& settings) {
  double num_cells = 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    require_positive(fmt::format("/size/{}", axis), settings.size[axis]);
    require_count(fmt::format("/cells/{}", axis), settings.cells[axis]);
    num_cells *= settings.cells[axis];
  }
  require_affordable("/cells", num_cells);
  return make_box({settings.size[0], settings.size[1], settings.size[2]}, settings.cells);
}

TetMesh make_sheet(const SheetSettings& settings) {
  double num_cells = 1.0;
  for (int axis = 0; axis < 2; ++axis) {
    require_positive(fmt::format("/size/{}", axis), settings.size[axis]);
    require_count(fmt::format("/cells/{}", axis), settings.cells[axis]);
    num_cells *= settings.cells[axis];
  }
  require_positive("/thickness", settings.thickness);
  require_count("/layers", settings.layers);
  require_affordable("/cells", num_cells * settings.layers);
  return make_box({settings.size[0], settings.size[1], settings.thickness},
                  {settings.cells[0], settings.cells[1], settings.layers});
}

}  // namespace sinew::mesh
