// SPDX-License-Identifier: Apache-2.0
// Mass at the vertices of a system and of linear tets between them. Also used for mass-proportional
// damping, with the damping coefficient as a factor of the mass.
//   lumped:      m/4 of a tet at every corner;      consistent:  M_ij = m/20 (1 + delta_ij)
#pragma once

#include <algorithm>
#include <array>
#include <vector>

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
  /// use(a, b, entry) for every entry with a <= b; entries of one place come in pieces.
  template <class Use>
  void for_each_block(const Use& use) const {
    for (int vertex = 0; vertex < static_cast<int>(lumped_.size()); ++vertex)
      use(vertex, vertex, lumped_[vertex]);
    for (const Element& element : consistent_)
      for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = i; j < 4; ++j)
          use(std::min(element.vertices[i], element.vertices[j]),
              std::max(element.vertices[i], element.vertices[j]),
              element.mass / 20.0 * (i == j ? 2.0 : 1.0));
  }
  /// Vertices that are coupled, ascending.
  std::vector<std::array<int, 2>> pairs() const;
  /// Row sums: the mass that weighs on each vertex, lumped or not [kg].
  Vec row_sums() const;

 private:
  Vec lumped_;  // per vertex
  std::vector<Element> consistent_;
};

}  // namespace sinew::physics
