// SPDX-License-Identifier: Apache-2.0
// Mass at the vertices of a system and, where it is consistent, between the vertices of a tet
// (mesh/tet_shares.hpp). Also used for mass-proportional damping, with the damping coefficient as a
// factor of the mass.
#pragma once

#include <array>
#include <vector>

#include <sinew/physics/elements/padded_field.hpp>

namespace sinew::physics {

class TetMass {
 public:
  /// Of the matrix, and of the same place below the diagonal.
  struct Entry {
    int row = 0, column = 0;  ///< vertices, row <= column
    double mass = 0.0;        ///< [kg]
  };

  /// `lumped` is the mass at each vertex, whatever it comes from; `consistent` in any order, with
  /// several entries for a place.
  TetMass(Vec lumped, std::vector<Entry> consistent);

  bool is_lumped() const { return consistent_.empty(); }
  bool is_zero() const { return lumped_.isZero(0.0) && consistent_.empty(); }

  /// y += factor * M x over all vertices.
  void add_product(double factor, const PaddedField& x, PaddedField& y) const;
  /// use(a, b, entry) for every entry with a <= b; those of the diagonal come in two pieces.
  template <class Use>
  void for_each_block(const Use& use) const {
    for (int vertex = 0; vertex < static_cast<int>(lumped_.size()); ++vertex)
      use(vertex, vertex, lumped_[vertex]);
    for (const Entry& entry : consistent_) use(entry.row, entry.column, entry.mass);
  }
  /// Vertices that are coupled, ascending.
  std::vector<std::array<int, 2>> pairs() const;
  /// Row sums: the mass that weighs on each vertex, lumped or not [kg].
  Vec row_sums() const;

 private:
  Vec lumped_;                     // per vertex
  std::vector<Entry> consistent_;  // by row and column, one per place
};

}  // namespace sinew::physics
