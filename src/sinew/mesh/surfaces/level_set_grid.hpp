// SPDX-License-Identifier: Apache-2.0
// The points of a grid with the values of a function, and which of them lie inside of the surface
// where it is 0, outside, or on it. Points are joined along the edges of kuhn_tets.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include <sinew/core/types.hpp>

namespace sinew::mesh {

using GridPoint = std::array<int, 3>;

class LevelSetGrid {
 public:
  /// Throws InputError, with its place in "/phi", if a value is not finite.
  LevelSetGrid(const std::function<double(const Vec3&)>& phi, const Vec3& low, const Vec3& high,
               const std::array<int, 3>& cells);

  /// Throws InputError unless some point is inside, and none on the sides of the box is.
  void require_surface_within() const;

  /// Puts points that are close to the surface onto it, as far as it remains a manifold. Without
  /// this it would have slivers all around them. Points on the sides of the box stay.
  void snap();

  const std::array<int, 3>& cells() const { return cells_; }
  double value(const GridPoint& point) const { return values_[offset(point)]; }
  bool is_inside(const GridPoint& point) const { return sides_[offset(point)] == inside; }
  bool is_on_surface(const GridPoint& point) const { return sides_[offset(point)] == on_surface; }

  /// Points on the surface have moved there.
  Vec3 position(const GridPoint& point) const;

  std::int64_t offset(const GridPoint& point) const {
    return point[0] +
           (cells_[0] + std::int64_t{1}) * (point[1] + (cells_[1] + std::int64_t{1}) * point[2]);
  }

  template <class Visit>
  static void for_each(const GridPoint& counts, const Visit& visit) {
    GridPoint point;
    for (point[2] = 0; point[2] < counts[2]; ++point[2])
      for (point[1] = 0; point[1] < counts[1]; ++point[1])
        for (point[0] = 0; point[0] < counts[0]; ++point[0]) visit(point);
  }

 private:
  enum Side : signed char { inside, on_surface, outside };

  GridPoint counts() const { return {cells_[0] + 1, cells_[1] + 1, cells_[2] + 1}; }
  bool has_all_neighbours(const GridPoint& point) const;
  Vec3 place_of(const GridPoint& point) const;
  bool find_near_cut(const GridPoint& point, Vec3& cut) const;
  bool is_manifold_at(const GridPoint& point) const;
  bool is_manifold_around(const GridPoint& point) const;

  std::array<int, 3> cells_;
  Vec3 low_;
  Vec3 step_;
  std::vector<double> values_;
  std::vector<Side> sides_;
  std::unordered_map<std::int64_t, Vec3> moved_;  ///< points on the surface, by offset
};

}  // namespace sinew::mesh
