// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <sinew/physics/contact/obstacle_distance.hpp>

namespace sinew::physics {
namespace {

using geometry::Feature;

template <std::size_t N>
void gather(const ContactFeatures::Of<N>& features, int part,
            std::vector<std::array<int, N>>& own) {
  for (std::size_t k = 0; k < features.size(); ++k)
    if (features.parts[k] == part) own.push_back(features.vertices[k]);
}

Contact contact_of(const ContactPair& pair, const PaddedField& x) {
  Contact contact{.pair = pair, .closest = geometry::closest(pair.feature, corners_of(pair, x))};
  contact.gap = contact.closest.distance - pair.thickness;
  return contact;
}

void take_nearer(const Contact& other, std::optional<Contact>& best) {
  if (!best || other.gap < best->gap) best = other;
}

}  // namespace

ObstacleDistance::ObstacleDistance(const ContactSurface& surface) : surface_(surface) {
  const ContactFeatures& features = surface.obstacles();
  for (int part = 0; part < static_cast<int>(surface.parts().size()); ++part) {
    if (!surface.parts()[static_cast<std::size_t>(part)].is_obstacle) continue;
    Obstacle obstacle{.part = part};
    gather(features.triangles, part, obstacle.triangles);
    gather(features.bars, part, obstacle.bars);
    gather(features.planes, part, obstacle.planes);
    std::vector<std::array<int, 1>> points;
    gather(features.lone, part, points);
    for (const auto& [vertex] : points) obstacle.points.push_back(vertex);
    obstacles_.push_back(std::move(obstacle));
  }
}

void ObstacleDistance::refit(const PaddedField& x, Memory& memory) const {
  std::vector<Vec3> corners;
  for (const Obstacle& obstacle : obstacles_)
    for (const auto& triangle : obstacle.triangles)
      for (const int vertex : triangle) corners.emplace_back(x.vector(vertex));
  const bool is_first = memory.trees.empty();
  if (!is_first && corners == memory.corners_at) return;
  memory.trees.resize(obstacles_.size());
  for (std::size_t k = 0; k < obstacles_.size(); ++k) {
    std::vector<geometry::Box> boxes;
    for (const auto& triangle : obstacles_[k].triangles) {
      geometry::Box box;
      for (const int vertex : triangle) box.extend(Vec3(x.vector(vertex)));
      boxes.push_back(box);
    }
    if (is_first)
      memory.trees[k] = geometry::BoxTree(boxes);
    else
      memory.trees[k].refit(boxes);
  }
  memory.corners_at = std::move(corners);
}

std::optional<Contact> ObstacleDistance::nearest_triangle(const ContactPair& start,
                                                          const Obstacle& obstacle,
                                                          const geometry::BoxTree& tree,
                                                          const PaddedField& x,
                                                          double reach) const {
  const bool is_closed = surface_.parts()[static_cast<std::size_t>(obstacle.part)].is_closed;
  const Vec3 point = x.vector(start.vertices[0]);
  const double bound =
      is_closed ? std::numeric_limits<double>::infinity() : reach + start.thickness;
  if (obstacle.triangles.empty() ||
      !(tree.bounds().grown(reach + start.thickness).squared_distance(point) == 0.0))
    return std::nullopt;
  const auto pair_with = [&](int triangle) {
    ContactPair pair = start;
    pair.feature = Feature::point_triangle;
    const auto& corners = obstacle.triangles[static_cast<std::size_t>(triangle)];
    std::copy(corners.begin(), corners.end(), pair.vertices.begin() + 1);
    return pair;
  };
  const auto found = tree.nearest(point, bound, [&](int triangle) {
    return geometry::closest(Feature::point_triangle, corners_of(pair_with(triangle), x)).distance;
  });
  if (found.primitive < 0) return std::nullopt;
  Contact best = contact_of(pair_with(found.primitive), x);
  if (!is_closed) return best;
  // several triangles are equally near where the shortest way ends at an edge or a corner: the one
  // that faces it most squarely knows the side
  const double tie = found.distance * (1.0 + 1e-9) + 1e-14 * tree.bounds().high.norm();
  double squarest = 0.0, side = 1.0;
  geometry::Box around{point, point};
  tree.query(around.grown(tie), [&](int triangle) {
    const Contact other = contact_of(pair_with(triangle), x);
    if (other.closest.distance > tie) return;
    const geometry::Corners at = corners_of(other.pair, x);
    const Vec3 normal = (at.col(2) - at.col(1)).cross(at.col(3) - at.col(1)).normalized();
    const double cosine = normal.dot(other.closest.normal);
    if (std::abs(cosine) > squarest) {
      squarest = std::abs(cosine);
      side = std::copysign(1.0, cosine);
    }
  });
  if (side < 0.0) {
    best.closest.distance = -best.closest.distance;
    best.closest.normal = -best.closest.normal;
    best.gap = best.closest.distance - best.pair.thickness;
  }
  return best;
}

std::optional<Contact> ObstacleDistance::nearest(int vertex, int part, const Obstacle& obstacle,
                                                 const std::vector<PlaneSide>& sides,
                                                 const geometry::BoxTree& tree,
                                                 const PaddedField& x, double reach) const {
  ContactPair pair{.vertices = {vertex, vertex, vertex, vertex},
                   .parts = {part, obstacle.part},
                   .thickness = surface_.radius(part) + surface_.radius(obstacle.part)};
  std::optional<Contact> best = nearest_triangle(pair, obstacle, tree, x, reach);
  for (std::size_t p = 0; p < sides.size(); ++p) {
    if (sides[p].is_beyond(x.vector(vertex), reach + pair.thickness)) continue;
    const auto& [a, b, c] = obstacle.planes[p];
    pair.feature = Feature::point_plane;
    pair.vertices = {vertex, a, b, c};
    take_nearer(contact_of(pair, x), best);
  }
  for (const auto& [a, b] : obstacle.bars) {
    pair.feature = Feature::point_edge;
    pair.vertices = {vertex, a, b, b};
    take_nearer(contact_of(pair, x), best);
  }
  for (const int point : obstacle.points) {
    pair.feature = Feature::point_point;
    pair.vertices = {vertex, point, point, point};
    take_nearer(contact_of(pair, x), best);
  }
  return best;
}

void ObstacleDistance::add_contacts(const PaddedField& x, double reach,
                                    const core::Executor& executor, Memory& memory,
                                    std::vector<Contact>& contacts) const {
  if (obstacles_.empty()) return;
  refit(x, memory);
  std::vector<std::vector<PlaneSide>> sides(obstacles_.size());
  for (std::size_t k = 0; k < obstacles_.size(); ++k)
    for (const auto& plane : obstacles_[k].planes) sides[k].emplace_back(plane, x);
  constexpr Index vertices_per_piece = 1024;
  const std::vector<int>& vertices = surface_.vertices();
  std::vector<std::vector<Contact>> found(vertices.size() / vertices_per_piece + 1);
  executor.for_ranges(std::ssize(vertices), vertices_per_piece, [&](Index begin, Index end) {
    for (Index v = begin; v < end; ++v) {
      const int vertex = vertices[static_cast<std::size_t>(v)];
      const int part = surface_.part_of(vertex);
      if (!surface_.numbering().is_free(vertex)) continue;
      for (std::size_t k = 0; k < obstacles_.size(); ++k) {
        if (!surface_.meet(part, obstacles_[k].part)) continue;
        std::optional<Contact> contact =
            nearest(vertex, part, obstacles_[k], sides[k], memory.trees[k], x, reach);
        if (!contact || !(contact->gap < reach)) continue;
        contact->distance = reach;
        found[static_cast<std::size_t>(begin / vertices_per_piece)].push_back(*contact);
      }
    }
  });
  for (const auto& piece : found) contacts.insert(contacts.end(), piece.begin(), piece.end());
}

}  // namespace sinew::physics
