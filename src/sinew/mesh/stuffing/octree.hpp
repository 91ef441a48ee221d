// SPDX-License-Identifier: Apache-2.0
// Cells of a lattice, joined to larger ones, and the tets between them: around every pair of
// neighbouring cells and between unequal ones.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <sinew/mesh/stuffing/lattice.hpp>

namespace sinew::mesh {

class Octree {
 public:
  /// `is_fixed[cell]`: stays as it is, and so do all cells within two of it. Eight cells become one
  /// where all of them may and no neighbour, not even across an edge or a corner, is smaller than
  /// half of it afterwards; up to `coarsening` times.
  Octree(const Lattice& lattice, const std::vector<char>& is_fixed, int coarsening);

  /// Those of cells for which is_wanted(index of the cell) holds at one of a pair at least.
  void for_each_tet(const std::vector<char>& is_wanted,
                    const std::function<void(const LatticeTet&)>& visit) const;

 private:
  struct Leaf {
    LatticePoint low;  ///< corner
    int size;          ///< in half cells

    LatticePoint centre() const { return low + LatticePoint{size / 2, size / 2, size / 2}; }
  };

  bool is_inside(const LatticePoint& low) const;
  std::uint8_t level_at(const LatticePoint& low) const { return levels_[cell_of(low)]; }
  std::int64_t cell_of(const LatticePoint& low) const {
    return lattice_.cell_index(low + LatticePoint{1, 1, 1});
  }
  bool all_in_block(const LatticePoint& low, const LatticePoint& high, int least_level) const;
  void coarsen(int level);
  Leaf leaf_at(const LatticePoint& low) const;
  template <class Visit>
  void for_each_leaf(const Visit& visit) const;
  template <class Visit>
  void visit_pair(const Leaf& leaf, std::size_t axis, int side, const Visit& visit) const;

  const Lattice& lattice_;
  std::vector<std::uint8_t> levels_;  ///< of the leaf that has the cell
  std::vector<char> is_leaf_corner_;  ///< by index of the point
};

}  // namespace sinew::mesh
