// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <sinew/mesh/generators/checks.hpp>
#include <sinew/mesh/surfaces/level_set_grid.hpp>

namespace sinew::mesh {
namespace {

/// A point moves onto the surface if that cuts an edge within this part of its length from it. A
/// fifth leaves the tets around a moved point well shaped.
constexpr double snap_ratio = 0.2;

/// Sets of neighbours of a point, one bit each.
using Neighbours = unsigned;

constexpr int num_neighbours = 14;
constexpr Neighbours all_neighbours = (1u << num_neighbours) - 1;

/// Steps along the edges of the tets: those from the first towards the last corner of a cell, then
/// those back.
constexpr std::array<GridPoint, num_neighbours> neighbour_steps = [] {
  std::array<GridPoint, num_neighbours> steps{};
  for (int bits = 1; bits < 8; ++bits)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const int step = bits >> axis & 1;
      steps[bits - 1][axis] = step;
      steps[bits + 6][axis] = -step;
    }
  return steps;
}();

/// For each neighbour, those that are joined to it: a ring, around the edge to the neighbour.
constexpr std::array<Neighbours, num_neighbours> rings = [] {
  std::array<Neighbours, num_neighbours> result{};
  for (std::size_t a = 0; a < num_neighbours; ++a)
    for (std::size_t b = 0; b < num_neighbours; ++b)
      for (const GridPoint& step : neighbour_steps) {
        bool is_joined = true;
        for (std::size_t axis = 0; axis < 3; ++axis)
          is_joined =
              is_joined && neighbour_steps[b][axis] - neighbour_steps[a][axis] == step[axis];
        if (is_joined) result[a] |= 1u << b;
      }
  return result;
}();

bool is_connected(Neighbours set) {
  Neighbours reached = set & -set, before = 0;
  while (reached != before) {
    before = reached;
    for (Neighbours rest = before; rest != 0; rest &= rest - 1)
      reached |= rings[std::countr_zero(rest)] & set;
  }
  return reached == set;
}

GridPoint neighbour_of(const GridPoint& point, std::size_t i) {
  const GridPoint& step = neighbour_steps[i];
  return {point[0] + step[0], point[1] + step[1], point[2] + step[2]};
}

}  // namespace

LevelSetGrid::LevelSetGrid(const std::function<double(const Vec3&)>& phi, const Vec3& low,
                           const Vec3& high, const std::array<int, 3>& cells)
    : cells_(cells),
      low_(low),
      step_((high - low).cwiseQuotient(Vec3(cells[0], cells[1], cells[2]))) {
  for_each(counts(), [&](const GridPoint& point) {
    const Vec3 x = place_of(point);
    values_.push_back(phi(x));
    if (!std::isfinite(values_.back()))
      reject_parameter("/phi",
                       fmt::format("its value at ({}, {}, {}) is not finite", x[0], x[1], x[2]),
                       "phi must be a finite number everywhere in the box");
    sides_.push_back(values_.back() < 0.0 ? inside : outside);
  });
}

void LevelSetGrid::require_surface_within() const {
  bool has_inside = false;
  for_each(counts(), [&](const GridPoint& point) {
    if (!is_inside(point)) return;
    has_inside = true;
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (point[axis] == 0 || point[axis] == cells_[axis])
        reject_parameter(fmt::format("/{}/{}", point[axis] == 0 ? "low" : "high", axis),
                         "the surface leaves the box through this side",
                         "enlarge the box, or cut phi off within it: max(phi, distance to a box)");
  });
  if (!has_inside)
    reject_parameter("/phi", "no point of the grid is inside, where phi < 0",
                     "use more cells, or a box that fits the body");
}

bool LevelSetGrid::has_all_neighbours(const GridPoint& point) const {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (point[axis] == 0 || point[axis] == cells_[axis]) return false;
  return true;
}

Vec3 LevelSetGrid::place_of(const GridPoint& point) const {
  return low_ + step_.cwiseProduct(Vec3(point[0], point[1], point[2]));
}

Vec3 LevelSetGrid::position(const GridPoint& point) const {
  return is_on_surface(point) ? moved_.at(offset(point)) : place_of(point);
}

/// The nearest place within snap_ratio where the surface cuts an edge from the point.
bool LevelSetGrid::find_near_cut(const GridPoint& point, Vec3& cut) const {
  const Vec3 here = place_of(point);
  const double a = value(point);
  double nearest = INFINITY;
  for (std::size_t i = 0; i < num_neighbours; ++i) {
    const GridPoint other = neighbour_of(point, i);
    if (is_on_surface(other) || is_inside(point) == is_inside(other)) continue;
    const double part = a / (a - value(other));
    const Vec3 way = part * (place_of(other) - here);
    if (part >= snap_ratio || way.norm() >= nearest) continue;
    nearest = way.norm();
    cut = here + way;
  }
  return nearest < INFINITY;
}

/// Whether the triangles around a point on the surface form one fan, and around each edge from it
/// to another one there are two or none. The surface separates inner neighbours from all others.
/// They lie on a sphere around the point, so it is one closed line there if both sets are
/// connected; and it passes each neighbour on the surface once if the ring around that falls into
/// two parts. Were the outer part one point on the surface, both triangles would be the same.
bool LevelSetGrid::is_manifold_at(const GridPoint& point) const {
  Neighbours inner = 0, on = 0;
  for (std::size_t i = 0; i < num_neighbours; ++i) {
    const GridPoint other = neighbour_of(point, i);
    if (is_inside(other)) inner |= 1u << i;
    if (is_on_surface(other)) on |= 1u << i;
  }
  const Neighbours outer = all_neighbours & ~inner;
  if (inner == 0 || outer == 0 || !is_connected(inner) || !is_connected(outer)) return false;
  for (Neighbours rest = on; rest != 0; rest &= rest - 1) {
    const Neighbours ring = rings[std::countr_zero(rest)];
    const Neighbours inner_part = ring & inner, outer_part = ring & outer;
    if (inner_part == 0) continue;
    const bool is_one_point_on_surface = std::has_single_bit(outer_part) && (outer_part & on) != 0;
    if (outer_part == 0 || is_one_point_on_surface || !is_connected(inner_part)) return false;
  }
  return true;
}

bool LevelSetGrid::is_manifold_around(const GridPoint& point) const {
  if (!is_manifold_at(point)) return false;
  for (std::size_t i = 0; i < num_neighbours; ++i) {
    const GridPoint other = neighbour_of(point, i);
    if (is_on_surface(other) && !is_manifold_at(other)) return false;
  }
  return true;
}

void LevelSetGrid::snap() {
  for_each(counts(), [&](const GridPoint& point) {
    Vec3 cut;
    if (!has_all_neighbours(point) || !find_near_cut(point, cut)) return;
    Side& side = sides_[offset(point)];
    const Side before = std::exchange(side, on_surface);
    if (is_manifold_around(point))
      moved_.emplace(offset(point), cut);
    else
      side = before;
  });
}

}  // namespace sinew::mesh
