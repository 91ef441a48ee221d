// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include <sinew/core/error.hpp>
#include <sinew/la/block_pattern.hpp>
#include <sinew/la/ordering.hpp>

namespace sinew::la {
namespace {

constexpr int rows_per_part = 1024;  // below this a product is faster than waking a thread

/// Mixes a number into a code (the finaliser of splitmix64), so that no two patterns of a run will
/// ever have the same.
void mix(std::uint64_t value, std::uint64_t& code) {
  code += 0x9e3779b97f4a7c15ULL + value;
  code = (code ^ (code >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  code = (code ^ (code >> 27U)) * 0x94d049bb133111ebULL;
  code ^= code >> 31U;
}

}  // namespace

std::shared_ptr<const BlockPattern> BlockPattern::build(int num_blocks, int block_size,
                                                        std::vector<std::pair<int, int>> pairs) {
  SINEW_ASSERT(num_blocks >= 0 && block_size >= 1, "a pattern needs a size");
  for (auto& [row, col] : pairs) {
    if (row > col) std::swap(row, col);
    SINEW_ASSERT(row >= 0 && col < num_blocks, "block position outside the matrix");
  }
  for (int row = 0; row < num_blocks; ++row) pairs.emplace_back(row, row);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());

  std::shared_ptr<BlockPattern> pattern(new BlockPattern);
  pattern->block_size_ = block_size;
  pattern->row_start_.assign(static_cast<std::size_t>(num_blocks) + 1, 0);
  pattern->cols_.reserve(pairs.size());
  std::vector<int> reach(static_cast<std::size_t>(num_blocks), 0);
  for (const auto& [row, col] : pairs) {
    ++pattern->row_start_[row + 1];
    pattern->cols_.push_back(col);
    reach[row] = col;
  }
  for (int row = 0; row < num_blocks; ++row)
    pattern->row_start_[row + 1] += pattern->row_start_[row];
  pattern->parts_ = banded_parts(reach, rows_per_part);
  pattern->set_version();
  return pattern;
}

void BlockPattern::set_version() {
  version_ = 0;
  mix(static_cast<std::uint64_t>(block_size_), version_);
  for (const std::vector<int>* numbers : {&row_start_, &cols_})
    for (const int number : *numbers) mix(static_cast<std::uint64_t>(number), version_);
}

std::shared_ptr<const BlockPattern> BlockPattern::extended(
    std::shared_ptr<const BlockPattern> without, std::span<const std::pair<int, int>> extra,
    std::vector<int>& slot_of_base) {
  const BlockPattern& base = *without;
  std::shared_ptr<BlockPattern> pattern(new BlockPattern);
  pattern->base_ = std::move(without);
  pattern->block_size_ = base.block_size_;
  pattern->row_start_.assign(base.row_start_.size(), 0);
  pattern->cols_.reserve(base.cols_.size() + extra.size());
  slot_of_base.resize(base.cols_.size());
  std::vector<int> reach(static_cast<std::size_t>(base.num_blocks()), 0);
  auto next = extra.begin();
  for (int row = 0; row < base.num_blocks(); ++row) {
    const auto add_extra_below = [&](int col) {
      for (; next != extra.end() && next->first == row && next->second < col; ++next)
        pattern->cols_.push_back(next->second);
    };
    for (int k = base.row_begin(row); k < base.row_end(row); ++k) {
      add_extra_below(base.cols_[k]);
      slot_of_base[k] = static_cast<int>(pattern->cols_.size());
      pattern->cols_.push_back(base.cols_[k]);
    }
    add_extra_below(base.num_blocks());
    pattern->row_start_[row + 1] = static_cast<int>(pattern->cols_.size());
    reach[row] = pattern->cols_.back();
  }
  SINEW_ASSERT(next == extra.end(), "further blocks must be sorted and inside the matrix");
  pattern->parts_ = banded_parts(reach, rows_per_part);
  pattern->set_version();
  return pattern;
}

std::shared_ptr<const BlockPattern> BlockPattern::dense(int n) {
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j) pairs.emplace_back(i, j);
  return build(n, 1, std::move(pairs));
}

std::shared_ptr<const BlockPattern> BlockPattern::diagonal(int n) {
  return build(n, 1, {});
}

int BlockPattern::slot(int row, int col) const {
  const auto first = cols_.begin() + row_begin(row);
  const auto last = cols_.begin() + row_end(row);
  const auto found = std::lower_bound(first, last, col);
  return found != last && *found == col ? static_cast<int>(found - cols_.begin()) : -1;
}

std::vector<int> BlockPattern::pieces() const {
  // every row points to a smaller one of its piece, or to itself
  std::vector<int> root(static_cast<std::size_t>(num_blocks()));
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int row) {
    while (root[row] != row) row = root[row] = root[root[row]];
    return row;
  };
  for (int row = 0; row < num_blocks(); ++row)
    for (int k = row_begin(row); k < row_end(row); ++k) {
      const int a = find(row), b = find(cols_[k]);
      root[std::max(a, b)] = std::min(a, b);
    }
  std::vector<int> piece(root.size());
  int count = 0;
  for (int row = 0; row < num_blocks(); ++row)
    piece[row] = find(row) == row ? count++ : piece[find(row)];
  return piece;
}

Graph BlockPattern::graph() const {
  const int n = num_blocks();
  const auto for_each_edge = [&](const auto& visit) {
    for (int row = 0; row < n; ++row)
      for (int k = row_begin(row); k < row_end(row); ++k)
        if (cols_[k] != row) visit(row, cols_[k]);
  };
  Graph graph;
  graph.start.assign(static_cast<std::size_t>(n) + 1, 0);
  for_each_edge([&](int a, int b) { ++graph.start[a + 1], ++graph.start[b + 1]; });
  std::partial_sum(graph.start.begin(), graph.start.end(), graph.start.begin());
  graph.neighbours.resize(static_cast<std::size_t>(graph.start.back()));
  std::vector<int> next(graph.start.begin(), graph.start.end() - 1);
  for_each_edge([&](int a, int b) {
    graph.neighbours[next[a]++] = b;
    graph.neighbours[next[b]++] = a;
  });
  return graph;
}

}  // namespace sinew::la
