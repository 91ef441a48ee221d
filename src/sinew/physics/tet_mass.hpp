// SPDX-License-Identifier: Apache-2.0
// Mass at the vertices of a system and of linear tets between them. Also used for mass-proportional
// damping, with the damping coefficient as a factor of the mass.
//   lumped:      m/4 of a tet at every corner;      consistent:  M_ij = m/20 (1 + delta_ij)
#pragma once

#include <array>
#include <vector>

#include <sinew/la/symmetric_matrix.hpp>
#include <sinew/physics/elements/padded_field.hpp>

namespace sinew::physics {

class TetMass {
 public:
  struct Element {
    std::array<int, 4> vertices{};
    double mass = 0.0;  ///< [kg]
  };

  /// `lumped` is the mass at each vertex, whatever it comes from.
  TetMass(Vec lumped, std::vector<Element> consistent);

  bool is_lumped() const { return consistent_.empty(); }
  bool is_zero() const { return lumped_.isZero(0.0) && consistent_.empty(); }

  /// y += factor * M x over all vertices.
  void add_product(double factor, const PaddedField& x, PaddedField& y) const;
  /// K += factor * M on the free vertices.
  void add_to(double factor, const std::vector<int>& block_of_vertex, la::SymmetricMatrix& K) const;
  /// Row sums: the mass that weighs on each vertex, lumped or not [kg].
  Vec row_sums() const;

 private:
  Vec lumped_;  // per vertex
  std::vector<Element> consistent_;
};

}  // namespace sinew::physics
