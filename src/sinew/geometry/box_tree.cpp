// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <sinew/geometry/box_tree.hpp>

namespace sinew::geometry {
namespace {

// Work is cut at the nodes of this level, whatever the number of threads.
constexpr int piece_level = 6;

struct Centre {
  Vec3 at;
  int primitive;
};

/// Empty and endless boxes have none; they can be anywhere in the order.
Centre centre_of(const Box& box, int primitive) {
  Vec3 at = 0.5 * (box.low + box.high);
  for (int k = 0; k < 3; ++k)
    if (!std::isfinite(at[k])) at[k] = 0.0;
  return {at, primitive};
}

/// Puts the lower half, along the widest axis, before `middle`.
void split(std::span<Centre> centres, std::ptrdiff_t middle) {
  Box bounds;
  for (const Centre& c : centres) bounds.extend(c.at);
  int axis = 0;
  (bounds.high - bounds.low).maxCoeff(&axis);
  std::nth_element(centres.begin(), centres.begin() + middle, centres.end(),
                   [axis](const Centre& a, const Centre& b) {
                     if (a.at[axis] != b.at[axis]) return a.at[axis] < b.at[axis];
                     return a.primitive < b.primitive;
                   });
}

/// In ascending order, from lists whose first entries are below `num_first`.
std::vector<IndexPair> sorted(const std::vector<std::vector<IndexPair>>& lists, int num_first,
                              const core::Executor& executor) {
  std::vector<std::size_t> begin(static_cast<std::size_t>(num_first) + 1, 0);
  for (const auto& list : lists)
    for (const IndexPair& pair : list) ++begin[pair[0] + 1];
  for (int i = 0; i < num_first; ++i) begin[i + 1] += begin[i];
  std::vector<IndexPair> all(begin[num_first]);
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (const auto& list : lists)
    for (const IndexPair& pair : list) all[next[pair[0]]++] = pair;
  executor.for_ranges(num_first, 4096, [&](std::ptrdiff_t from, std::ptrdiff_t to) {
    for (std::ptrdiff_t i = from; i < to; ++i)
      std::sort(all.begin() + std::ptrdiff_t(begin[i]), all.begin() + std::ptrdiff_t(begin[i + 1]));
  });
  return all;
}

}  // namespace

BoxTree::BoxTree(std::span<const Box> boxes, const core::Executor& executor)
    : primitives_(boxes.size()), boxes_(boxes.size()) {
  while (std::int64_t(leaf_size) << depth_ < size()) ++depth_;
  nodes_.resize(std::size_t(2) << depth_);
  sort_primitives(boxes, executor);
  refit(boxes, executor);
}

void BoxTree::sort_primitives(std::span<const Box> boxes, const core::Executor& executor) {
  std::vector<Centre> centres(boxes.size());
  for (int i = 0; i < size(); ++i) centres[i] = centre_of(boxes[i], i);
  const auto split_node = [&](int node) {
    const int begin = first_slot(node);
    split(std::span(centres).subspan(begin, end_slot(node) - begin),
          first_slot(2 * node + 1) - begin);
  };
  const int top = std::min(depth_, piece_level);
  for (int level = 0; level < top; ++level)
    executor.for_each(1 << level, [&](int j) { split_node((1 << level) + j); });
  executor.for_each(1 << top, [&](int j) {
    for (int level = top; level < depth_; ++level) {
      const int first = ((1 << top) + j) << (level - top);
      for (int node = first; node < first + (1 << (level - top)); ++node) split_node(node);
    }
  });
  for (int slot = 0; slot < size(); ++slot) primitives_[slot] = centres[slot].primitive;
}

void BoxTree::refit(std::span<const Box> boxes, const core::Executor& executor) {
  if (std::ssize(boxes) != size()) throw std::invalid_argument("as many boxes as primitives");
  const int top = std::min(depth_, piece_level);
  executor.for_each(1 << top, [&](int j) {
    for (int level = depth_; level >= top; --level) {
      const int first = ((1 << top) + j) << (level - top);
      for (int node = first; node < first + (1 << (level - top)); ++node) refit_node(node, boxes);
    }
  });
  for (int node = (1 << top) - 1; node > 0; --node) refit_node(node, boxes);
}

void BoxTree::refit_node(int node, std::span<const Box> boxes) {
  Box bounds;
  if (is_leaf(node)) {
    const int end = end_slot(node);
    for (int slot = first_slot(node); slot < end; ++slot) {
      boxes_[slot] = boxes[primitives_[slot]];
      bounds.extend(boxes_[slot]);
    }
  } else {
    bounds = nodes_[2 * node];
    bounds.extend(nodes_[2 * node + 1]);
  }
  nodes_[node] = bounds;
}

double BoxTree::cost() const {
  const double whole = nodes_[1].area();
  if (!(whole > 0.0)) return 0.0;
  double sum = 0.0;
  for (std::size_t node = 1; node < nodes_.size(); ++node) sum += nodes_[node].area();
  return sum / whole;
}

/// Two trees, or one with itself, from their roots down to leaves that overlap.
class PairWalk {
 public:
  PairWalk(const BoxTree& a, const BoxTree& b, const PairFilter& wanted)
      : a_(a), b_(b), is_one_(false), wanted_(wanted) {}
  PairWalk(const BoxTree& tree, const PairFilter& wanted)
      : a_(tree), b_(tree), is_one_(true), wanted_(wanted) {}

