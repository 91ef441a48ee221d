// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include <sinew/la/factor/supernodes.hpp>

namespace sinew::la {
namespace {

/// Liu's algorithm: the first later column that needs the result of each.
std::vector<int> elimination_tree(const Graph& graph, std::span<const int> order,
                                  std::span<const int> position) {
  const auto n = static_cast<int>(order.size());
  std::vector<int> parent(order.size(), -1), ancestor(order.size(), -1);
  for (int k = 0; k < n; ++k)
    for (const int neighbour : graph.of(order[k])) {
      int i = position[neighbour];
      while (i != -1 && i < k) {
        const int next = ancestor[i];
        ancestor[i] = k;
        if (next == -1) parent[i] = k;
        i = next;
      }
    }
  return parent;
}

/// Children before parents, subtrees side by side.
std::vector<int> postorder(std::span<const int> parent) {
  const auto n = static_cast<int>(parent.size());
  std::vector<int> first_child(parent.size(), -1), sibling(parent.size(), -1), result, stack;
  for (int k = n - 1; k >= 0; --k)
    if (parent[k] >= 0) {
      sibling[k] = first_child[parent[k]];
      first_child[parent[k]] = k;
    }
  result.reserve(parent.size());
  for (int root = 0; root < n; ++root) {
    if (parent[root] >= 0) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const int top = stack.back();
      if (first_child[top] >= 0) {
        stack.push_back(first_child[top]);
        first_child[top] = sibling[first_child[top]];
      } else {
        result.push_back(top);
        stack.pop_back();
      }
    }
  }
  return result;
}

/// Blocks in each column of the factor, the diagonal included.
std::vector<int> column_counts(const Graph& graph, std::span<const int> order,
                               std::span<const int> position, std::span<const int> parent) {
  const auto n = static_cast<int>(order.size());
  std::vector<int> count(order.size(), 1), seen(order.size(), -1);
  for (int row = 0; row < n; ++row) {
    seen[row] = row;
    for (const int neighbour : graph.of(order[row]))
      for (int i = position[neighbour]; i < row && seen[i] != row; i = parent[i]) {
        ++count[i];
        seen[i] = row;
      }
  }
  return count;
}

/// A supernode on its way: columns with the same pattern, and those of children it has taken in.
struct Group {
  std::vector<int> cols;
  double rows = 0;     // below its columns
  double entries = 0;  // of the factor that are not zero
  int parent = -1;
  std::vector<int> children;
  bool is_taken = false;

  /// Entries when it is stored as one dense piece.
  double stored(double columns) const { return columns * (columns + 1.0) / 2.0 + columns * rows; }
};

/// Whether a supernode of so many scalar columns is worth this share of zeros. Few columns are slow
/// for what they are: calls and index lists cost more than the numbers.
bool are_few(double share_of_zeros, double columns) {
  return columns <= 12 || (columns <= 24 && share_of_zeros < 0.4) ||
         (columns <= 60 && share_of_zeros < 0.2) || (columns <= 150 && share_of_zeros < 0.1) ||
         share_of_zeros < 0.04;
}

/// Runs of columns with the same pattern, children before parents.
std::vector<Group> fundamental_groups(std::span<const int> tree, std::span<const int> count) {
  const auto n = static_cast<int>(tree.size());
  std::vector<Group> groups;
  std::vector<int> group_of(tree.size());
  for (int j = 0; j < n; ++j) {
    const bool continues = j > 0 && tree[j - 1] == j && count[j - 1] == count[j] + 1;
    if (!continues) groups.emplace_back();
    groups.back().cols.push_back(j);
    groups.back().rows = count[j] - 1;
    groups.back().entries += count[j];
    group_of[j] = static_cast<int>(groups.size()) - 1;
  }
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (const int above = tree[groups[g].cols.back()]; above >= 0) {
      groups[g].parent = group_of[above];
      groups[groups[g].parent].children.push_back(static_cast<int>(g));
    }
  return groups;
}

/// Lets every group take in those of its children that fit it best, as long as that pays.
void join(std::vector<Group>& groups, int block_size) {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Group& group = groups[g];
    std::vector<int> candidates = std::exchange(group.children, {});
    std::stable_sort(candidates.begin(), candidates.end(), [&](int a, int b) {
      return static_cast<double>(groups[a].cols.size()) + groups[a].rows >
             static_cast<double>(groups[b].cols.size()) + groups[b].rows;
    });
    std::vector<int> taken_cols;
    for (const int child : candidates) {
      Group& below = groups[child];
      const double cols =
          static_cast<double>(group.cols.size() + taken_cols.size() + below.cols.size());
      const double stored = group.stored(cols), entries = group.entries + below.entries;
      if (!are_few((stored - entries) / stored, cols * block_size)) {
        group.children.push_back(child);
        continue;
      }
      taken_cols.insert(taken_cols.end(), below.cols.begin(), below.cols.end());
      group.entries = entries;
      below.is_taken = true;
      for (const int grandchild : below.children) {
        groups[grandchild].parent = static_cast<int>(g);
        group.children.push_back(grandchild);
      }
    }
    group.cols.insert(group.cols.begin(), taken_cols.begin(), taken_cols.end());
    std::sort(group.children.begin(), group.children.end());
  }
}

