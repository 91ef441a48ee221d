// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <sinew/geometry/continuous_collision.hpp>
#include <sinew/physics/contact/contact_search.hpp>
#include <sinew/physics/contact/plane_side.hpp>

namespace sinew::physics {
namespace {

using geometry::Box;
using geometry::BoxTree;
using geometry::Feature;

// How far vertices may go beyond the ways that were searched, of the reach: more room makes a list
// last longer and longer itself.
constexpr double room_share = 1.0;
// Part of a gap that is left in any case.
constexpr double kept_gap = 1e-3;
// Pairs, or points beside a plane, that one thread looks at without asking for more.
constexpr Index pairs_per_piece = 512, points_per_piece = 4096;

// The trees over features, by their place in Memory::trees.
enum Tree : std::size_t {
  body_points,
  body_lone,
  body_edges,
  body_bars,
  body_triangles,
  obstacle_points,
  obstacle_lone,
  obstacle_edges,
  obstacle_bars,
  obstacle_triangles,
  num_trees
};

bool contains(const Box& box, const Vec3& point) {
  return (point.array() >= box.low.array()).all() && (point.array() <= box.high.array()).all();
}

template <std::size_t N>
std::vector<Box> boxes_of(const ContactFeatures::Of<N>& features, const std::vector<Box>& room,
                          const ContactSurface& surface, double half_reach) {
  std::vector<Box> boxes;
  boxes.reserve(features.size());
  for (std::size_t k = 0; k < features.size(); ++k) {
    Box box = room[static_cast<std::size_t>(features.vertices[k][0])];
    for (std::size_t i = 1; i < N; ++i)
      box.extend(room[static_cast<std::size_t>(features.vertices[k][i])]);
    boxes.push_back(box.grown(half_reach + surface.radius(features.parts[k])));
  }
  return boxes;
}

template <std::size_t N, std::size_t M>
bool share_vertex(const std::array<int, N>& a, const std::array<int, M>& b) {
  for (const int vertex : a)
    if (std::find(b.begin(), b.end(), vertex) != b.end()) return true;
  return false;
}

}  // namespace

ContactSearch::ContactSearch(const ContactSurface& surface, double reach, Obstacles obstacles)
    : surface_(surface), reach_(reach) {
  if (obstacles == Obstacles::by_sides) sides_.emplace(surface);
}

bool ContactSearch::has_room(const PaddedField& x, const Memory& memory) const {
  for (const ContactFeatures* features : {&surface_.bodies(), &surface_.obstacles()})
    for (const auto& [vertex] : features->points.vertices)
      if (!contains(memory.room[static_cast<std::size_t>(vertex)], x.vector(vertex))) return false;
  return true;
}

void ContactSearch::find_near(const PaddedField& from, const PaddedField& to,
                              const core::Executor& executor, Memory& memory) const {
  if (sides_ && !surface_.bodies_meet()) return;
  if (!memory.room.empty() && has_room(from, memory) && (&from == &to || has_room(to, memory)))
    return;
  const double room = 0.5 * room_share * reach_;
  memory.room.resize(static_cast<std::size_t>(from.num_vertices()));
  for (int vertex = 0; vertex < from.num_vertices(); ++vertex) {
    Box way{from.vector(vertex), from.vector(vertex)};
    way.extend(to.vector(vertex));
    memory.room[static_cast<std::size_t>(vertex)] = way.grown(room);
  }
  refit_trees(executor, memory);
  memory.pairs.clear();
  memory.contacts_at = PaddedField();
  const ContactFeatures &bodies = surface_.bodies(), &obstacles = surface_.obstacles();
  const auto look = [&](Feature feature, const auto& a, Tree tree_a, const auto& b, Tree tree_b) {
    add_pairs(feature, a, tree_a, b, tree_b, executor, memory);
  };
  using enum Feature;
  if (!sides_) {
    look(point_point, bodies.lone, body_lone, obstacles.lone, obstacle_lone);
    look(point_edge, bodies.points, body_points, obstacles.bars, obstacle_bars);
    look(point_edge, obstacles.points, obstacle_points, bodies.bars, body_bars);
    look(point_triangle, bodies.points, body_points, obstacles.triangles, obstacle_triangles);
    look(point_triangle, obstacles.points, obstacle_points, bodies.triangles, body_triangles);
    look(edge_edge, bodies.edges, body_edges, obstacles.edges, obstacle_edges);
  }
  if (surface_.bodies_meet()) {
    look(point_point, bodies.lone, body_lone, bodies.lone, body_lone);
    look(point_edge, bodies.points, body_points, bodies.bars, body_bars);
    look(point_triangle, bodies.points, body_points, bodies.triangles, body_triangles);
    look(edge_edge, bodies.edges, body_edges, bodies.edges, body_edges);
  }
  std::sort(memory.pairs.begin(), memory.pairs.end());
}

void ContactSearch::refit_trees(const core::Executor& executor, Memory& memory) const {
  const bool is_first = memory.trees.empty();
  if (is_first) memory.trees.resize(num_trees);
  const auto refit = [&](Tree tree, const auto& features) {
    const std::vector<Box> boxes = boxes_of(features, memory.room, surface_, 0.5 * reach_);
    if (is_first)
      memory.trees[tree] = BoxTree(boxes);
    else
      memory.trees[tree].refit(boxes, executor);
  };
  const ContactFeatures &bodies = surface_.bodies(), &obstacles = surface_.obstacles();
  refit(body_points, bodies.points);
  refit(body_lone, bodies.lone);
  refit(body_edges, bodies.edges);
  refit(body_bars, bodies.bars);
  refit(body_triangles, bodies.triangles);
  refit(obstacle_points, obstacles.points);
  refit(obstacle_lone, obstacles.lone);
  refit(obstacle_edges, obstacles.edges);
  refit(obstacle_bars, obstacles.bars);
  refit(obstacle_triangles, obstacles.triangles);
}

template <std::size_t N, std::size_t M>
void ContactSearch::add_pairs(Feature feature, const ContactFeatures::Of<N>& a, std::size_t tree_a,
                              const ContactFeatures::Of<M>& b, std::size_t tree_b,
                              const core::Executor& executor, Memory& memory) const {
  const Numbering& numbering = surface_.numbering();
  const auto is_wanted = [&](int i, int j) {
    const auto& of_a = a.vertices[static_cast<std::size_t>(i)];
    const auto& of_b = b.vertices[static_cast<std::size_t>(j)];
    if (!surface_.meet(a.parts[static_cast<std::size_t>(i)], b.parts[static_cast<std::size_t>(j)]))
      return false;
    const auto is_free = [&](int vertex) { return numbering.is_free(vertex); };
    return !share_vertex(of_a, of_b) && (std::any_of(of_a.begin(), of_a.end(), is_free) ||
                                         std::any_of(of_b.begin(), of_b.end(), is_free));
  };
  const std::vector<std::array<int, 2>> found =
      tree_a == tree_b ? geometry::overlapping_pairs(memory.trees[tree_a], executor, is_wanted)
                       : geometry::overlapping_pairs(memory.trees[tree_a], memory.trees[tree_b],
                                                     executor, is_wanted);
  for (const auto& [i, j] : found) {
    const auto& of_a = a.vertices[static_cast<std::size_t>(i)];
    const auto& of_b = b.vertices[static_cast<std::size_t>(j)];
    ContactPair pair{
        .feature = feature,
        .parts = {a.parts[static_cast<std::size_t>(i)], b.parts[static_cast<std::size_t>(j)]}};
    pair.thickness = surface_.radius(pair.parts[0]) + surface_.radius(pair.parts[1]);
    pair.vertices.fill(of_b.back());
    std::copy(of_a.begin(), of_a.end(), pair.vertices.begin());
    std::copy(of_b.begin(), of_b.end(), pair.vertices.begin() + N);
    memory.pairs.push_back(pair);
  }
}

std::size_t ContactSearch::num_plane_pieces() const {
  return surface_.obstacles().planes.size() *
         (surface_.bodies().points.size() / std::size_t(points_per_piece) + 1);
}

template <class IsAway, class Use>
void ContactSearch::for_each_plane(const core::Executor& executor, const IsAway& is_away,
                                   const Use& use) const {
  const auto& planes = surface_.obstacles().planes;
  const auto& points = surface_.bodies().points;
  const std::size_t pieces_per_plane = points.size() / std::size_t(points_per_piece) + 1;
  for (std::size_t p = 0; p < planes.size(); ++p)
    executor.for_ranges(std::ssize(points.vertices), points_per_piece, [&](Index begin, Index end) {
      const std::size_t piece = p * pieces_per_plane + std::size_t(begin / points_per_piece);
      for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
        const int vertex = points.vertices[k][0];
        const double radius = surface_.radius(points.parts[k]);
        if (!surface_.numbering().is_free(vertex) ||
            !surface_.meet(points.parts[k], planes.parts[p]) || is_away(p, vertex, radius))
          continue;
        const auto& [a, b, c] = planes.vertices[p];
        use(ContactPair{.feature = Feature::point_plane,
                        .vertices = {vertex, a, b, c},
                        .parts = {points.parts[k], planes.parts[p]},
                        .thickness = radius},
            piece);
      }
    });
}