  std::vector<IndexPair> run(const core::Executor& executor) const {
    const std::vector<Nodes> work = pieces();
    std::vector<std::vector<IndexPair>> lists(work.size());
    executor.for_each(static_cast<int>(work.size()), [&](int k) { collect(work[k], lists[k]); });
    return sorted(lists, a_.size(), executor);
  }

 private:
  struct Nodes {
    int a, b;
  };

  /// Pieces of the work, by the trees alone.
  std::vector<Nodes> pieces() const {
    std::vector<Nodes> nodes{{1, 1}}, next;
    bool go_on = true;
    while (go_on && std::ssize(nodes) < 4 << piece_level) {
      next.clear();
      go_on = false;
      for (const Nodes& n : nodes) {
        if (are_leaves(n)) {
          next.push_back(n);
          continue;
        }
        expand(n, [&](Nodes child) { next.push_back(child); });
        go_on = true;
      }
      nodes.swap(next);
    }
    return nodes;
  }

  void collect(Nodes root, std::vector<IndexPair>& pairs) const {
    // one level down adds at most two entries where the nodes are one, else one
    std::array<Nodes, 2 * BoxTree::most_levels> stack;
    int height = 0;
    stack[height++] = root;
    while (height > 0) {
      const Nodes nodes = stack[--height];
      if (are_leaves(nodes))
        compare_leaves(nodes, pairs);
      else
        expand(nodes, [&](Nodes child) { stack[height++] = child; });
    }
  }

  bool are_same(Nodes n) const { return is_one_ && n.a == n.b; }
  bool are_leaves(Nodes n) const { return a_.is_leaf(n.a) && b_.is_leaf(n.b); }

  template <class Push>
  void expand(Nodes n, const Push& push) const {
    if (are_same(n)) {
      push(Nodes{2 * n.a, 2 * n.a});
      push(Nodes{2 * n.a + 1, 2 * n.a + 1});
      push_overlapping({2 * n.a, 2 * n.a + 1}, push);
      return;
    }
    const auto size = [](const Box& box) { return (box.high - box.low).sum(); };
    const bool first =
        b_.is_leaf(n.b) || (!a_.is_leaf(n.a) && size(a_.nodes_[n.a]) >= size(b_.nodes_[n.b]));
    for (const int side : {0, 1})
      push_overlapping(first ? Nodes{2 * n.a + side, n.b} : Nodes{n.a, 2 * n.b + side}, push);
  }

  template <class Push>
  void push_overlapping(Nodes n, const Push& push) const {
    if (a_.nodes_[n.a].overlaps(b_.nodes_[n.b])) push(n);
  }

  void compare_leaves(Nodes n, std::vector<IndexPair>& pairs) const {
    const int end_a = a_.end_slot(n.a), begin_b = b_.first_slot(n.b), end_b = b_.end_slot(n.b);
    for (int i = a_.first_slot(n.a); i < end_a; ++i) {
      const Box& box = a_.boxes_[i];
      if (!box.overlaps(b_.nodes_[n.b])) continue;
      for (int j = are_same(n) ? i + 1 : begin_b; j < end_b; ++j)
        if (box.overlaps(b_.boxes_[j])) store(a_.primitives_[i], b_.primitives_[j], pairs);
    }
  }

  void store(int i, int j, std::vector<IndexPair>& pairs) const {
    if (is_one_ && i > j) std::swap(i, j);
    if (!wanted_ || wanted_(i, j)) pairs.push_back({i, j});
  }

  const BoxTree& a_;
  const BoxTree& b_;
  const bool is_one_;
  const PairFilter& wanted_;
};

std::vector<IndexPair> overlapping_pairs(const BoxTree& a, const BoxTree& b,
                                         const core::Executor& executor, const PairFilter& wanted) {
  return PairWalk(a, b, wanted).run(executor);
}

std::vector<IndexPair> overlapping_pairs(const BoxTree& tree, const core::Executor& executor,
                                         const PairFilter& wanted) {
  return PairWalk(tree, wanted).run(executor);
}

}  // namespace sinew::geometry
