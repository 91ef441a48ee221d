// SPDX-License-Identifier: Apache-2.0
// The body-centred cubic lattice: corners and centres of cubic cells. Points have whole
// coordinates in half cells: all even for corners, all odd for centres.
#pragma once

#include <array>
#include <cstdint>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh {

using LatticePoint = std::array<int, 3>;

inline LatticePoint operator+(const LatticePoint& a, const LatticePoint& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

/// Four points of a tet, in no particular orientation.
using LatticeTet = std::array<LatticePoint, 4>;

/// The steps from a point to those it is joined with: 6 long ones, then 8 short ones. Step k and
/// step k + 1 are opposite for even k.
inline constexpr int num_lattice_steps = 14, num_long_steps = 6;
inline constexpr std::array<LatticePoint, num_lattice_steps> lattice_steps{{{2, 0, 0},
                                                                            {-2, 0, 0},
                                                                            {0, 2, 0},
                                                                            {0, -2, 0},
                                                                            {0, 0, 2},
                                                                            {0, 0, -2},
                                                                            {1, 1, 1},
                                                                            {-1, -1, -1},
                                                                            {1, 1, -1},
                                                                            {-1, -1, 1},
                                                                            {1, -1, 1},
                                                                            {-1, 1, -1},
                                                                            {1, -1, -1},
                                                                            {-1, 1, 1}}};

class Lattice {
 public:
  /// Cells of edge length `size` that cover the box, with room around it.
  Lattice(const BoundingBox& box, double size);

  /// Cells that the constructor would make.
  static double count_cells(const BoundingBox& box, double size);

  const std::array<int, 3>& cells() const { return cells_; }
  double size() const { return size_; }
  std::int64_t num_points() const { return num_corners_ + num_cells(); }
  std::int64_t num_cells() const { return std::int64_t{cells_[0]} * cells_[1] * cells_[2]; }

  Vec3 position(const LatticePoint& p) const {
    return origin_ + 0.5 * size_ * Vec3(p[0], p[1], p[2]);
  }
  bool contains(const LatticePoint& p) const {
    for (std::size_t k = 0; k < 3; ++k)
      if (p[k] < 0 || p[k] > 2 * cells_[k]) return false;
    return true;
  }

  std::int64_t index(const LatticePoint& p) const {
    const std::int64_t x = p[0] >> 1, y = p[1] >> 1, z = p[2] >> 1;
    if ((p[0] & 1) == 0) return x + (cells_[0] + 1) * (y + (cells_[1] + std::int64_t{1}) * z);
    return num_corners_ + x + cells_[0] * (y + std::int64_t{cells_[1]} * z);
  }
  LatticePoint point(std::int64_t index) const;

  /// Index of the cell whose centre this is.
  std::int64_t cell_index(const LatticePoint& centre) const { return index(centre) - num_corners_; }

 private:
  Vec3 origin_;
  double size_;
  std::array<int, 3> cells_;
  std::int64_t num_corners_;
};

/// Differs between the ends of every long edge.
inline bool is_even(const LatticePoint& p) {
  return (((p[0] >> 1) + (p[1] >> 1) + (p[2] >> 1)) & 1) == 0;
}

}  // namespace sinew::mesh