double ContactSearch::distance(const ContactPair& pair) const {
  if (pair.parts[0] != pair.parts[1]) return reach_;
  geometry::Corners rest;
  for (int k = 0; k < 4; ++k)
    rest.col(k) = surface_.numbering().rest(pair.vertices[static_cast<std::size_t>(k)]);
  const double gap = geometry::closest(pair.feature, rest).distance - pair.thickness;
  return std::min(reach_, 0.5 * gap);
}

bool ContactSearch::is_contact(const ContactPair& pair, const PaddedField& x,
                               Contact& contact) const {
  contact.closest = geometry::closest(pair.feature, corners_of(pair, x));
  contact.gap = contact.closest.distance - pair.thickness;
  if (!(contact.gap < reach_)) return false;
  contact.pair = pair;
  contact.distance = distance(pair);
  return contact.gap < contact.distance;
}

const std::vector<Contact>& ContactSearch::contacts(const PaddedField& x,
                                                    const core::Executor& executor,
                                                    Memory& memory) const {
  if (memory.contacts_at == x) return memory.contacts;
  find_near(x, x, executor, memory);
  const auto num_pieces = (memory.pairs.size() + pairs_per_piece - 1) / pairs_per_piece;
  std::vector<std::vector<Contact>> found(num_pieces);
  executor.for_ranges(std::ssize(memory.pairs), pairs_per_piece, [&](Index begin, Index end) {
    Contact contact;
    for (Index k = begin; k < end; ++k)
      if (is_contact(memory.pairs[static_cast<std::size_t>(k)], x, contact))
        found[static_cast<std::size_t>(begin / pairs_per_piece)].push_back(contact);
  });
  memory.contacts.clear();
  for (const auto& part : found)
    memory.contacts.insert(memory.contacts.end(), part.begin(), part.end());
  if (sides_)
    sides_->add_contacts(x, reach_, executor, memory.sides, memory.contacts);
  else
    add_plane_contacts(x, executor, memory.contacts);
  memory.contacts_at = x;
  return memory.contacts;
}

