// SPDX-License-Identifier: Apache-2.0
// Bodies that are cut. What a cut adds descends from the original mesh: a vertex from those whose
// mean it is, a tet from the one that it is a part of. Everything else follows from that. Tets have
// the properties of their ancestor; a vertex is held, moved or loaded where all those that it
// comes from are; a face is under pressure where it is part of a face that was.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <sinew/mesh/cut_mesh.hpp>
#include <sinew/physics/bodies.hpp>

namespace sinew::physics {

/// Vertices of one body that a cut adds or gives other tets, numbered through all bodies.
struct CutChange {
  struct Vertex {
    int number = 0;
    std::array<int, 2> from{};  ///< numbers of which it is a mean
    double weight = 0.0;        ///< of the second
  };
  std::vector<Vertex> added;  ///< by ascending numbers
  std::vector<int> changed;   ///< with the added ones
  std::size_t body = 0;
};

class CutBodies {
 public:
  explicit CutBodies(BodiesSpec original);

  /// As cut so far.
  const BodiesSpec& spec() const { return spec_; }
  int num_vertices() const { return num_vertices_; }

  /// Numbers through all bodies of the vertices of one.
  BodyNumbers numbers_of(std::size_t body) const;

  /// Cuts a body of tets; the surface speaks of its vertices in the body's own order. Nothing is
  /// added where nothing changes.
  CutChange cut(std::size_t body, const mesh::CutSurface& surface);

  /// The last vertices of a body, in its own order.
  const std::vector<mesh::AddedVertex>& added(std::size_t body) const {
    return descent_[body].added;
  }

  /// Whether a vertex of a body lies on a cut, so that it has copies or is one.
  const std::vector<char>& is_opened(std::size_t body) const { return descent_[body].is_opened; }

  /// All that cuts have done, and back again. Throws InputError for what does not fit the bodies.
  std::string description() const;
  void restore(const std::string& description);

 private:
  /// Where the vertices and tets of one body come from.
  struct Descent {
    std::vector<mesh::AddedVertex> added;  // in the body's order
    std::vector<int> ancestors;            // of every tet; none: it is uncut
    std::vector<std::vector<int>> roots;   // of every vertex: originals, in the body's order
    std::vector<char> is_opened;           // of every vertex
  };

  void add_vertex(std::size_t body, const mesh::AddedVertex& added);
  /// What is held, moved, loaded and felt, for the bodies as they are.
  void follow();
  void follow_faces(LoadedFaces& loaded, std::size_t body) const;
  std::vector<int> follow_vertices(const std::vector<int>& original) const;

  BodiesSpec original_, spec_;
  std::vector<Descent> descent_;
  int num_vertices_ = 0;
};

}  // namespace sinew::physics
