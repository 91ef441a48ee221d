// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <sinew/physics/contact/cluster_pairs.hpp>

namespace sinew::physics {
namespace {

using geometry::Box;
using geometry::Feature;

// Pairs of clusters that one thread looks at without asking for more.
constexpr Index clusters_per_piece = 64;

template <std::size_t N>
Box box_of(const std::array<int, N>& feature, const PartRoom& at) {
  Box box = at.room[static_cast<std::size_t>(feature[0])];
  for (std::size_t i = 1; i < N; ++i) box.extend(at.room[static_cast<std::size_t>(feature[i])]);
  return box.grown(at.margin);
}

/// Looks at one pair of clusters after the other.
class PairFinder {
 public:
  PairFinder(const ContactSurface& surface, const PartRoom& a, const PartRoom& b,
             std::vector<ContactPair>& pairs)
      : surface_(surface), a_(a), b_(b), pairs_(pairs) {}

  void look(int i, int j) {
    using enum Feature;
    const ClusteredPart &a = a_.clusters, &b = b_.clusters;
    look(point_point, a.lone().of(i), a_, b.lone().of(j), b_);
    look(edge_edge, a.edges().of(i), a_, b.edges().of(j), b_);
    look(point_edge, a.points().of(i), a_, b.bars().of(j), b_);
    look(point_triangle, a.points().of(i), a_, b.triangles().of(j), b_);
    if (&a == &b && i == j) return;
    look(point_edge, b.points().of(j), b_, a.bars().of(i), a_);
    look(point_triangle, b.points().of(j), b_, a.triangles().of(i), a_);
  }

 private:
  template <std::size_t N, std::size_t M>
  void look(Feature feature, std::span<const std::array<int, N>> first, const PartRoom& of_first,
            std::span<const std::array<int, M>> second, const PartRoom& of_second) {
    if (first.empty() || second.empty()) return;
    boxes_.clear();
    for (const auto& one : second) boxes_.push_back(box_of(one, of_second));
    const bool is_same = static_cast<const void*>(first.data()) == second.data();
    for (std::size_t k = 0; k < first.size(); ++k) {
      const Box box = box_of(first[k], of_first);
      for (std::size_t l = N == M && is_same ? k + 1 : 0; l < second.size(); ++l)
        if (box.overlaps(boxes_[l])) add(feature, first[k], of_first, second[l], of_second);
    }
  }

  template <std::size_t N, std::size_t M>
  void add(Feature feature, const std::array<int, N>& first, const PartRoom& of_first,
           const std::array<int, M>& second, const PartRoom& of_second) {
    std::array<int, N> a;
    std::array<int, M> b;
    bool is_free = false;
    const auto gather = [&](const auto& own, const PartRoom& of, auto& vertices) {
      for (std::size_t i = 0; i < own.size(); ++i) {
        vertices[i] = of.clusters.vertex(own[i]);
        is_free = is_free || surface_.numbering().is_free(vertices[i]);
      }
    };
    gather(first, of_first, a);
    gather(second, of_second, b);
    if (!is_free || share_vertex(a, b)) return;
    ContactPair pair{.feature = feature, .parts = {of_first.part, of_second.part}};
    pair.thickness = surface_.radius(of_first.part) + surface_.radius(of_second.part);
    // of two of one kind in one part, the first is that with the lower numbers
    if constexpr (N == M)
      if (of_first.part == of_second.part && b < a) std::swap(a, b);
    pair.vertices.fill(b.back());
    std::copy(a.begin(), a.end(), pair.vertices.begin());
    std::copy(b.begin(), b.end(), pair.vertices.begin() + N);
    pairs_.push_back(pair);
  }

  const ContactSurface& surface_;
  const PartRoom &a_, &b_;
  std::vector<ContactPair>& pairs_;
  std::vector<Box> boxes_;
};

}  // namespace

void fit_tree(const PartRoom& at, geometry::BoxTree& tree) {
  std::vector<Box> boxes;
  boxes.reserve(static_cast<std::size_t>(at.clusters.num_clusters()));
  for (int c = 0; c < at.clusters.num_clusters(); ++c) {
    Box box;
    for (const auto& [own] : at.clusters.members().of(c))
      box.extend(at.room[static_cast<std::size_t>(own)]);
    boxes.push_back(box.grown(at.margin));
  }
  if (tree.size() == 0)
    tree = geometry::BoxTree(boxes);
  else
    tree.refit(boxes);
}

void add_feature_pairs(const ContactSurface& surface, const PartRoom& a, const PartRoom& b,
                       std::span<const geometry::IndexPair> clusters,
                       const core::Executor& executor, std::vector<ContactPair>& pairs) {
  std::vector<std::vector<ContactPair>> found(clusters.size() / std::size_t(clusters_per_piece) +
                                              1);
  executor.for_ranges(std::ssize(clusters), clusters_per_piece, [&](Index begin, Index end) {
    PairFinder finder(surface, a, b, found[static_cast<std::size_t>(begin / clusters_per_piece)]);
    for (const auto& [i, j] : clusters.subspan(std::size_t(begin), std::size_t(end - begin)))
      finder.look(i, j);
  });
  for (const auto& list : found) pairs.insert(pairs.end(), list.begin(), list.end());
}

}  // namespace sinew::physics