void ContactSearch::add_plane_contacts(const PaddedField& x, const core::Executor& executor,
                                       std::vector<Contact>& contacts) const {
  std::vector<PlaneSide> sides;
  for (const auto& plane : surface_.obstacles().planes.vertices) sides.emplace_back(plane, x);
  std::vector<std::vector<Contact>> found(num_plane_pieces());
  for_each_plane(
      executor,
      [&](std::size_t p, int vertex, double radius) {
        return sides[p].is_beyond(x.vector(vertex), reach_ + radius);
      },
      [&](const ContactPair& pair, std::size_t piece) {
        Contact contact;
        if (is_contact(pair, x, contact)) found[piece].push_back(contact);
      });
  for (const auto& part : found) contacts.insert(contacts.end(), part.begin(), part.end());
}

double ContactSearch::free_part_of_planes(const PaddedField& from, const PaddedField& to,
                                          const core::Executor& executor,
                                          const PairPart& free_part_of) const {
  // a point that begins and ends far from a plane at rest was far from it all the way
  std::vector<std::optional<PlaneSide>> at_rest;
  for (const auto& plane : surface_.obstacles().planes.vertices) {
    const bool rests = std::all_of(plane.begin(), plane.end(), [&](int vertex) {
      return from.vector(vertex) == to.vector(vertex);
    });
    at_rest.push_back(rests ? std::optional(PlaneSide(plane, from)) : std::nullopt);
  }
  std::vector<double> least(num_plane_pieces(), 1.0);
  for_each_plane(
      executor,
      [&](std::size_t p, int vertex, double radius) {
        return at_rest[p] && at_rest[p]->is_beyond(from.vector(vertex), reach_ + radius) &&
               at_rest[p]->is_beyond(to.vector(vertex), reach_ + radius);
      },
      [&](const ContactPair& pair, std::size_t piece) {
        least[piece] = std::min(least[piece], free_part_of(pair));
      });
  double part = 1.0;
  for (const double one : least) part = std::min(part, one);
  return part;
}

double ContactSearch::free_part(const PaddedField& from, const PaddedField& to,
                                const core::Executor& executor, Memory& memory) const {
  find_near(from, to, executor, memory);
  const PairPart free_part_of = [&](const ContactPair& pair) {
    const double part = geometry::free_part(pair.feature, corners_of(pair, from),
                                            corners_of(pair, to), pair.thickness, kept_gap);
    // what overlaps at rest never meets
    return part < 1.0 && !(distance(pair) > 0.0) ? 1.0 : part;
  };
  std::vector<double> least((memory.pairs.size() + pairs_per_piece - 1) / pairs_per_piece, 1.0);
  executor.for_ranges(std::ssize(memory.pairs), pairs_per_piece, [&](Index begin, Index end) {
    double& own = least[static_cast<std::size_t>(begin / pairs_per_piece)];
    for (Index k = begin; k < end; ++k)
      own = std::min(own, free_part_of(memory.pairs[static_cast<std::size_t>(k)]));
  });
  double part = 1.0;
  for (const double one : least) part = std::min(part, one);
  return std::min(part, free_part_of_planes(from, to, executor, free_part_of));
}

}  // namespace sinew::physics
