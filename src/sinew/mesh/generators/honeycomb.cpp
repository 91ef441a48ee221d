// SPDX-License-Identifier: Apache-2.0
// A honeycomb: walls between hexagons, swept along z. Where three walls meet, a triangle between
// their ends is cut into three cells. Its middle and its corners are black, the middles of the
// walls' ends white, and every wall has an even number of cells along it.
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/generators/checks.hpp>
#include <sinew/mesh/generators/cross_section.hpp>

namespace sinew::mesh {
namespace {

/// Corner of a hexagon, in units of half a cell along x and of a quarter of a hexagon's height
/// along y.
using HexCorner = std::array<int, 2>;

class HoneycombMaker {
 public:
  explicit HoneycombMaker(const HoneycombSettings& settings) : settings_(settings) {
    for (int row = 0; row < settings.cells[1]; ++row)
      for (int column = 0; column < settings.cells[0]; ++column)
        add_hexagon({2 * column + row % 2, 3 * row});
  }

  const CrossSection& section() const { return section_; }

 private:
  /// Where walls meet: its middle, then by direction the corner opposite the wall and the middle of
  /// the wall's end.
  struct Junction {
    int middle;
    std::array<int, 3> corners, ends;
  };

  Vec2 place(const HexCorner& at) const {
    return {0.5 * settings_.cell * at[0], settings_.cell / (2.0 * std::numbers::sqrt3) * at[1]};
  }

  int add_point(const Vec2& x) {
    section_.points.push_back(x);
    return static_cast<int>(section_.points.size()) - 1;
  }

  /// Directions of the walls at the upper (1) and lower (-1) ends of upright walls: that one first,
  /// then counter-clockwise.
  static std::array<Vec2, 3> directions(int up) {
    const double c = 0.5 * std::numbers::sqrt3;
    return {Vec2(0, -up), Vec2(c * up, 0.5 * up), Vec2(-c * up, 0.5 * up)};
  }

  const Junction& junction(const HexCorner& at, int up) {
    const auto [entry, is_new] = junctions_.try_emplace(at);
    Junction& made = entry->second;
    if (!is_new) return made;
    const Vec2 x = place(at);
    const double reach = settings_.thickness / std::numbers::sqrt3;
    const std::array<Vec2, 3> ways = directions(up);
    made.middle = add_point(x);
    for (std::size_t k = 0; k < 3; ++k) {
      made.corners[k] = add_point(x - reach * ways[k]);
      made.ends[k] = add_point(x + 0.5 * reach * ways[k]);
    }
    // between each wall and the next one counter-clockwise, opposite the third
    for (std::size_t k = 0; k < 3; ++k)
      section_.add_cell(
          {made.middle, made.ends[k], made.ends[(k + 1) % 3], made.corners[(k + 2) % 3]}, 0);
    return made;
  }

  void add_hexagon(const HexCorner& centre) {
    // from the right end of the upper right wall, counter-clockwise; every second one is an upper
    // end of an upright wall
    static constexpr std::array<HexCorner, 6> around{
        {{1, 1}, {0, 2}, {-1, 1}, {-1, -1}, {0, -2}, {1, -1}}};
    for (std::size_t k = 0; k < 6; ++k) {
      const HexCorner from{centre[0] + around[k][0], centre[1] + around[k][1]};
      const HexCorner& step = around[(k + 1) % 6];
      const HexCorner to{centre[0] + step[0], centre[1] + step[1]};
      const int up = k % 2 == 0 ? 1 : -1;
      if (walls_.try_emplace({std::min(from, to), std::max(from, to)}, true).second)
        add_wall(from, to, up);
    }
  }

  void add_wall(const HexCorner& from, const HexCorner& to, int up) {
    const Vec2 way = (place(to) - place(from)).normalized();
    const auto side_of = [&](const HexCorner& at, int at_up, const Vec2& along) {
      const Junction& made = junction(at, at_up);
      std::size_t k = 0;
      while (directions(at_up)[k].dot(along) < 0.9) ++k;
      // right of the wall, its middle and left of it, seen along it
      return std::array{made.corners[(k + 1) % 3], made.ends[k], made.corners[(k + 2) % 3]};
    };
    const std::array<int, 3> first = side_of(from, up, way);
    const auto [left, end, right] = side_of(to, -up, -way);
    const std::array<int, 3> last{right, end, left};
    std::array<int, 3> before = first;
    for (int station = 1; station <= settings_.wall_cells; ++station) {
      std::array<int, 3> after = last;
      const double s = 1.0 * station / settings_.wall_cells;
      if (station < settings_.wall_cells)
        for (std::size_t k = 0; k < 3; ++k)
          after[k] =
              add_point((1.0 - s) * section_.points[first[k]] + s * section_.points[last[k]]);
      for (std::size_t k = 0; k < 2; ++k)
        section_.add_cell({before[k], after[k], before[k + 1], after[k + 1]},
                          station - 1 + static_cast<int>(k));
      before = after;
    }
  }

  const HoneycombSettings& settings_;
  CrossSection section_;
  std::map<HexCorner, Junction> junctions_;
  std::map<std::array<HexCorner, 2>, bool> walls_;
};

}  // namespace

TetMesh make_honeycomb(const HoneycombSettings& settings) {
  require_count("/cells/0", settings.cells[0]);
  require_count("/cells/1", settings.cells[1]);
  require_positive("/cell", settings.cell);
  require_positive("/thickness", settings.thickness);
  require_positive("/height", settings.height);
  require_count("/wall_cells", settings.wall_cells);
  require_count("/layers", settings.layers);
  if (settings.wall_cells % 2 != 0)
    reject_parameter("/wall_cells", fmt::format("{} is odd", settings.wall_cells),
                     "give an even number");
  if (settings.thickness >= 0.5 * settings.cell)
    reject_parameter("/thickness", "the walls leave no room between them",
                     "make them thinner than half a cell");
  require_affordable("/cells", 3.0 * settings.cells[0] * settings.cells[1] * settings.layers *
                                   (2.0 * settings.wall_cells + 2.0));
  const HoneycombMaker maker(settings);
  return sweep(maker.section(), settings.layers, false, [&](const Vec2& x, int layer) {
    return Vec3(x[0], x[1], settings.height * layer / settings.layers);
  });
}

}  // namespace sinew::mesh
