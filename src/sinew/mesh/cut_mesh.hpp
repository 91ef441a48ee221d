// SPDX-License-Identifier: Apache-2.0
// Opens a tet mesh along a surface, which is where a function is zero that is linear in every tet.
//
// First every edge that crosses the surface gets a vertex there, and the tets around it are cut in
// two, edge by edge in one order for all: whatever edges are taken, what comes of it is a mesh
// again, so that a cut may end inside. Then, where all edges were taken, no tet reaches from one
// side to the other. Faces between the sides are opened: of every vertex on them, each group of
// tets that still hang together by other faces gets a copy. Vertices at the end of a cut have one
// group, and stay one.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::mesh {

struct CutSurface {
  /// Of every vertex: on which side of the surface it is, and how far away [m].
  std::vector<double> sides;
  /// Where the vertices are when they are cut, which need not be the rest shape [m].
  std::span<const Vec3> places;
  /// Whether a place on the surface is part of the cut; none: all of it is.
  std::function<bool(const Vec3& place)> is_open{};
  /// Of every tet, whether the surface goes through it; none: wherever it meets one. Neighbours are
  /// split where they must, and stay whole otherwise.
  std::vector<char> may_open{};
  /// Where the surface passes a vertex by less than this part of an edge, it goes through the
  /// vertex instead: fewer thin tets. Never below least_snap.
  double snap = 0.05;

  static constexpr double least_snap = 1e-3;
};

/// A vertex that a cut has made: (1 - weight) x[from[0]] + weight x[from[1]], of vertices before
/// it. A copy comes twice from the same one.
struct AddedVertex {
  std::array<int, 2> from{};
  double weight = 0.0;

  bool operator==(const AddedVertex&) const = default;
};

/// What became of a mesh. Old vertices keep their numbers.
struct CutReport {
  std::vector<AddedVertex> added;  ///< the vertices behind the old ones, in their order
  std::vector<int> parents;        ///< of every tet, the old one that it is a part of
  std::vector<char> is_changed;    ///< of every vertex, whether other tets are around it than were
  int num_opened = 0;              ///< faces that are two now

  bool changed_anything() const { return !added.empty(); }
};

/// The part of `weight` from one vertex of an edge to the other; the one place where it is
/// rounded.
inline Vec3 between(const Vec3& a, const Vec3& b, double weight) {
  return a + weight * (b - a);
}

/// Whether cut_mesh() would change anything.
bool meets(const TetMesh& mesh, const CutSurface& surface);

/// Cuts a valid mesh of tets, which stays valid: where a part of a tet would be degenerate, the
/// surface goes through a vertex instead. The volume of the parts is that of the whole.
CutReport cut_mesh(TetMesh& mesh, const CutSurface& surface);

/// Which piece every tet belongs to, numbered from 0; those of one hang together by faces.
std::vector<int> pieces_of(const TetMesh& mesh);

}  // namespace sinew::mesh
