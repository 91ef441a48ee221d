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
constexpr double room_share = 0.5;
// Part of a gap that is left in any case.
constexpr double kept_gap = 1e-3;
// Pairs, or points beside a plane, that one thread looks at without asking for more.
constexpr Index pairs_per_piece = 512, points_per_piece = 4096;

bool contains(const Box& box, const Vec3& point) {
  return (point.array() >= box.low.array()).all() && (point.array() <= box.high.array()).all();
}

/// work(k, executor for it): many side by side, few one after another with all threads each.
template <class Work>
void for_each_side_by_side(std::size_t count, const core::Executor& executor, const Work& work) {
  constexpr std::size_t many = 4;
  if (count > many)
    executor.for_each(static_cast<int>(count),
                      [&](int k) { work(static_cast<std::size_t>(k), core::serial_executor()); });
  else
    for (std::size_t k = 0; k < count; ++k) work(k, executor);
}

/// Whether the boxes around two features say that they are further apart than this all the way.
bool are_apart(const ContactPair& pair, const PaddedField& from, const PaddedField& to,
               double distance) {
  const int first = pair.feature == Feature::edge_edge ? 2 : 1;
  Box a, b;
  for (int k = 0; k < 4; ++k) {
    const int vertex = pair.vertices[static_cast<std::size_t>(k)];
    Box& box = k < first ? a : b;
    box.extend(Vec3(from.vector(vertex)));
    if (&to != &from) box.extend(Vec3(to.vector(vertex)));
  }
  return !a.grown(distance).overlaps(b);
}

}  // namespace

ContactSearch::ContactSearch(std::shared_ptr<const ContactSurface> surface, double reach,
                             Obstacles obstacles)
    : held_(std::move(surface)), surface_(*held_), reach_(reach) {
  if (obstacles == Obstacles::by_sides) sides_.emplace(surface_);
  clusters_.reserve(surface_.parts().size());
  for (int part = 0; part < num_parts(); ++part) {
    clusters_.emplace_back(surface_, part);
    self_.emplace_back();
    if (surface_.meet(part, part) && clusters(part).num_clusters() > 0)
      self_.back().emplace(surface_, part, clusters(part), reach_, room_share * reach_);
  }
}

Box ContactSearch::bounds(int part, const PaddedField& from, const PaddedField& to) const {
  Box box;
  for (const int vertex : clusters(part).vertices()) {
    box.extend(Vec3(from.vector(vertex)));
    if (&from != &to) box.extend(Vec3(to.vector(vertex)));
  }
  return box;
}

bool ContactSearch::has_room(int part, const PaddedField& x, const Memory& memory) const {
  const std::vector<int>& vertices = clusters(part).vertices();
  const std::vector<Box>& room = memory.outside[static_cast<std::size_t>(part)].room;
  for (std::size_t k = 0; k < vertices.size(); ++k)
    if (!contains(room[k], x.vector(vertices[k]))) return false;
  return true;
}

std::vector<std::array<int, 2>> ContactSearch::near_parts(const PaddedField& from,
                                                          const PaddedField& to,
                                                          double room) const {
  std::vector<Box> around;
  around.reserve(surface_.parts().size());
  for (int part = 0; part < num_parts(); ++part)
    around.push_back(bounds(part, from, to).grown(margin(part) + room));
  std::vector<std::array<int, 2>> near;
  for (int a = 0; a < num_parts(); ++a)
    for (int b = a + 1; b < num_parts(); ++b) {
      // obstacles come after bodies
      const bool has_sides = sides_ && surface_.parts()[static_cast<std::size_t>(b)].is_obstacle;
      if (surface_.meet(a, b) && !has_sides &&
          around[static_cast<std::size_t>(a)].overlaps(around[static_cast<std::size_t>(b)]))
        near.push_back({a, b});
    }
  return near;
}

