// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <sinew/mesh/stuffing/lattice.hpp>

namespace sinew::mesh {
namespace {

/// Cells around the box: places near the surface are asked about their neighbours' neighbours.
constexpr int room = 2;

}  // namespace

Lattice::Lattice(const BoundingBox& box, double size) : size_(size) {
  num_corners_ = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    cells_[k] = static_cast<int>(std::ceil(box.size()[static_cast<Index>(k)] / size)) + 2 * room;
    num_corners_ *= cells_[k] + 1;
  }
  // the box in the middle, so that shapes and meshes have the same symmetries
  const Vec3 extent(cells_[0], cells_[1], cells_[2]);
  origin_ = 0.5 * (box.low + box.high) - 0.5 * size * extent;
}

double Lattice::count_cells(const BoundingBox& box, double size) {
  double count = 1.0;
  for (int k = 0; k < 3; ++k) count *= std::ceil(box.size()[k] / size) + 2.0 * room;
  return count;
}

LatticePoint Lattice::point(std::int64_t index) const {
  const bool is_centre = index >= num_corners_;
  if (is_centre) index -= num_corners_;
  const int nx = cells_[0] + (is_centre ? 0 : 1), ny = cells_[1] + (is_centre ? 0 : 1);
  const auto x = static_cast<int>(index % nx), y = static_cast<int>(index / nx % ny),
             z = static_cast<int>(index / nx / ny);
  const int odd = is_centre ? 1 : 0;
  return {2 * x + odd, 2 * y + odd, 2 * z + odd};
}

}  // namespace sinew::mesh
