// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include <sinew/physics/pairs/neighbours.hpp>

namespace sinew::physics {
namespace {

using Cell = std::array<long, 3>;

/// Where a particle is; far ones, or those that have no finite place, share the outermost cells.
Cell cell_of(const Vec3& x, const Vec3& low, double width) {
  constexpr double furthest = 1e15;
  Cell cell;
  for (int axis = 0; axis < 3; ++axis) {
    const double place = std::floor((x[axis] - low[axis]) / width);
    cell[static_cast<std::size_t>(axis)] =
        std::isfinite(place) ? static_cast<long>(std::clamp(place, 0.0, furthest)) : 0;
  }
  return cell;
}

}  // namespace

Neighbours find_neighbours(std::span<const int> particles, const PaddedField& x, double distance) {
  Vec3 low = Vec3::Zero();
  if (!particles.empty()) low = x.vector(particles[0]);
  for (const int particle : particles) low = low.cwiseMin(x.vector(particle));
  // particles sorted by cell; cells are found by bisection, so empty space costs nothing
  std::vector<std::pair<Cell, int>> sorted;
  sorted.reserve(particles.size());
  for (std::size_t k = 0; k < particles.size(); ++k)
    sorted.emplace_back(cell_of(x.vector(particles[k]), low, distance), static_cast<int>(k));
  std::sort(sorted.begin(), sorted.end());
  std::vector<Cell> own(particles.size());
  for (const auto& [cell, k] : sorted) own[static_cast<std::size_t>(k)] = cell;

  Neighbours result;
  result.start.reserve(particles.size() + 1);
  result.start.push_back(0);
  const double limit = distance * distance;
  for (std::size_t k = 0; k < particles.size(); ++k) {
    const Vec3 here = x.vector(particles[k]);
    const Cell& cell = own[k];
    // a row of three cells along the last axis is a run of the sorted list
    for (long i = cell[0] - 1; i <= cell[0] + 1; ++i)
      for (long j = cell[1] - 1; j <= cell[1] + 1; ++j) {
        const std::pair<Cell, int> first{{i, j, cell[2] - 1}, 0};
        const Cell last{i, j, cell[2] + 1};
        for (auto at = std::lower_bound(sorted.begin(), sorted.end(), first);
             at != sorted.end() && at->first <= last; ++at)
          if (at->second > static_cast<int>(k) &&
              Vec3(x.vector(particles[static_cast<std::size_t>(at->second)]) - here).squaredNorm() <
                  limit)
            result.others.push_back(at->second);
      }
    std::sort(result.others.begin() + static_cast<std::ptrdiff_t>(result.start.back()),
              result.others.end());
    result.start.push_back(result.others.size());
  }
  return result;
}

Neighbours find_neighbours_directly(std::span<const int> particles, const PaddedField& x,
                                    double distance) {
  Neighbours result{{0}, {}};
  for (std::size_t a = 0; a < particles.size(); ++a) {
    for (std::size_t b = a + 1; b < particles.size(); ++b)
      if (Vec3(x.vector(particles[b]) - x.vector(particles[a])).squaredNorm() < distance * distance)
        result.others.push_back(static_cast<int>(b));
    result.start.push_back(result.others.size());
  }
  return result;
}

}  // namespace sinew::physics
