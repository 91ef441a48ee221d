// SPDX-License-Identifier: Apache-2.0
// Which points of a lattice are inside of a solid, and where its surface cuts the edges between
// them.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include <sinew/mesh/stuffing.hpp>
#include <sinew/mesh/stuffing/stencils.hpp>

namespace sinew::mesh {

class SampledSolid {
 public:
  /// Points closer to the surface than a share of their edges have moved onto it. Throws InputError
  /// if a value is not finite.
  SampledSolid(const Solid& solid, const Lattice& lattice);

  Side side(const LatticePoint& p) const { return sides_[lattice_.index(p)]; }
  /// Points on the surface have moved there.
  Vec3 position(const LatticePoint& p) const;
  /// Between a point inside and one outside.
  Vec3 cut(const LatticePoint& inside, const LatticePoint& outside) const;
  /// By cell: whether a point of it is inside, and whether one is not.
  std::vector<char> cells_with(bool inside) const;

  /// Moves a point on the surface back to where it was in the lattice, and around it the surface to
  /// the middle of the edges that go outside.
  void add_to_inside(const LatticePoint& p);

 private:
  void sample(const LatticePoint& low, int size);
  void sample_point(const LatticePoint& p);
  double value_at(const Vec3& x) const;
  void find_cuts();
  void move_points();
  double find_cut(const LatticePoint& inside, const LatticePoint& outside) const;
  std::int64_t edge_key(const LatticePoint& p, std::size_t step) const;

  const Solid& solid_;
  const Lattice& lattice_;
  std::vector<Side> sides_;
  std::vector<float> values_;                      ///< of points near the surface at least
  std::unordered_map<std::int64_t, double> cuts_;  ///< by edge, as the part from the inner end
  std::unordered_map<std::int64_t, Vec3> moved_;   ///< by point
};

}  // namespace sinew::mesh
