// SPDX-License-Identifier: Apache-2.0
// Vertices have three numbers. The user's is that of the specification, of geometry and of fields.
// Inside, vertices are in reverse Cuthill-McKee order; terms and fields of vectors use that one.
// The free ones, in that order, are the block rows of q: the vertex with block b owns dofs 3b ..
// 3b+2.
#pragma once

#include <span>
#include <vector>

#include <sinew/core/types.hpp>

namespace sinew::physics {

/// Of every vertex, the first of those that are one with it. `joined`: pairs, one after the other,
/// of vertices that are one and the same.
std::vector<int> first_of_joined(std::size_t num_vertices, std::span<const int> joined);

class Numbering {
 public:
  /// `rest`: positions at rest in the user's order. `edges`: pairs of vertices, one after the
  /// other, that elements connect. `prescribed`: vertices that are not free, in any order, repeats
  /// allowed. `joined`: pairs, one after the other, of vertices that are one and the same.
  Numbering(std::span<const Vec3> rest, std::span<const int> edges, std::span<const int> prescribed,
            std::span<const int> joined = {});

  /// The same vertices in the same order, of which only these are free, ascending.
  Numbering with_free(std::span<const int> vertices) const;

  /// Of the user; joined ones count one by one.
  int num_user_vertices() const { return static_cast<int>(internal_of_user_.size()); }
  int num_vertices() const { return static_cast<int>(rest_.size()); }
  int num_free() const { return num_free_; }
  Index num_dofs() const { return 3 * static_cast<Index>(num_free_); }

  int internal(int user_vertex) const {
    return internal_of_user_[static_cast<std::size_t>(user_vertex)];
  }
  std::span<const int> internal_of_user() const { return internal_of_user_; }
  /// Position at rest of a vertex in the internal order.
  const Vec3& rest(int vertex) const { return rest_[static_cast<std::size_t>(vertex)]; }
  std::span<const Vec3> rest() const { return rest_; }

  bool is_free(int vertex) const { return block(vertex) >= 0; }
  /// Block row of a vertex in the internal order; -1: it is not free.
  int block(int vertex) const { return block_of_vertex_[static_cast<std::size_t>(vertex)]; }

  /// Boundaries of the vertex order such that elements reach from one part into the next at most.
  std::span<const int> parts() const { return parts_; }
  /// Connected piece of a vertex in the internal order.
  int piece(int vertex) const { return piece_of_vertex_[static_cast<std::size_t>(vertex)]; }
  int num_pieces() const { return num_pieces_; }

 private:
  std::vector<Vec3> rest_;
  std::vector<int> internal_of_user_, block_of_vertex_, piece_of_vertex_, parts_;
  int num_free_ = 0;
  int num_pieces_ = 0;
};

}  // namespace sinew::physics
