// SPDX-License-Identifier: Apache-2.0
// Marching tetrahedra. Without points of the grid on the surface it cuts each tet in one triangle
// or one quadrilateral and each face of a tet in at most one segment, which the tets on both sides
// share: it is a manifold without a rim as long as the sides of the box are outside. Points on the
// surface are vertices of it, and what shrinks to an edge or a point there is left out; see
// LevelSetGrid::snap() for why it remains a manifold.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include <sinew/mesh/generators/checks.hpp>
#include <sinew/mesh/kuhn.hpp>
#include <sinew/mesh/surfaces.hpp>
#include <sinew/mesh/surfaces/level_set_grid.hpp>

namespace sinew::mesh {
namespace {

/// Other vertices keep this part of an edge from its ends.
constexpr double least_cut = 1e-3;

/// Above this many points of the grid it is more likely a typo.
constexpr double max_grid_points = 50e6;

class Marcher {
 public:
  explicit Marcher(const LevelSetGrid& grid) : grid_(grid) {}

  TetMesh run() {
    LevelSetGrid::for_each(grid_.cells(), [&](const GridPoint& cell) { cut_cell(cell); });
    return std::move(mesh_);
  }

 private:
  static GridPoint corner(const GridPoint& cell, int bits) {
    return {cell[0] + (bits & 1), cell[1] + (bits >> 1 & 1), cell[2] + (bits >> 2 & 1)};
  }

  void cut_cell(const GridPoint& cell) {
    std::array<bool, 8> inside;
    for (int bits = 0; bits < 8; ++bits) inside[bits] = grid_.is_inside(corner(cell, bits));
    if (std::count(inside.begin(), inside.end(), inside[0]) == 8) return;
    for (const std::array<int, 4>& tet : kuhn_tets) cut_tet(cell, tet, inside);
  }

  void cut_tet(const GridPoint& cell, std::array<int, 4> tet, const std::array<bool, 8>& inside) {
    // corners that are inside first, without mirroring the tet
    int num_inside = 0, swaps = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      if (!inside[tet[i]]) continue;
      for (std::size_t at = i; at > static_cast<std::size_t>(num_inside); --at, ++swaps)
        std::swap(tet[at], tet[at - 1]);
      ++num_inside;
    }
    const std::size_t same_side = num_inside >= 2 ? 0 : 2;
    if (swaps % 2 != 0) std::swap(tet[same_side], tet[same_side + 1]);

    const auto cut = [&](int i, int j) { return vertex(cell, tet[i], tet[j]); };
    if (num_inside == 1) add_triangle({cut(0, 1), cut(0, 2), cut(0, 3)});
    if (num_inside == 2) add_quad({cut(0, 2), cut(0, 3), cut(1, 3), cut(1, 2)});
    if (num_inside == 3) add_triangle({cut(3, 0), cut(3, 1), cut(3, 2)});
  }

  /// Unless it shrinks to an edge or a point.
  void add_triangle(const Triangle& t) {
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) mesh_.triangles.push_back(t);
  }

  /// Cut along its shorter diagonal, which no other tet sees. If two neighbours are the same, the
  /// diagonal between the two does not matter.
  void add_quad(const std::array<int, 4>& q) {
    const auto length = [&](int i, int j) {
      return (mesh_.vertices[q[i]] - mesh_.vertices[q[j]]).squaredNorm();
    };
    if (length(0, 2) <= length(1, 3)) {
      add_triangle({q[0], q[1], q[2]});
      add_triangle({q[0], q[2], q[3]});
    } else {
      add_triangle({q[0], q[1], q[3]});
      add_triangle({q[1], q[2], q[3]});
    }
  }

  /// Where the surface cuts the edge between two corners, one of them inside; the same for all
  /// cells that have it.
  int vertex(const GridPoint& cell, int first_bits, int second_bits) {
    const GridPoint from = corner(cell, first_bits & second_bits);
    const GridPoint to = corner(cell, first_bits | second_bits);
    for (const GridPoint& end : {from, to})
      if (grid_.is_on_surface(end))
        return numbered(8 * grid_.offset(end), [&] { return grid_.position(end); });
    return numbered(8 * grid_.offset(from) + (first_bits ^ second_bits), [&] {
      const double a = grid_.value(from), b = grid_.value(to);
      const double part = std::clamp(a / (a - b), least_cut, 1.0 - least_cut);
      return Vec3((1.0 - part) * grid_.position(from) + part * grid_.position(to));
    });
  }

  template <class Place>
  int numbered(std::int64_t key, const Place& place) {
    const auto [entry, is_new] = numbers_.try_emplace(key, mesh_.num_vertices());
    if (is_new) mesh_.vertices.push_back(place());
    return entry->second;
  }

  const LevelSetGrid& grid_;
  TetMesh mesh_;
  std::unordered_map<std::int64_t, int> numbers_;
};

}  // namespace

TetMesh make_level_set(const std::function<double(const Vec3&)>& phi, const Vec3& low,
                       const Vec3& high, const std::array<int, 3>& cells) {
  double num_points = 1.0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    require_count(fmt::format("/cells/{}", axis), cells[axis]);
    num_points *= cells[axis] + 1.0;
    if (!std::isfinite(high[axis] - low[axis]) || high[axis] <= low[axis])
      reject_parameter(fmt::format("/high/{}", axis),
                       fmt::format("the box from {} to {} is empty", low[axis], high[axis]),
                       "give a number greater than that of the low corner");
  }
  require_at_most("/cells", num_points, max_grid_points, "points of the grid");
  LevelSetGrid grid(phi, low, high, cells);
  grid.require_surface_within();
  grid.snap();
  return Marcher(grid).run();
}

}  // namespace sinew::mesh
