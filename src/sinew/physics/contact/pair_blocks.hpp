// SPDX-License-Identifier: Apache-2.0
// From the corners of a pair to the vertices of the system, and what acts on a pair there. Corners
// that a feature has not got repeat another vertex, and what they add is zero.
#pragma once

#include <optional>
#include <vector>

#include <sinew/physics/contact/contact_search.hpp>
#include <sinew/physics/contact/pair_energy.hpp>
#include <sinew/physics/contact/vertex_values.hpp>

namespace sinew::physics {

inline int num_corners(const ContactPair& pair) {
  switch (pair.feature) {
    case geometry::Feature::point_point:
      return 2;
    case geometry::Feature::point_edge:
      return 3;
    default:
      return 4;
  }
}

inline std::span<const int> corners_with_weight(const ContactPair& pair) {
  return std::span(pair.vertices).first(static_cast<std::size_t>(num_corners(pair)));
}

inline void add_to_vertices(const ContactPair& pair, const PairGradient& values, PaddedField& f) {
  for (int k = 0; k < num_corners(pair); ++k)
    f.vector(pair.vertices[static_cast<std::size_t>(k)]) += values.segment<3>(3 * k);
}

inline void add_blocks(const ContactPair& pair, const PairHessian& H, BlockSink& sink) {
  add_blocks(
      corners_with_weight(pair),
      [&](std::size_t a, std::size_t b) { return Mat3(H.block<3, 3>(3 * Index(a), 3 * Index(b))); },
      sink);
}

inline void add_vertex_pairs(const ContactPair& pair, std::vector<VertexPair>& pairs) {
  add_vertex_pairs(corners_with_weight(pair), pairs);
}

/// What lets nothing through meets obstacles from whatever side.
inline Obstacles obstacles_of(const ContactLaw& law) {
  return law.form == ContactForm::barrier ? Obstacles::by_features : Obstacles::by_sides;
}

inline GapEnergy gap_energy(const Contact& contact, const ContactLaw& law) {
  return ContactLaw{.form = law.form, .stiffness = law.stiffness, .distance = contact.distance}.at(
      contact.gap);
}

/// Of two edges that are nearly parallel; none of all others.
inline std::optional<EdgeFading> fading_of(const Contact& contact, const PaddedField& x,
                                           const Numbering& numbering) {
  constexpr double share = 1e-3;  // of the squares of the lengths at rest
  if (contact.pair.feature != geometry::Feature::edge_edge) return std::nullopt;
  const auto square = [&](std::size_t a, std::size_t b) {
    return (numbering.rest(contact.pair.vertices[a]) - numbering.rest(contact.pair.vertices[b]))
        .squaredNorm();
  };
  const EdgeFading fading(corners_of(contact.pair, x), share * square(0, 1) * square(2, 3));
  return fading.is_active() ? std::optional(fading) : std::nullopt;
}

/// [N]
inline double normal_force(const Contact& contact, const PaddedField& x, const ContactLaw& law,
                           const Numbering& numbering) {
  const std::optional<EdgeFading> fading = fading_of(contact, x, numbering);
  return -gap_energy(contact, law).slope * (fading ? fading->factor() : 1.0);
}

}  // namespace sinew::physics
