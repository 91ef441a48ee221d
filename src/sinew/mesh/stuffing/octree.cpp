// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <sinew/mesh/stuffing/octree.hpp>

namespace sinew::mesh {
namespace {

/// Marks whatever is within two cells of a marked one.
std::vector<char> widened(const Lattice& lattice, std::vector<char> marks) {
  const auto& n = lattice.cells();
  const std::array<std::int64_t, 3> strides{1, n[0], std::int64_t{n[0]} * n[1]};
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (int round = 0; round < 2; ++round) {
      std::vector<char> wider = marks;
      for (std::int64_t cell = 0; cell < lattice.num_cells(); ++cell) {
        if (!marks[cell]) continue;
        const std::int64_t at = cell / strides[axis] % n[axis];
        if (at > 0) wider[cell - strides[axis]] = 1;
        if (at + 1 < n[axis]) wider[cell + strides[axis]] = 1;
      }
      marks = std::move(wider);
    }
  return marks;
}

/// visit(low) for the low corners of all blocks of `size` half cells that fit between two corners.
template <class Visit>
void for_each_block(const LatticePoint& low, const LatticePoint& high, int size,
                    const Visit& visit) {
  LatticePoint p;
  for (p[2] = low[2]; p[2] + size <= high[2]; p[2] += size)
    for (p[1] = low[1]; p[1] + size <= high[1]; p[1] += size)
      for (p[0] = low[0]; p[0] + size <= high[0]; p[0] += size) visit(p);
}

}  // namespace

Octree::Octree(const Lattice& lattice, const std::vector<char>& is_fixed, int coarsening)
    : lattice_(lattice), levels_(lattice.num_cells(), 0) {
  if (coarsening == 0) return;
  // levels of fixed cells are 0 for good: a number that no block of eight can share
  constexpr std::uint8_t never = 255;
  const std::vector<char> stays = widened(lattice, is_fixed);
  for (std::size_t cell = 0; cell < levels_.size(); ++cell)
    if (stays[cell]) levels_[cell] = never;
  for (int level = 0; level < coarsening; ++level) coarsen(level);
  for (std::uint8_t& level : levels_)
    if (level == never) level = 0;
  is_leaf_corner_.assign(lattice.num_points(), 0);
  for_each_leaf([&](const Leaf& leaf) {
    for (int bits = 0; bits < 8; ++bits)
      is_leaf_corner_[lattice.index(leaf.low + LatticePoint{leaf.size * (bits & 1),
                                                            leaf.size * (bits >> 1 & 1),
                                                            leaf.size * (bits >> 2)})] = 1;
  });
}

bool Octree::is_inside(const LatticePoint& low) const {
  return lattice_.contains(low) && lattice_.contains(low + LatticePoint{2, 2, 2});
}

void Octree::coarsen(int level) {
  constexpr std::uint8_t never = 255;
  const int size = 4 << level;
  const LatticePoint end{2 * lattice_.cells()[0], 2 * lattice_.cells()[1], 2 * lattice_.cells()[2]};
  for_each_block({0, 0, 0}, end, size, [&](const LatticePoint& low) {
    const LatticePoint high = low + LatticePoint{size, size, size};
    LatticePoint before, after;
    for (std::size_t k = 0; k < 3; ++k) {
      before[k] = std::max(low[k] - 2, 0);
      after[k] = std::min(high[k] + 2, end[k]);
    }
    bool may = true;
    for_each_block(low, high, 2, [&](const LatticePoint& p) { may = may && level_at(p) == level; });
    if (!may) return;
    for_each_block(before, after, 2, [&](const LatticePoint& p) {
      const std::uint8_t other = level_at(p);
      may = may && (other == never ? level == 0 : other >= level);
    });
    if (!may) return;
    for_each_block(low, high, 2, [&](const LatticePoint& p) {
      levels_[cell_of(p)] = static_cast<std::uint8_t>(level + 1);
    });
  });
}

Octree::Leaf Octree::leaf_at(const LatticePoint& low) const {
  const int size = 2 << level_at(low);
  return {{low[0] / size * size, low[1] / size * size, low[2] / size * size}, size};
}

template <class Visit>
void Octree::for_each_leaf(const Visit& visit) const {
  const LatticePoint end{2 * lattice_.cells()[0], 2 * lattice_.cells()[1], 2 * lattice_.cells()[2]};
  for_each_block({0, 0, 0}, end, 2, [&](const LatticePoint& p) {
    const Leaf leaf = leaf_at(p);
    if (leaf.low == p) visit(leaf);
  });
}

/// The tets between a leaf and its neighbour on one side. Those between unequal ones are made when
/// it is the turn of the smaller one, those between equal ones once for both.
template <class Visit>
void Octree::visit_pair(const Leaf& leaf, std::size_t axis, int side, const Visit& visit) const {
  LatticePoint beside = leaf.low;
  beside[axis] += side > 0 ? leaf.size : -2;
  if (!is_inside(beside)) return;
  const Leaf other = leaf_at(beside);
  if (other.size < leaf.size || (other.size == leaf.size && side < 0)) return;
  LatticePoint base = leaf.low;
  if (side > 0) base[axis] += leaf.size;
  // corners of the common square, once around
  const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
  std::array<LatticePoint, 4> square{base, base, base, base};
  square[1][u] += leaf.size;
  square[2][u] += leaf.size;
  square[2][v] += leaf.size;
  square[3][v] += leaf.size;
  const LatticePoint a = leaf.centre(), b = other.centre();
  if (other.size == leaf.size) {
    for (std::size_t k = 0; k < 4; ++k) {
      const LatticePoint &p = square[k], &q = square[(k + 1) % 4];
      const LatticePoint middle{(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2};
      if (leaf.size > 2 && is_leaf_corner_[lattice_.index(middle)]) {
        visit(LatticeTet{a, b, p, middle});
        visit(LatticeTet{a, b, middle, q});
      } else {
        visit(LatticeTet{a, b, p, q});
      }
    }
    return;
  }
  // a quarter of the larger one's face, cut from the middle of that face to its corner
  std::size_t first = 0;
  while (square[first][u] != b[u] || square[first][v] != b[v]) ++first;
  for (const std::size_t k : {first + 1, first + 3})
    for (const LatticePoint& apex : {a, b})
      visit(LatticeTet{apex, square[first], square[(first + 2) % 4], square[k % 4]});
}

void Octree::for_each_tet(const std::vector<char>& is_wanted,
                          const std::function<void(const LatticeTet&)>& visit) const {
  for_each_leaf([&](const Leaf& leaf) {
    // larger leaves are inside as a whole; what they have in common with smaller ones is wanted too
    const bool here = is_wanted[cell_of(leaf.low)] != 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const int side : {-1, 1}) {
        LatticePoint beside = leaf.low;
        beside[axis] += side > 0 ? leaf.size : -2;
        if (!here && (!is_inside(beside) || !is_wanted[cell_of(beside)])) continue;
        visit_pair(leaf, axis, side, visit);
      }
  });
}

}  // namespace sinew::mesh
