// SPDX-License-Identifier: Apache-2.0
// Vertices that are not free: held at their rest position, or moved.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <vector>

#include <sinew/physics/numbering.hpp>
#include <sinew/physics/vertex_motion.hpp>

namespace sinew::physics {

/// Vertices that share a motion.
struct MovedVertices {
  std::vector<int> vertices;  ///< numbered through all bodies
  std::shared_ptr<const VertexMotion> motion;
};

class PrescribedVertices {
 public:
  /// Where they are at one time, kept for as long as the same time is asked for.
  struct Motion {
    std::vector<Vec3> x, v, a;  ///< [m], [m/s], [m/s^2]; accelerations where they are wanted
    std::vector<Vec3> group_x, group_v, group_a;  ///< of those that share a motion
    double time = std::numeric_limits<double>::quiet_NaN();

    void forget() { time = std::numeric_limits<double>::quiet_NaN(); }
  };

  /// `moved` has priority over `fixed`, later groups over earlier ones.
  PrescribedVertices(std::span<const int> fixed, std::span<const MovedVertices> moved,
                     const Numbering& numbering);

  /// All that are not free under the numbering follow one motion, by their numbers there.
  PrescribedVertices(std::shared_ptr<const VertexMotion> motion, const Numbering& numbering);

  /// Ascending, in the internal order.
  std::span<const int> vertices() const { return vertices_; }
  std::size_t size() const { return vertices_.size(); }
  /// Whether any of them goes anywhere.
  bool move() const { return move_; }

  Motion make_motion() const;
  void evaluate(double t, bool with_accelerations, Motion& motion) const;
  Vec3 position(std::size_t index, double t) const;
  Vec3 velocity(std::size_t index, double t) const;
  /// Of a vertex in the internal order, which must be one of these.
  std::size_t index_of(int vertex) const;

 private:
  std::vector<int> vertices_;
  std::vector<Vec3> rest_;
  struct Leader {
    std::shared_ptr<const VertexMotion> motion;  // nullptr: held
    std::size_t index = 0;                       // of the vertex in the motion
  };
  std::vector<Leader> leaders_;
  /// Vertices that follow one motion, to be asked for all at once.
  struct Group {
    const VertexMotion* motion;
    std::vector<std::size_t> places;   // among vertices_
    std::vector<std::size_t> indices;  // in the motion
    std::vector<Vec3> rest;
  };
  void make_groups();
  std::vector<Group> groups_;
  bool move_ = false;
};

}  // namespace sinew::physics
