// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <sinew/physics/contact/self_search.hpp>

namespace sinew::physics {
namespace {

using geometry::Box;

// Clusters that one thread looks at without asking for more.
constexpr Index moves_per_piece = 256;

/// How a cluster goes from where it is.
struct Move {
  Box start;
  Vec3 mean = Vec3::Zero();
  double spread = 0.0;  ///< largest distance of a vertex's move from the mean [m]

  Move() = default;
  Move(const ClusteredPart& part, int cluster, const PaddedField& from, const PaddedField& to) {
    const auto members = part.members().of(cluster);
    const auto way = [&](int own) -> Vec3 { return to.vector(own) - from.vector(own); };
    for (const auto& [own] : members) {
      start.extend(Vec3(from.vector(own)));
      mean += way(own) / static_cast<double>(members.size());
    }
    for (const auto& [own] : members) spread = std::max(spread, (way(own) - mean).squaredNorm());
    spread = std::sqrt(spread);
  }

  /// Whether two stay further apart than this.
  bool is_apart(const Move& other, double distance) const {
    const double nearer = (mean - other.mean).norm() + spread + other.spread;
    return !start.grown(distance + nearer).overlaps(other.start);
  }
};

}  // namespace

PaddedField SelfSearch::shape_at(const PaddedField& x) const {
  PaddedField shape = clusters_.of_part(x);
  PaddedField::Padded mean = PaddedField::Padded::Zero();
  for (int own = 0; own < shape.num_vertices(); ++own) mean += shape.padded(own);
  mean /= static_cast<double>(shape.num_vertices());
  for (int own = 0; own < shape.num_vertices(); ++own) shape.padded(own) -= mean;
  return shape;
}

bool SelfSearch::is_known(const PaddedField& shape, const Memory& memory) const {
  const auto is_near = [&](const PaddedField& other) {
    if (other.num_vertices() == 0) return false;
    for (int own = 0; own < shape.num_vertices(); ++own)
      if (!((shape.padded(own) - other.padded(own)).squaredNorm() <= room_ * room_)) return false;
    return true;
  };
  return is_near(memory.to) || is_near(memory.from);
}

bool SelfSearch::find(const PaddedField& from, const PaddedField& to,
                      const core::Executor& executor, Memory& memory) const {
  // what lies between two shapes that are near the ends of a way is as near to the way
  PaddedField shape_from = shape_at(from);
  PaddedField shape_to = &from == &to ? shape_from : shape_at(to);
  if (is_known(shape_from, memory) && (&from == &to || is_known(shape_to, memory))) return false;

  if (shape_from == memory.to)
    std::swap(memory.fits_from, memory.fits_to);
  else
    shapes_.fit(shape_from, executor, memory.fits_from);
  if (&from == &to)
    memory.fits_to = memory.fits_from;
  else
    shapes_.fit(shape_to, executor, memory.fits_to);
  memory.from = std::move(shape_from);
  memory.to = std::move(shape_to);

  std::vector<Box> room;
  room.reserve(clusters_.vertices().size());
  for (int own = 0; own < memory.from.num_vertices(); ++own) {
    Box box{memory.from.vector(own), memory.from.vector(own)};
    box.extend(Vec3(memory.to.vector(own)));
    room.push_back(box.grown(room_));
  }
  const PartRoom at{part_, clusters_, room, 0.5 * reach_ + surface_.radius(part_)};
  fit_tree(at, memory.tree);
  const auto count = static_cast<std::size_t>(clusters_.num_clusters());
  std::vector<char> is_open(count);
  std::vector<Move> moves(count);
  executor.for_ranges(std::ssize(is_open), moves_per_piece, [&](Index begin, Index end) {
    for (auto c = static_cast<std::size_t>(begin); c < static_cast<std::size_t>(end); ++c) {
      const int cluster = static_cast<int>(c);
      is_open[c] =
          shapes_.stays_open(cluster, memory.fits_from[c], memory.fits_to[c], reach_, room_) ? 1
                                                                                             : 0;
      moves[c] = Move(clusters_, cluster, memory.from, memory.to);
    }
  });
  std::vector<geometry::IndexPair> near;
  for (int c = 0; c < clusters_.num_clusters(); ++c)
    if (!shapes_.is_open_between(c, c, is_open)) near.push_back({c, c});
  const double distance = 2.0 * (at.margin + room_);
  const auto others = geometry::overlapping_pairs(memory.tree, executor, [&](int a, int b) {
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    return !moves[i].is_apart(moves[j], distance) && !shapes_.is_open_between(a, b, is_open);
  });
  near.insert(near.end(), others.begin(), others.end());
  memory.pairs.clear();
  add_feature_pairs(surface_, at, at, near, executor, memory.pairs);
  return true;
}

}  // namespace sinew::physics
