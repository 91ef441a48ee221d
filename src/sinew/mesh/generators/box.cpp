// SPDX-License-Identifier: Apache-2.0
// Generators of boxes: bar and sheet.
#include <fmt/format.h>

#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/generators/checks.hpp>
#include <sinew/mesh/generators/hex_split.hpp>

namespace sinew::mesh {
namespace {

/// Vertices and cells are counted along x, then y, then z.
class Box {
 public:
  Box(const Vec3& size, const std::array<int, 3>& cells) : size_(size), cells_(cells) {}

  std::int64_t num_vertices() const {
    return (cells_[0] + std::int64_t{1}) * (cells_[1] + 1) * (cells_[2] + 1);
  }
  std::int64_t num_cells() const { return std::int64_t{1} * cells_[0] * cells_[1] * cells_[2]; }

  Vec3 vertex(std::int64_t number) const {
    const auto [i, j, k] = place(number, 1);
    return {size_[0] * static_cast<double>(i) / cells_[0],
            size_[1] * static_cast<double>(j) / cells_[1],
            size_[2] * static_cast<double>(k) / cells_[2]};
  }
  /// use(corners) of its five tets.
  template <class Use>
  void for_each_tet(std::int64_t cell, const Use& use) const {
    const auto [i, j, k] = place(cell, 0);
    std::array<std::int64_t, 8> corners;
    for (int c = 0; c < 8; ++c)
      corners[static_cast<std::size_t>(c)] =
          i + (c & 1) + (cells_[0] + 1) * (j + ((c >> 1) & 1) + (cells_[1] + 1) * (k + (c >> 2)));
    for (const Tet& tet : hex_tets((i + j + k) % 2 == 0))
      use(std::array{
          corners[static_cast<std::size_t>(tet[0])], corners[static_cast<std::size_t>(tet[1])],
          corners[static_cast<std::size_t>(tet[2])], corners[static_cast<std::size_t>(tet[3])]});
  }

 private:
  /// Where number `n` is in a grid with `more` places than cells along each axis.
  std::array<std::int64_t, 3> place(std::int64_t n, int more) const {
    const std::int64_t nx = cells_[0] + more, ny = cells_[1] + more;
    return {n % nx, n / nx % ny, n / (nx * ny)};
  }

  Vec3 size_;
  std::array<int, 3> cells_;
};

TetMesh make_box(const Box& box) {
  TetMesh mesh;
  for (std::int64_t v = 0; v < box.num_vertices(); ++v) mesh.vertices.push_back(box.vertex(v));
  for (std::int64_t cell = 0; cell < box.num_cells(); ++cell)
    box.for_each_tet(cell, [&](const std::array<std::int64_t, 4>& tet) {
      mesh.tets.push_back({static_cast<int>(tet[0]), static_cast<int>(tet[1]),
                           static_cast<int>(tet[2]), static_cast<int>(tet[3])});
    });
  mesh.regions.assign(mesh.tets.size(), 0);
  return mesh;
}

double require_bar(const BarSettings& settings) {
  double num_cells = 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    require_positive(fmt::format("/size/{}", axis), settings.size[axis]);
    require_count(fmt::format("/cells/{}", axis), settings.cells[axis]);
    num_cells *= settings.cells[axis];
  }
  return num_cells;
}

Box box_of(const BarSettings& settings) {
  return {{settings.size[0], settings.size[1], settings.size[2]}, settings.cells};
}

}  // namespace

TetMesh make_bar(const BarSettings& settings) {
  require_affordable("/cells", require_bar(settings));
  return make_box(box_of(settings));
}

std::int64_t num_bar_vertices(const BarSettings& settings) {
  require_bar(settings);
  return box_of(settings).num_vertices();
}

std::int64_t num_bar_cells(const BarSettings& settings) {
  require_bar(settings);
  return box_of(settings).num_cells();
}

void make_bar_slice(const BarSettings& settings, std::int64_t first_vertex, std::int64_t end_vertex,
                    std::vector<Vec3>& vertices, std::int64_t first_cell, std::int64_t end_cell,
                    std::vector<std::int64_t>& nodes) {
  const Box box = box_of(settings);
  for (std::int64_t v = first_vertex; v < end_vertex; ++v) vertices.push_back(box.vertex(v));
  for (std::int64_t cell = first_cell; cell < end_cell; ++cell)
    box.for_each_tet(cell, [&](const std::array<std::int64_t, 4>& tet) {
      nodes.insert(nodes.end(), tet.begin(), tet.end());
    });
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
  return make_box({{settings.size[0], settings.size[1], settings.thickness},
                   {settings.cells[0], settings.cells[1], settings.layers}});
}

}  // namespace sinew::mesh
