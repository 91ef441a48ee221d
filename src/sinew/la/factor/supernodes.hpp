// SPDX-License-Identifier: Apache-2.0
// The shape of a Cholesky factor before any number is known: which block columns share their
// pattern (a supernode), where they are not zero, and which supernode takes the update of which.
#pragma once

#include <span>
#include <vector>

#include <sinew/core/types.hpp>
#include <sinew/la/ordering.hpp>

namespace sinew::la {

struct Supernodes {
  std::vector<int> order;         ///< block row order[k] of the matrix is eliminated k-th
  std::vector<int> col_begin;     ///< columns of supernode s are col_begin[s] to col_begin[s + 1]
  std::vector<int> parent;        ///< which takes the update of s, a later one; -1: none
  std::vector<Index> row_begin;   ///< of s in `rows`
  std::vector<int> rows;          ///< block rows below the columns of s, ascending
  std::vector<int> supernode_of;  ///< block column -> supernode

  int size() const { return static_cast<int>(parent.size()); }
  int num_cols(int s) const { return col_begin[s + 1] - col_begin[s]; }
  int num_rows(int s) const { return static_cast<int>(row_begin[s + 1] - row_begin[s]); }
  std::span<const int> rows_of(int s) const {
    return {rows.data() + row_begin[s], static_cast<std::size_t>(num_rows(s))};
  }
};

/// What making the factor takes.
double factor_flops(const Supernodes& nodes, int block_size);

/// `order`: any fill-reducing one. What comes back is equivalent, with the columns of a supernode
/// and those of a subtree side by side. Small supernodes are joined where that adds few zeros.
Supernodes find_supernodes(const Graph& graph, std::span<const int> order, int block_size);

}  // namespace sinew::la
