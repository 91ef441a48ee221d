// SPDX-License-Identifier: Apache-2.0
// A flat shape, cut into cells, and the solid that it makes on its way through space.
#pragma once

#include <array>
#include <vector>

#include <sinew/mesh/generators/hex_split.hpp>
#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh {

using Vec2 = Eigen::Vector2d;

struct CrossSection {
  std::vector<Vec2> points;
  std::vector<std::array<int, 4>> cells;    ///< corner = i + 2 j, counter-clockwise frame
  std::vector<bool> first_corner_is_black;  ///< of each cell, see hex_split.hpp

  /// Corners are black where the parity is even; it changes by one along every edge.
  void add_cell(const std::array<int, 4>& corners, int parity_of_first) {
    cells.push_back(corners);
    first_corner_is_black.push_back(parity_of_first % 2 == 0);
  }
};

/// Moves the section through `stations` + 1 places, or `stations` when it returns to the first one.
/// place(point, station) must turn the section and the direction of travel into a right-handed
/// frame.
template <class Place>
TetMesh sweep(const CrossSection& section, int stations, bool returns, const Place& place) {
  TetMesh mesh;
  const int num_places = returns ? stations : stations + 1;
  for (int station = 0; station < num_places; ++station)
    for (const Vec2& point : section.points) mesh.vertices.push_back(place(point, station));
  const int stride = static_cast<int>(section.points.size());
  for (int station = 0; station < stations; ++station)
    for (std::size_t cell = 0; cell < section.cells.size(); ++cell) {
      const int next = (station + 1) % num_places;
      std::array<int, 8> corners;
      for (int c = 0; c < 4; ++c) {
        corners[c] = station * stride + section.cells[cell][c];
        corners[c + 4] = next * stride + section.cells[cell][c];
      }
      split_hex(mesh, corners, section.first_corner_is_black[cell] == (station % 2 == 0), 0);
    }
  return mesh;
}

}  // namespace sinew::mesh
