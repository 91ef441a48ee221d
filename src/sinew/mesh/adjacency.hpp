// SPDX-License-Identifier: Apache-2.0
// Who is next to whom in a mesh of bars and triangles.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh {

/// The neighbours of every vertex along bars, ascending.
class Adjacency {
 public:
  Adjacency(int num_vertices, std::span<const Edge> bars);

  std::span<const int> of(int vertex) const {
    const auto v = static_cast<std::size_t>(vertex);
    return std::span(neighbours_).subspan(start_[v], start_[v + 1] - start_[v]);
  }

 private:
  std::vector<std::size_t> start_;
  std::vector<int> neighbours_;
};

/// An edge and the corners that the two triangles at it have besides.
using Hinge = std::array<int, 4>;

/// Edges with exactly two triangles, in ascending order.
std::vector<Hinge> find_hinges(std::span<const Triangle> triangles);

/// The bars of a mesh in their order, then those edges of its triangles and tets that are no bars,
/// ascending.
std::vector<Edge> bars_and_edges(const TetMesh& mesh);

}  // namespace sinew::mesh
