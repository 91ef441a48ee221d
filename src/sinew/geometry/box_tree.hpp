// SPDX-License-Identifier: Apache-2.0
// A hierarchy of bounding boxes over boxes of primitives, which the caller knows by number. It is
// a perfect binary tree: a node halves its primitives at the median of their centres, so all leaves
// are on one level and the shape of the tree follows from the number of primitives alone. Nothing
// that it answers depends on the number of threads.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <sinew/core/executor.hpp>
#include <sinew/core/types.hpp>
#include <sinew/geometry/box.hpp>

namespace sinew::geometry {

using IndexPair = std::array<int, 2>;
/// Whether a pair is wanted; asked on any thread, once for every pair whose boxes overlap.
using PairFilter = std::function<bool(int, int)>;

class BoxTree {
 public:
  explicit BoxTree(std::span<const Box> boxes = {},
                   const core::Executor& executor = core::serial_executor());

  int size() const { return static_cast<int>(primitives_.size()); }
  /// Of all primitives; empty if there is none.
  const Box& bounds() const { return nodes_[1]; }

  /// New boxes of the same primitives. What is asked later is as right as after building and takes
  /// longer the more the order of the primitives in space has changed.
  void refit(std::span<const Box> boxes, const core::Executor& executor = core::serial_executor());

  /// Surface of all nodes over that of the whole: how many nodes a line through the whole meets on
  /// average. When it has grown much since the tree was built it is time to build again. 0 for a
  /// whole without surface.
  double cost() const;

  /// visit(primitive) for every one whose box overlaps this one, in no useful order.
  template <class Visit>
  void query(const Box& box, const Visit& visit) const;

  struct Nearest {
    int primitive = -1;  ///< -1: none within the bound
    double distance;     ///< the bound if there is none [m]
  };
  /// The primitive with the least distance_of(primitive), the first of them if they are several,
  /// if that is not above `bound`. The distance must not be below that of the primitive's box.
  template <class DistanceOf>
  Nearest nearest(const Vec3& point, double bound, const DistanceOf& distance_of) const;

 private:
  friend class PairWalk;

  static constexpr int leaf_size = 4;
  static constexpr int most_levels = 32;

  // Nodes are numbered from 1; the children of k are 2k and 2k + 1, and node 2^l + j is number j of
  // level l.
  int num_leaves() const { return 1 << depth_; }
  bool is_leaf(int node) const { return node >= num_leaves(); }
  /// First slot of a node; the end of its slots is the first slot of node + 1 on the same level.
  int first_slot(int node) const { return first_slot(std::bit_width(unsigned(node)) - 1, node); }
  int first_slot(int level, int node) const {
    return static_cast<int>((std::int64_t(size()) * (node - (1 << level))) >> level);
  }
  int end_slot(int node) const { return first_slot(std::bit_width(unsigned(node)) - 1, node + 1); }

  void sort_primitives(std::span<const Box> boxes, const core::Executor& executor);
  void refit_node(int node, std::span<const Box> boxes);

  int depth_ = 0;                // level of the leaves
  std::vector<int> primitives_;  // in the order of the leaves: by slot
  std::vector<Box> boxes_;       // by slot
  std::vector<Box> nodes_;       // number 0 is not used
};

/// All pairs (primitive of a, primitive of b) whose boxes overlap, in ascending order.
std::vector<IndexPair> overlapping_pairs(const BoxTree& a, const BoxTree& b,
                                         const core::Executor& executor = core::serial_executor(),
                                         const PairFilter& wanted = {});
/// The same within one tree: i < j, every pair once.
std::vector<IndexPair> overlapping_pairs(const BoxTree& tree,
                                         const core::Executor& executor = core::serial_executor(),
                                         const PairFilter& wanted = {});

template <class Visit>
void BoxTree::query(const Box& box, const Visit& visit) const {
  unsigned node = 1;
  do {
    const bool meets = box.overlaps(nodes_[node]);
    if (meets && !is_leaf(int(node))) {
      node *= 2;
      continue;
    }
    if (meets) {
      const int end = end_slot(int(node));
      for (int slot = first_slot(int(node)); slot < end; ++slot)
        if (box.overlaps(boxes_[slot])) visit(primitives_[slot]);
    }
    // the next node that is not below this one: 1 after the last
    ++node;
    node >>= std::countr_zero(node);
  } while (node != 1);
}

template <class DistanceOf>
BoxTree::Nearest BoxTree::nearest(const Vec3& point, double bound,
                                  const DistanceOf& distance_of) const {
  Nearest best{.distance = bound};
  // a distance that the caller has rounded may be a little below that of the box
  const auto may_be_nearer = [&](double square) {
    return square * (1.0 - 1e-14) <= best.distance * best.distance;
  };
  struct Candidate {
    int node;
    double square;
  };
  std::array<Candidate, most_levels> stack;
  int height = 0;
  if (best.distance >= 0.0 && size() > 0) stack[height++] = {1, nodes_[1].squared_distance(point)};
  while (height > 0) {
    const auto [node, square] = stack[--height];
    if (!may_be_nearer(square)) continue;
    if (!is_leaf(node)) {
      const Candidate left{2 * node, nodes_[2 * node].squared_distance(point)};
      const Candidate right{2 * node + 1, nodes_[2 * node + 1].squared_distance(point)};
      const bool left_first = left.square <= right.square;
      stack[height++] = left_first ? right : left;
      stack[height++] = left_first ? left : right;
      continue;
    }
    const int end = end_slot(node);
    for (int slot = first_slot(node); slot < end; ++slot) {
      if (!may_be_nearer(boxes_[slot].squared_distance(point))) continue;
      const int primitive = primitives_[slot];
      const double distance = distance_of(primitive);
      const bool is_first = best.primitive < 0 || primitive < best.primitive;
      if (distance < best.distance || (distance == best.distance && is_first))
        best = {primitive, distance};
    }
  }
  return best;
}

}  // namespace sinew::geometry
