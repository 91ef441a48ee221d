// SPDX-License-Identifier: Apache-2.0
// One lattice for all four legs: 2 (leg_cells + 1) particles along either side of every level, with
// a gap in the middle. Bars cross it where the legs have merged, and along platforms.
//
//   o-o-o   o-o-o        Every cell has both diagonals on all of its faces and is rigid; so are
//   |X|X|   |X|X|        cells that share a face.
//   o-o-o   o-o-o
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <sinew/mesh/generators.hpp>
#include <sinew/mesh/generators/checks.hpp>
#include <sinew/mesh/generators/particle_grid.hpp>

namespace sinew::mesh {
namespace {

/// A leg that has merged, as part of the width of the tower: the gap is as wide as a cell.
double merged_leg(const TrussTowerSettings& settings) {
  return settings.leg_cells / (2.0 * settings.leg_cells + 1.0);
}

void check(const TrussTowerSettings& settings) {
  require_positive("/height", settings.height);
  require_positive("/base_width", settings.base_width);
  require_positive("/top_width", settings.top_width);
  if (settings.top_width >= settings.base_width)
    reject_parameter("/top_width", "the tower would not become narrower",
                     "make it smaller than the width of the base");
  if (settings.top_width < 1e-6 * settings.base_width)
    reject_parameter("/top_width", "the particles of the top would be in one place",
                     "make it at least a millionth of the width of the base");
  require_positive("/leg_width", settings.leg_width);
  require_count("/leg_cells", settings.leg_cells);
  const double widest = merged_leg(settings) * settings.base_width;
  if (settings.leg_width >= widest)
    reject_parameter("/leg_width", "there would be no gap between the legs",
                     fmt::format("make it smaller than {:.6g} m", widest));
  require_at_least("/levels", settings.levels, 2);
  require_count("/platforms", settings.platforms);
  if (settings.platforms > settings.levels)
    reject_parameter("/platforms", fmt::format("there is no room for {}", settings.platforms),
                     "there can be one per level");
  const auto require_part = [](const char* where, double value) {
    if (!(value > 0.0 && value < 1.0))
      reject_parameter(where, fmt::format("{} is no part of the height", value),
                       "give a number between 0 and 1");
  };
  require_part("/merge_at", settings.merge_at);
  require_part("/upper_from", settings.upper_from);
  const double across = 2.0 * (settings.leg_cells + 1.0);
  require_affordable_particles("/levels", across * across * (settings.levels + 1.0));
}

/// Heights as parts of the whole, such that panels are as high as the tower is wide there, up to a
/// common factor: dz/ds ~ width(z) with width = base (top/base)^z.
std::vector<double> level_heights(const TrussTowerSettings& settings) {
  const double ratio = settings.base_width / settings.top_width;
  std::vector<double> heights;
  for (int level = 0; level <= settings.levels; ++level)
    heights.push_back(std::log1p((ratio - 1.0) * level / settings.levels) / std::log(ratio));
  heights.back() = 1.0;
  return heights;
}

/// Which levels have bars across the gap; `merged` is the first where all have.
std::vector<bool> platform_levels(const TrussTowerSettings& settings,
                                  const std::vector<double>& heights, int merged) {
  std::vector<bool> is_platform(heights.size(), false);
  for (int i = 1; i <= settings.platforms; ++i) {
    const double height = settings.merge_at * i / (settings.platforms + 1.0);
    const auto level = std::lower_bound(heights.begin(), heights.begin() + merged, height);
    is_platform[static_cast<std::size_t>(level - heights.begin())] = true;
  }
  return is_platform;
}

}  // namespace

TetMesh make_truss_tower(const TrussTowerSettings& settings) {
  check(settings);
  const std::vector<double> heights = level_heights(settings);
  const int merged = static_cast<int>(
      std::lower_bound(heights.begin(), heights.end(), settings.merge_at) - heights.begin());
  const std::vector<bool> is_platform = platform_levels(settings, heights, merged);
  const int cells = settings.leg_cells;
  const int across = 2 * (cells + 1);

  TetMesh mesh;
  ParticleGrid grid(mesh, {across, across, settings.levels + 1});
  grid.add_particles([&](const ParticleGrid::Point& point) {
    const double z = heights[static_cast<std::size_t>(point[2])];
    const double width =
        settings.base_width * std::pow(settings.top_width / settings.base_width, z);
    const double at_base = settings.leg_width / settings.base_width;
    const double leg =
        at_base + (merged_leg(settings) - at_base) * std::min(1.0, z / settings.merge_at);
    const auto coordinate = [&](int i) {
      const double outside = 0.5 - leg * std::min(i, across - 1 - i) / cells;
      return width * (i <= cells ? -outside : outside);
    };
    return Vec3(coordinate(point[0]), coordinate(point[1]), settings.height * z);
  });
  const auto joins = [&](const ParticleGrid::Point& from, const ParticleGrid::Point& to) {
    const auto crosses = [&](std::size_t axis) {
      return (from[axis] <= cells) != (to[axis] <= cells);
    };
    if (!crosses(0) && !crosses(1)) return true;
    if (std::min(from[2], to[2]) >= merged) return true;
    const bool is_straight = from[0] == to[0] || from[1] == to[1];
    return is_straight && from[2] == to[2] && is_platform[static_cast<std::size_t>(from[2])];
  };
  grid.tie_neighbours(0, joins);
  grid.tie_all_diagonals(0, joins);

  mesh.region_names = {{0, "lower"}, {1, "upper"}};
  for (std::size_t i = 0; i < mesh.bars.size(); ++i) {
    const auto& [from, to] = mesh.bars[i];
    const double middle = 0.5 * (mesh.vertices[from][2] + mesh.vertices[to][2]);
    if (middle >= settings.upper_from * settings.height) mesh.bar_regions[i] = 1;
  }
  return mesh;
}

}  // namespace sinew::mesh