/// Columns and order of the supernodes; rows are still missing.
Supernodes arrange(const std::vector<Group>& groups, std::span<const int> order) {
  std::vector<int> kept, index(groups.size(), -1), parent;
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (!groups[g].is_taken) {
      index[g] = static_cast<int>(kept.size());
      kept.push_back(static_cast<int>(g));
    }
  for (const int g : kept) parent.push_back(groups[g].parent < 0 ? -1 : index[groups[g].parent]);
  Supernodes result;
  result.order.reserve(order.size());
  result.col_begin.push_back(0);
  for (const int k : postorder(parent)) {
    for (const int col : groups[kept[k]].cols) {
      result.order.push_back(order[col]);
      result.supernode_of.push_back(static_cast<int>(result.col_begin.size()) - 1);
    }
    result.col_begin.push_back(static_cast<int>(result.order.size()));
  }
  result.parent.assign(kept.size(), -1);
  return result;
}

void find_rows(const Graph& graph, Supernodes& nodes) {
  const std::vector<int> position = inverse_permutation(nodes.order);
  const int num = nodes.size();
  std::vector<std::vector<int>> children(nodes.parent.size()), rows(nodes.parent.size());
  std::vector<int> seen(position.size(), -1);
  for (int s = 0; s < num; ++s) {
    const int end = nodes.col_begin[s + 1];
    const auto add = [&](int row) {
      if (row < end || seen[row] == s) return;
      seen[row] = s;
      rows[s].push_back(row);
    };
    for (int j = nodes.col_begin[s]; j < end; ++j)
      for (const int neighbour : graph.of(nodes.order[j])) add(position[neighbour]);
    for (const int child : children[s])
      for (const int row : rows[child]) add(row);
    std::sort(rows[s].begin(), rows[s].end());
    if (!rows[s].empty()) {
      nodes.parent[s] = nodes.supernode_of[rows[s].front()];
      children[nodes.parent[s]].push_back(s);
    }
  }
  nodes.row_begin.assign(nodes.parent.size() + 1, 0);
  for (int s = 0; s < num; ++s)
    nodes.row_begin[s + 1] = nodes.row_begin[s] + static_cast<Index>(rows[s].size());
  nodes.rows.reserve(static_cast<std::size_t>(nodes.row_begin[num]));
  for (const auto& own : rows) nodes.rows.insert(nodes.rows.end(), own.begin(), own.end());
}

}  // namespace

Supernodes find_supernodes(const Graph& graph, std::span<const int> order, int block_size) {
  // the same elimination with subtrees side by side, so that equal columns are neighbours
  const std::vector<int> first_tree = elimination_tree(graph, order, inverse_permutation(order));
  std::vector<int> sorted;
  sorted.reserve(order.size());
  for (const int k : postorder(first_tree)) sorted.push_back(order[k]);
  const std::vector<int> position = inverse_permutation(sorted);
  const std::vector<int> tree = elimination_tree(graph, sorted, position);
  std::vector<Group> groups =
      fundamental_groups(tree, column_counts(graph, sorted, position, tree));
  join(groups, block_size);
  Supernodes nodes = arrange(groups, sorted);
  find_rows(graph, nodes);
  return nodes;
}

double factor_flops(const Supernodes& nodes, int block_size) {
  // sum of k^2 over the columns, of which k rows are left
  const auto squares = [](double k) { return k * (k + 1.0) * (2.0 * k + 1.0) / 6.0; };
  double flops = 0.0;
  for (int s = 0; s < nodes.size(); ++s) {
    const double height = static_cast<double>(block_size) * nodes.num_rows(s);
    flops +=
        squares(height + static_cast<double>(block_size) * nodes.num_cols(s)) - squares(height);
  }
  return flops;
}

}  // namespace sinew::la
