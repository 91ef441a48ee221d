// SPDX-License-Identifier: Apache-2.0
// Particles on the points of a grid, tied to those a given step away.
#pragma once

#include <array>
#include <vector>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh {

/// A grid of points (i, j, k), each of which may have a particle. Every function appends to the
/// mesh; a bar is made once as long as no two steps are equal or opposite.
class ParticleGrid {
 public:
  using Point = std::array<int, 3>;

  /// `counts`: of points along each direction. In a ring the last points of the first direction,
  /// of which there must be at least three, are neighbours of the first.
  ParticleGrid(TetMesh& mesh, const Point& counts, bool is_ring = false)
      : mesh_(mesh), counts_(counts), is_ring_(is_ring) {
    std::size_t size = 1;
    for (const int count : counts) size *= static_cast<std::size_t>(count);
    numbers_.assign(size, -1);
  }

  static bool everywhere(const Point&, const Point&) { return true; }

  /// Diagonals that begin at such points, and then end at such points, are one per face, and no
  /// direction is preferred.
  static bool at_even_points(const Point& from, const Point&) {
    return (from[0] + from[1] + from[2]) % 2 == 0;
  }

  /// A particle at place(point) wherever has(point).
  template <class Place, class Has>
  void add_particles(const Place& place, const Has& has) {
    for_each([&](const Point& point) {
      if (!has(point)) return;
      numbers_[offset(point)] = mesh_.num_vertices();
      mesh_.vertices.push_back(place(point));
    });
  }
  template <class Place>
  void add_particles(const Place& place) {
    add_particles(place, [](const Point&) { return true; });
  }

  /// A bar from each particle to the one a step further, if there is one and joins(from, to). Steps
  /// around a ring go forward.
  template <class Joins>
  void tie(const Point& step, int region, const Joins& joins) {
    for_each([&](const Point& from) {
      Point to{from[0] + step[0], from[1] + step[1], from[2] + step[2]};
      if (is_ring_) to[0] %= counts_[0];
      const int first = at(from), second = at(to);
      if (first < 0 || second < 0 || !joins(from, to)) return;
      mesh_.bars.push_back({first, second});
      mesh_.bar_regions.push_back(region);
    });
  }
  void tie(const Point& step, int region) { tie(step, region, everywhere); }

  /// Bars along all three directions.
  template <class Joins>
  void tie_neighbours(int region, const Joins& joins) {
    for (const Point& step : {Point{1, 0, 0}, Point{0, 1, 0}, Point{0, 0, 1}})
      tie(step, region, joins);
  }
  void tie_neighbours(int region) { tie_neighbours(region, everywhere); }

  /// Both diagonals of the faces spanned by directions a and b, where a < b.
  template <class Joins>
  void tie_diagonals(int a, int b, int region, const Joins& joins) {
    for (const int sign : {1, -1}) {
      Point step{0, 0, 0};
      step[static_cast<std::size_t>(a)] = 1;
      step[static_cast<std::size_t>(b)] = sign;
      tie(step, region, joins);
    }
  }
  /// The same of all faces.
  template <class Joins>
  void tie_all_diagonals(int region, const Joins& joins) {
    tie_diagonals(0, 1, region, joins);
    tie_diagonals(0, 2, region, joins);
    tie_diagonals(1, 2, region, joins);
  }
  void tie_all_diagonals(int region) { tie_all_diagonals(region, everywhere); }

  /// Two triangles per cell of the plane where the coordinate `axis` is `index`, cut along the
  /// diagonal between even points. They face the way the axis points, or the other way.
  void add_triangles(int axis, int index, bool faces_onward);

 private:
  template <class Visit>
  void for_each(const Visit& visit) const {
    Point point;
    for (point[2] = 0; point[2] < counts_[2]; ++point[2])
      for (point[1] = 0; point[1] < counts_[1]; ++point[1])
        for (point[0] = 0; point[0] < counts_[0]; ++point[0]) visit(point);
  }
  std::size_t offset(const Point& point) const {
    return static_cast<std::size_t>(point[0]) +
           static_cast<std::size_t>(counts_[0]) *
               (static_cast<std::size_t>(point[1]) +
                static_cast<std::size_t>(counts_[1]) * static_cast<std::size_t>(point[2]));
  }
  /// -1 where there is no particle.
  int at(const Point& point) const {
    for (std::size_t i = 0; i < 3; ++i)
      if (point[i] < 0 || point[i] >= counts_[i]) return -1;
    return numbers_[offset(point)];
  }

  TetMesh& mesh_;
  Point counts_;
  bool is_ring_;
  std::vector<int> numbers_;
};

}  // namespace sinew::mesh
