// SPDX-License-Identifier: Apache-2.0
// What bodies and obstacles touch each other with: points, edges, triangles and planes over
// vertices of the system, each with a radius around it. A sphere is a point with a radius, a
// capsule an edge with one.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <sinew/physics/numbering.hpp>

namespace sinew::physics {

/// Of one body or obstacle. Vertices are numbered through all bodies, obstacles after them.
struct ContactPart {
  std::string name;
  bool is_obstacle = false;
  double radius = 0.0;                          ///< half the thickness of what it is made of [m]
  std::vector<int> points{};                    ///< vertices that belong to nothing below
  std::vector<std::array<int, 2>> bars{};       ///< edges that belong to no triangle
  std::vector<std::array<int, 3>> triangles{};  ///< counter-clockwise from outside
  bool is_closed = false;                    ///< the triangles enclose a volume: of a body, filled
  std::vector<std::array<int, 3>> planes{};  ///< without end; outside is where they are seen
                                             ///< counter-clockwise
};

/// Which parts meet.
struct ContactRules {
  bool between_bodies = true;
  bool within_bodies = true;
  std::vector<std::array<int, 2>> exceptions{};  ///< pairs of parts that never meet

  bool meet(const std::vector<ContactPart>& parts, int a, int b) const;
};

/// Features of the parts of one kind, bodies or obstacles, in the internal numbering.
struct ContactFeatures {
  /// One vertex, edge or triangle, and whose it is.
  template <std::size_t N>
  struct Of {
    std::vector<std::array<int, N>> vertices;
    std::vector<int> parts;

    void add(const std::array<int, N>& feature, int part) {
      vertices.push_back(feature);
      parts.push_back(part);
    }
    std::size_t size() const { return vertices.size(); }
  };

  Of<1> points;  ///< every vertex of every feature
  Of<1> lone;    ///< those that belong to nothing else
  Of<2> edges;   ///< those of triangles too
  Of<2> bars;    ///< without those of triangles
  Of<3> triangles;
  Of<3> planes;
};

template <std::size_t N, std::size_t M>
bool share_vertex(const std::array<int, N>& a, const std::array<int, M>& b) {
  for (const int vertex : a)
    if (std::find(b.begin(), b.end(), vertex) != b.end()) return true;
  return false;
}

/// Features of one part: they follow each other.
template <std::size_t N>
std::pair<std::size_t, std::size_t> range_of(const ContactFeatures::Of<N>& features, int part) {
  const auto [begin, end] = std::equal_range(features.parts.begin(), features.parts.end(), part);
  return {static_cast<std::size_t>(begin - features.parts.begin()),
          static_cast<std::size_t>(end - features.parts.begin())};
}

class ContactSurface {
 public:
  ContactSurface(std::vector<ContactPart> parts, ContactRules rules, const Numbering& numbering);

  const std::vector<ContactPart>& parts() const { return parts_; }
  const Numbering& numbering() const { return numbering_; }
  const ContactFeatures& bodies() const { return bodies_; }
  const ContactFeatures& obstacles() const { return obstacles_; }
  const ContactFeatures& features_of(int part) const {
    return parts_[static_cast<std::size_t>(part)].is_obstacle ? obstacles_ : bodies_;
  }
  double radius(int part) const { return parts_[static_cast<std::size_t>(part)].radius; }
  /// Whether two parts meet at all.
  bool meet(int part_a, int part_b) const {
    return meet_[static_cast<std::size_t>(part_a) * parts_.size() +
                 static_cast<std::size_t>(part_b)] != 0;
  }
  /// Of a vertex of the surface; -1: of none.
  int part_of(int vertex) const { return part_of_vertex_[static_cast<std::size_t>(vertex)]; }
  /// Vertices of bodies that are part of the surface, ascending.
  const std::vector<int>& vertices() const { return vertices_; }
  /// Whether any two bodies, or a body and itself, meet.
  bool bodies_meet() const { return bodies_meet_; }

 private:
  void add(const ContactPart& part, int index);

  std::vector<ContactPart> parts_;
  const Numbering& numbering_;
  ContactFeatures bodies_, obstacles_;
  std::vector<char> meet_;
  std::vector<int> part_of_vertex_, vertices_;
  bool bodies_meet_ = false;
};

}  // namespace sinew::physics
