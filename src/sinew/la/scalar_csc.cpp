// SPDX-License-Identifier: Apache-2.0
#include <sinew/la/ordering.hpp>
#include <sinew/la/scalar_csc.hpp>

namespace sinew::la {

void ScalarCsc::analyze(const BlockPattern& pattern, const std::vector<int>& order) {
  const int n = pattern.num_blocks();
  const int bs = pattern.block_size();
  order_ = order;
  block_size_ = bs;
  const std::vector<int> position = inverse_permutation(order);

  // count the blocks of every column, then walk the rows in their new order so that each column
  // receives its rows sorted
  std::vector<int> blocks(static_cast<std::size_t>(n) + 1, 0);
  struct Entry {
    int row, col, slot;
    bool transposed;
  };
  std::vector<Entry> entries;
  entries.reserve(static_cast<std::size_t>(pattern.num_entries()));
  for (int a = 0; a < n; ++a)
    for (int k = pattern.row_begin(a); k < pattern.row_end(a); ++k) {
      const int pa = position[a];
      const int pb = position[pattern.cols()[k]];
      // stored block (a, b): its rows are a. In the lower triangle the smaller index is the column.
      const bool a_is_column = pa <= pb;
      entries.push_back({a_is_column ? pb : pa, a_is_column ? pa : pb, k, a_is_column});
      ++blocks[entries.back().col + 1];
    }
  for (int col = 0; col < n; ++col) blocks[col + 1] += blocks[col];
  std::sort(entries.begin(), entries.end(), [](const Entry& x, const Entry& y) {
    return x.col != y.col ? x.col < y.col : x.row < y.row;
  });

  col_start.assign(static_cast<std::size_t>(n) * bs + 1, 0);
  rows.resize(entries.size() * static_cast<std::size_t>(bs * bs));
  values.assign(rows.size(), 0.0);
  targets_.resize(entries.size());
  for (int col = 0; col < n; ++col) {
    const int length = (blocks[col + 1] - blocks[col]) * bs;
    const int base = blocks[col] * bs * bs;
    for (int c = 0; c < bs; ++c) col_start[col * bs + c + 1] = base + (c + 1) * length;
    for (int e = blocks[col]; e < blocks[col + 1]; ++e) {
      const int first = base + (e - blocks[col]) * bs;
      targets_[entries[e].slot] = {first, length, entries[e].transposed};
      for (int c = 0; c < bs; ++c)
        for (int r = 0; r < bs; ++r) rows[first + c * length + r] = entries[e].row * bs + r;
    }
  }
}

bool ScalarCsc::fill(const SymmetricMatrix& matrix) {
  const int bs = block_size_;
  double probe = 0.0;  // 0 * x is NaN for infinite and NaN x, and sticks
  for (std::size_t slot = 0; slot < targets_.size(); ++slot) {
    const double* a = matrix.block(static_cast<int>(slot));
    const Target& target = targets_[slot];
    for (int c = 0; c < bs; ++c)
      for (int r = 0; r < bs; ++r) {
        const double value = target.transposed ? a[c * bs + r] : a[r * bs + c];
        values[target.first + c * target.column_step + r] = value;
        probe += 0.0 * value;
      }
  }
  return probe == 0.0;
}

void ScalarCsc::permute(const MatIn& x, MatOut y) const {
  for (Index c = 0; c < x.cols(); ++c)
    for (std::size_t k = 0; k < order_.size(); ++k)
      for (int i = 0; i < block_size_; ++i)
        y(static_cast<Index>(k) * block_size_ + i, c) =
            x(static_cast<Index>(order_[k]) * block_size_ + i, c);
}

void ScalarCsc::permute_back(const MatIn& x, MatOut y) const {
  for (Index c = 0; c < x.cols(); ++c)
    for (std::size_t k = 0; k < order_.size(); ++k)
      for (int i = 0; i < block_size_; ++i)
        y(static_cast<Index>(order_[k]) * block_size_ + i, c) =
            x(static_cast<Index>(k) * block_size_ + i, c);
}

}  // namespace sinew::la
