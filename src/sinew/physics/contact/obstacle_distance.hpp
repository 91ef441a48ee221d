// SPDX-License-Identifier: Apache-2.0
// How far a point is outside of an obstacle, or inside: the signed distance that models need which
// let things penetrate. Surfaces that enclose nothing have no inside.
#pragma once

#include <optional>
#include <vector>

#include <sinew/geometry/box_tree.hpp>
#include <sinew/physics/contact/contact_pair.hpp>
#include <sinew/physics/contact/contact_surface.hpp>
#include <sinew/physics/contact/plane_side.hpp>

namespace sinew::physics {

class ObstacleDistance {
 public:
  /// The surface must outlive it.
  explicit ObstacleDistance(const ContactSurface& surface);

  struct Memory {
    std::vector<geometry::BoxTree> trees;  ///< one per obstacle with triangles
    std::vector<Vec3> corners_at;          ///< where their vertices were
  };

  /// Vertices of bodies whose gap to an obstacle is below `reach`, one contact for every obstacle,
  /// with the nearest of its features. Normals point outwards.
  void add_contacts(const PaddedField& x, double reach, const core::Executor& executor,
                    Memory& memory, std::vector<Contact>& contacts) const;

 private:
  struct Obstacle {
    int part = 0;
    std::vector<std::array<int, 3>> triangles;
    std::vector<std::array<int, 2>> bars;
    std::vector<int> points;
    std::vector<std::array<int, 3>> planes;
  };

  void refit(const PaddedField& x, Memory& memory) const;
  std::optional<Contact> nearest(int vertex, int part, const Obstacle& obstacle,
                                 const std::vector<PlaneSide>& sides, const geometry::BoxTree& tree,
                                 const PaddedField& x, double reach) const;
  /// Of a triangle mesh, with the sign of the side on which the vertex is.
  std::optional<Contact> nearest_triangle(const ContactPair& start, const Obstacle& obstacle,
                                          const geometry::BoxTree& tree, const PaddedField& x,
                                          double reach) const;

  const ContactSurface& surface_;
  std::vector<Obstacle> obstacles_;
};

}  // namespace sinew::physics
