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

bool contains(const Box& box, const Vec3& point) {
  return (point.array() >= box.low.array()).all() && (point.array() <= box.high.array()).all();
}

/// Features of one part: they follow each other.
template <std::size_t N>
std::pair<std::size_t, std::size_t> range_of(const ContactFeatures::Of<N>& features, int part) {
  const auto [begin, end] = std::equal_range(features.parts.begin(), features.parts.end(), part);
  return {static_cast<std::size_t>(begin - features.parts.begin()),
          static_cast<std::size_t>(end - features.parts.begin())};
}

template <std::size_t N>
void refit_tree(const ContactFeatures::Of<N>& features, int part, const std::vector<Box>& room,
                double margin, BoxTree& tree) {
  const auto [begin, end] = range_of(features, part);
  if (begin == end) return;
  std::vector<Box> boxes;
  boxes.reserve(end - begin);
  for (std::size_t k = begin; k < end; ++k) {
    Box box = room[static_cast<std::size_t>(features.vertices[k][0])];
    for (std::size_t i = 1; i < N; ++i)
      box.extend(room[static_cast<std::size_t>(features.vertices[k][i])]);
    boxes.push_back(box.grown(margin));
  }
  if (tree.size() == 0)
    tree = BoxTree(boxes);
  else
    tree.refit(boxes);
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

template <std::size_t N, std::size_t M>
bool share_vertex(const std::array<int, N>& a, const std::array<int, M>& b) {
  for (const int vertex : a)
    if (std::find(b.begin(), b.end(), vertex) != b.end()) return true;
  return false;
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

ContactSearch::ContactSearch(const ContactSurface& surface, double reach, Obstacles obstacles)
    : surface_(surface), reach_(reach) {
  if (obstacles == Obstacles::by_sides) sides_.emplace(surface);
}

Vec3 ContactSearch::mean_of_part(int part, const PaddedField& x) const {
  const auto& points = surface_.bodies().points;
  const auto [begin, end] = range_of(points, part);
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = begin; k < end; ++k) sum += x.vector(points.vertices[k][0]);
  return begin < end ? Vec3(sum / static_cast<double>(end - begin)) : sum;
}

bool ContactSearch::has_room(const PaddedField& x, const Memory& memory) const {
  for (const ContactFeatures* features : {&surface_.bodies(), &surface_.obstacles()})
    for (const auto& [vertex] : features->points.vertices)
      if (!contains(memory.room[static_cast<std::size_t>(vertex)], x.vector(vertex))) return false;
  return true;
}

bool ContactSearch::has_own_room(int part, const PaddedField& x, const Memory& memory) const {
  const auto& points = surface_.bodies().points;
  const auto [begin, end] = range_of(points, part);
  const Vec3 shift = mean_of_part(part, x) - memory.own[static_cast<std::size_t>(part)].mean;
  for (std::size_t k = begin; k < end; ++k) {
    const int vertex = points.vertices[k][0];
    if (!contains(memory.own_room[static_cast<std::size_t>(vertex)], x.vector(vertex) - shift))
      return false;
  }
  return true;
}

void ContactSearch::refit(int part, const std::vector<Box>& room, PartTrees& trees) const {
  const ContactFeatures& features = features_of(part);
  const double margin = 0.5 * reach_ + surface_.radius(part);
  refit_tree(features.points, part, room, margin, trees.points);
  refit_tree(features.lone, part, room, margin, trees.lone);
  refit_tree(features.edges, part, room, margin, trees.edges);
  refit_tree(features.bars, part, room, margin, trees.bars);
  refit_tree(features.triangles, part, room, margin, trees.triangles);
}

/// Where a vertex comes along, and some room.
Box ContactSearch::room_on(const Vec3& from, const Vec3& to) const {
  Box box{from, from};
  box.extend(to);
  return box.grown(0.5 * room_share * reach_);
}

bool ContactSearch::find_own(int part, const PaddedField& from, const PaddedField& to,
                             const core::Executor& executor, Memory& memory) const {
  Memory::Own& own = memory.own[static_cast<std::size_t>(part)];
  if (own.is_known && has_own_room(part, from, memory) &&
      (&from == &to || has_own_room(part, to, memory)))
    return false;
  own.is_known = true;
  own.mean = mean_of_part(part, from);
  const Vec3 shift = mean_of_part(part, to) - own.mean;
  const auto& points = surface_.bodies().points;
  const auto [begin, end] = range_of(points, part);
  for (std::size_t k = begin; k < end; ++k) {
    const int vertex = points.vertices[k][0];
    memory.own_room[static_cast<std::size_t>(vertex)] =
        room_on(from.vector(vertex), to.vector(vertex) - shift);
  }
  refit(part, memory.own_room, own.trees);
  own.pairs.clear();
  add_pairs(part, own.trees, part, own.trees, executor, own.pairs);
  return true;
}

void ContactSearch::find_others(const PaddedField& from, const PaddedField& to,
                                const core::Executor& executor, Memory& memory) const {
  for (const ContactFeatures* features : {&surface_.bodies(), &surface_.obstacles()})
    for (const auto& [vertex] : features->points.vertices)
      memory.room[static_cast<std::size_t>(vertex)] =
          room_on(from.vector(vertex), to.vector(vertex));
  executor.for_each(num_parts(), [&](int part) {
    refit(part, memory.room, memory.trees[static_cast<std::size_t>(part)]);
  });
  std::vector<std::array<int, 2>> near;
  for (int a = 0; a < num_parts(); ++a)
    for (int b = a + 1; b < num_parts(); ++b) {
      const PartTrees &of_a = memory.trees[static_cast<std::size_t>(a)],
                      &of_b = memory.trees[static_cast<std::size_t>(b)];
      // obstacles come after bodies
      const bool has_sides = sides_ && surface_.parts()[static_cast<std::size_t>(b)].is_obstacle;
      if (surface_.meet(a, b) && !has_sides && of_a.points.bounds().overlaps(of_b.points.bounds()))
        near.push_back({a, b});
    }
  std::vector<std::vector<ContactPair>> found(near.size());
  for_each_side_by_side(near.size(), executor, [&](std::size_t k, const core::Executor& inner) {
    const auto& [a, b] = near[k];
    add_pairs(a, memory.trees[static_cast<std::size_t>(a)], b,
              memory.trees[static_cast<std::size_t>(b)], inner, found[k]);
  });
  memory.others.clear();
  for (const auto& list : found)
    memory.others.insert(memory.others.end(), list.begin(), list.end());
}

void ContactSearch::find_near(const PaddedField& from, const PaddedField& to,
                              const core::Executor& executor, Memory& memory) const {
  if (sides_ && !surface_.bodies_meet()) return;
  const bool is_first = memory.room.empty();
  if (is_first) {
    memory.room.resize(static_cast<std::size_t>(from.num_vertices()));
    memory.own_room.resize(memory.room.size());
    memory.own.resize(static_cast<std::size_t>(num_parts()));
    memory.trees.resize(memory.own.size());
  }
  std::vector<int> folding;  // parts that may touch themselves
  for (int part = 0; part < num_parts(); ++part)
    if (surface_.meet(part, part)) folding.push_back(part);
  std::vector<char> is_new(folding.size() + 1, 0);
  for_each_side_by_side(folding.size(), executor, [&](std::size_t k, const core::Executor& inner) {
    is_new[k] = find_own(folding[k], from, to, inner, memory) ? 1 : 0;
  });
  if (is_first || !has_room(from, memory) || (&from != &to && !has_room(to, memory))) {
    find_others(from, to, executor, memory);
    is_new.back() = 1;
  }
  if (std::find(is_new.begin(), is_new.end(), 1) == is_new.end()) return;
  memory.contacts_at = PaddedField();
  memory.pairs = memory.others;
  for (const Memory::Own& own : memory.own)
    memory.pairs.insert(memory.pairs.end(), own.pairs.begin(), own.pairs.end());
  std::sort(memory.pairs.begin(), memory.pairs.end());
}

void ContactSearch::add_pairs(int part_a, const PartTrees& of_a, int part_b, const PartTrees& of_b,
                              const core::Executor& executor,
                              std::vector<ContactPair>& pairs) const {
  const ContactFeatures &a = features_of(part_a), &b = features_of(part_b);
  const auto look = [&](Feature feature, const auto& first, const BoxTree& first_tree,
                        int first_part, const auto& second, const BoxTree& second_tree,
                        int second_part) {
    add_pairs(feature, first, first_tree, first_part, second, second_tree, second_part, executor,
              pairs);
  };
  using enum Feature;
  look(point_point, a.lone, of_a.lone, part_a, b.lone, of_b.lone, part_b);
  look(point_edge, a.points, of_a.points, part_a, b.bars, of_b.bars, part_b);
  look(point_triangle, a.points, of_a.points, part_a, b.triangles, of_b.triangles, part_b);
  look(edge_edge, a.edges, of_a.edges, part_a, b.edges, of_b.edges, part_b);
  if (part_a == part_b) return;
  look(point_edge, b.points, of_b.points, part_b, a.bars, of_a.bars, part_a);
  look(point_triangle, b.points, of_b.points, part_b, a.triangles, of_a.triangles, part_a);
}

template <std::size_t N, std::size_t M>
void ContactSearch::add_pairs(Feature feature, const ContactFeatures::Of<N>& a,
                              const BoxTree& tree_a, int part_a, const ContactFeatures::Of<M>& b,
                              const BoxTree& tree_b, int part_b, const core::Executor& executor,
                              std::vector<ContactPair>& pairs) const {
  if (tree_a.size() == 0 || tree_b.size() == 0) return;
  const Numbering& numbering = surface_.numbering();
  const std::size_t first_a = range_of(a, part_a).first, first_b = range_of(b, part_b).first;
  const auto is_wanted = [&](int i, int j) {
    const auto& of_a = a.vertices[first_a + static_cast<std::size_t>(i)];
    const auto& of_b = b.vertices[first_b + static_cast<std::size_t>(j)];
    const auto is_free = [&](int vertex) { return numbering.is_free(vertex); };
    return !share_vertex(of_a, of_b) && (std::any_of(of_a.begin(), of_a.end(), is_free) ||
                                         std::any_of(of_b.begin(), of_b.end(), is_free));
  };
  const std::vector<std::array<int, 2>> found =
      &tree_a == &tree_b ? geometry::overlapping_pairs(tree_a, executor, is_wanted)
                         : geometry::overlapping_pairs(tree_a, tree_b, executor, is_wanted);
  for (const auto& [i, j] : found) {
    const auto& of_a = a.vertices[first_a + static_cast<std::size_t>(i)];
    const auto& of_b = b.vertices[first_b + static_cast<std::size_t>(j)];
    ContactPair pair{.feature = feature, .parts = {part_a, part_b}};
    pair.thickness = surface_.radius(part_a) + surface_.radius(part_b);
    pair.vertices.fill(of_b.back());
    std::copy(of_a.begin(), of_a.end(), pair.vertices.begin());
    std::copy(of_b.begin(), of_b.end(), pair.vertices.begin() + N);
    pairs.push_back(pair);
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
    const double part = geometry::free_part(pair.feature, corners_of(pair, from),
                                            corners_of(pair, to), pair.thickness, kept_gap);
    // what overlaps at rest never meets
    return part < 1.0 && !(distance(pair) > 0.0) ? 1.0 : part;
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