bool ContactSearch::find_others(const PaddedField& from, const PaddedField& to,
                                const core::Executor& executor, Memory& memory) const {
  std::vector<char> is_near(surface_.parts().size(), 0);
  const std::vector<std::array<int, 2>> now = near_parts(from, to, 0.0);
  for (const auto& parts : now)
    for (const int part : parts) is_near[static_cast<std::size_t>(part)] = 1;
  bool is_known = std::includes(memory.near.begin(), memory.near.end(), now.begin(), now.end());
  for (int part = 0; part < num_parts() && is_known; ++part)
    is_known = !is_near[static_cast<std::size_t>(part)] ||
               (has_room(part, from, memory) && (&from == &to || has_room(part, to, memory)));
  if (is_known) return false;

  const double room = room_share * reach_;
  memory.near = near_parts(from, to, room);
  for (const auto& parts : memory.near)
    for (const int part : parts) is_near[static_cast<std::size_t>(part)] = 1;
  executor.for_each(num_parts(), [&](int part) {
    if (!is_near[static_cast<std::size_t>(part)]) return;
    Memory::Outside& own = memory.outside[static_cast<std::size_t>(part)];
    own.room.clear();
    for (const int vertex : clusters(part).vertices()) {
      Box box{from.vector(vertex), from.vector(vertex)};
      box.extend(Vec3(to.vector(vertex)));
      own.room.push_back(box.grown(room));
    }
    fit_tree(outside(part, memory), own.tree);
  });
  std::vector<std::vector<ContactPair>> found(memory.near.size());
  for_each_side_by_side(found.size(), executor, [&](std::size_t k, const core::Executor& inner) {
    const auto& [a, b] = memory.near[k];
    const auto pairs =
        geometry::overlapping_pairs(memory.outside[static_cast<std::size_t>(a)].tree,
                                    memory.outside[static_cast<std::size_t>(b)].tree, inner);
    add_feature_pairs(surface_, outside(a, memory), outside(b, memory), pairs, inner, found[k]);
  });
  memory.others.clear();
  for (const auto& list : found)
    memory.others.insert(memory.others.end(), list.begin(), list.end());
  return true;
}

void ContactSearch::find_near(const PaddedField& from, const PaddedField& to,
                              const core::Executor& executor, Memory& memory) const {
  if (sides_ && !surface_.bodies_meet()) return;
  memory.own.resize(surface_.parts().size());
  memory.outside.resize(surface_.parts().size());
  std::vector<std::size_t> folding;  // parts that may touch themselves
  for (std::size_t part = 0; part < self_.size(); ++part)
    if (self_[part]) folding.push_back(part);
  std::vector<char> is_new(folding.size(), 0);
  for_each_side_by_side(folding.size(), executor, [&](std::size_t k, const core::Executor& inner) {
    const std::size_t part = folding[k];
    is_new[k] = self_[part]->find(from, to, inner, memory.own[part]) ? 1 : 0;
  });
  const bool are_others_new = find_others(from, to, executor, memory);
  if (!are_others_new && std::find(is_new.begin(), is_new.end(), 1) == is_new.end()) return;
  memory.contacts_at = PaddedField();
  memory.pairs = memory.others;
  for (const SelfSearch::Memory& own : memory.own)
    memory.pairs.insert(memory.pairs.end(), own.pairs.begin(), own.pairs.end());
  std::sort(memory.pairs.begin(), memory.pairs.end());
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
      if (const ContactPair& pair = memory.pairs[static_cast<std::size_t>(k)];
          !are_apart(pair, x, x, reach_ + pair.thickness) && is_contact(pair, x, contact))
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
    const geometry::Corners start = corners_of(pair, from), end = corners_of(pair, to);
    const double part = geometry::free_part(pair.feature, start, end, pair.thickness, kept_gap);
    if (part == 1.0 || pair.parts[0] != pair.parts[1]) return part;
    const double begin = distance(pair);
    if (!(begin > 0.0)) return 1.0;  // what overlaps at rest never meets
    // a pair that stays where no force acts may be missing from the list: it must not count
    return geometry::free_part(pair.feature, start, end, pair.thickness, kept_gap, 0.1 * begin);
  };
  std::vector<double> least((memory.pairs.size() + pairs_per_piece - 1) / pairs_per_piece, 1.0);
  executor.for_ranges(std::ssize(memory.pairs), pairs_per_piece, [&](Index begin, Index end) {
    double& own = least[static_cast<std::size_t>(begin / pairs_per_piece)];
    for (Index k = begin; k < end; ++k)
      if (const ContactPair& pair = memory.pairs[static_cast<std::size_t>(k)];
          !are_apart(pair, from, to, reach_ + pair.thickness))
        own = std::min(own, free_part_of(pair));
  });
  double part = 1.0;
  for (const double one : least) part = std::min(part, one);
  return std::min(part, free_part_of_planes(from, to, executor, free_part_of));
}

}  // namespace sinew::physics
