// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>

#include <sinew/core/error.hpp>
#include <sinew/la/row_blocks.hpp>

namespace sinew::la {

template <class Scalar>
void RowBlocks<Scalar>::arrange(const BlockPattern& pattern) {
  const int n = pattern.num_blocks();
  start_.assign(static_cast<std::size_t>(n) + 1, 0);
  for (int row = 0; row < n; ++row)
    for (int k = pattern.row_begin(row); k < pattern.row_end(row); ++k) {
      ++start_[row + 1];
      if (pattern.cols()[k] != row) ++start_[pattern.cols()[k] + 1];
    }
  for (int row = 0; row < n; ++row) start_[row + 1] += start_[row];
  columns_.resize(static_cast<std::size_t>(start_.back()));
  source_.resize(static_cast<std::size_t>(start_.back()));
  std::vector<int> next(start_.begin(), start_.end() - 1);
  // rows in order: columns of every row come out sorted
  for (int row = 0; row < n; ++row)
    for (int k = pattern.row_begin(row); k < pattern.row_end(row); ++k) {
      const int column = pattern.cols()[k];
      if (column == row) continue;
      columns_[next[column]] = row;
      source_[next[column]++] = -1 - k;
    }
  for (int row = 0; row < n; ++row)
    for (int k = pattern.row_begin(row); k < pattern.row_end(row); ++k) {
      columns_[next[row]] = pattern.cols()[k];
      source_[next[row]++] = k;
    }
  reach_ = 0;
  for (int row = 0; row < n; ++row)
    for (int k = start_[row]; k < start_[row + 1]; ++k)
      reach_ = std::max(reach_, std::abs(columns_[k] - row));
  values_.assign(9 * columns_.size() + 4, Scalar(0));  // loads reach one too far
}

template <class Scalar>
void RowBlocks<Scalar>::assign(const SymmetricMatrix& A) {
  SINEW_ASSERT(A.pattern().block_size() == 3, "rows of 3x3 blocks only");
  executor_ = &A.executor();
  if (pattern_ != A.shared_pattern()) {
    pattern_ = A.shared_pattern();
    arrange(*pattern_);
  }
  for_rows([&](int first, int last) {
    for (int b = start_[first]; b < start_[last]; ++b) {
      const bool transposed = source_[b] < 0;
      const double* from = A.block(transposed ? -1 - source_[b] : source_[b]);
      Scalar* to = values_.data() + 9 * static_cast<Index>(b);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          to[3 * i + j] = static_cast<Scalar>(transposed ? from[3 * j + i] : from[3 * i + j]);
    }
  });
}

template class RowBlocks<float>;
template class RowBlocks<double>;

}  // namespace sinew::la
