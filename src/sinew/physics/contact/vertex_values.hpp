// SPDX-License-Identifier: Apache-2.0
// From what acts among a few vertices to the vertices of the system.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include <sinew/physics/block_sink.hpp>
#include <sinew/physics/term.hpp>

namespace sinew::physics {

/// `block(a, b)`: of the symmetric matrix, for the vertices with these places in the list.
template <class Block>
void add_blocks(std::span<const int> vertices, const Block& block, BlockSink& sink) {
  for (std::size_t a = 0; a < vertices.size(); ++a)
    for (std::size_t b = a; b < vertices.size(); ++b)
      sink.add(vertices[a], vertices[b], block(a, b));
}

inline void add_vertex_pairs(std::span<const int> vertices, std::vector<VertexPair>& pairs) {
  for (std::size_t a = 0; a < vertices.size(); ++a)
    for (std::size_t b = a + 1; b < vertices.size(); ++b)
      pairs.push_back({std::min(vertices[a], vertices[b]), std::max(vertices[a], vertices[b])});
}

inline void put_per_user_vertex(const Numbering& numbering, const PaddedField& f, VecOut values) {
  for (int user = 0; user < numbering.num_user_vertices(); ++user)
    values.segment<3>(3 * user) += f.vector(numbering.internal(user));
}

/// The force of a term alone, as a field per point.
inline void put_force(const Term& term, const Configuration& at, TermWork& work,
                      const Numbering& numbering, VecOut values) {
  PaddedField f(at.x.num_vertices());
  term.add_force(at, work, f);
  put_per_user_vertex(numbering, f, values);
}

/// How many contacts there are, and the smallest gap.
template <class Contacts>
dynamics::Admissibility admissibility_of(const Contacts& contacts) {
  dynamics::Admissibility result;
  for (const auto& contact : contacts) {
    ++result.contacts;
    result.min_distance = std::min(result.min_distance, contact.gap);
  }
  return result;
}

}  // namespace sinew::physics
