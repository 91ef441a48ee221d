// SPDX-License-Identifier: Apache-2.0
// With w columns of its own and r rows below them, the front of a supernode is
//
//   ( F11      )   w        F11 = L11 L11^T,  L21 = F21 L11^-T,  U = updates from below - L21 L21^T
//   ( F21   U  )   r        L11 and L21 stay, U goes to the parent.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <numeric>

#include <sinew/core/error.hpp>
#include <sinew/la/factor/blas.hpp>
#include <sinew/la/factor/supernodal_factor.hpp>

namespace sinew::la {
namespace {

constexpr int tile = 192;  // rows and columns of the pieces that large fronts are cut into

int num_tiles(int n) {
  return (n + tile - 1) / tile;
}

}  // namespace

// ---- before any number is known ----------------------------------------------------------------

template <class Scalar>
void SupernodalFactor<Scalar>::analyze(const BlockPattern& pattern, Supernodes nodes) {
  nodes_ = std::move(nodes);
  block_ = pattern.block_size();
  const int num = nodes_.size();
  offset_.assign(static_cast<std::size_t>(num) + 1, 0);
  flops_ = factor_flops(nodes_, block_);
  for (int s = 0; s < num; ++s)
    offset_[s + 1] = offset_[s] + static_cast<Index>(width(s)) * front(s);
  entries_ = static_cast<double>(offset_[num]);
  values_.resize(static_cast<std::size_t>(offset_[num]));
  place_entries(pattern);
  place_updates();
  plan_subtrees();
  place_outer_rows();
}

template <class Scalar>
int SupernodalFactor<Scalar>::local_row(int s, int row) const {
  if (row < nodes_.col_begin[s + 1]) return row - nodes_.col_begin[s];
  const auto rows = nodes_.rows_of(s);
  return nodes_.num_cols(s) +
         static_cast<int>(std::lower_bound(rows.begin(), rows.end(), row) - rows.begin());
}

template <class Scalar>
void SupernodalFactor<Scalar>::place_entries(const BlockPattern& pattern) {
  const std::vector<int> position = inverse_permutation(nodes_.order);
  const auto for_each_block = [&](const auto& visit) {
    for (int row = 0; row < pattern.num_blocks(); ++row)
      for (int slot = pattern.row_begin(row); slot < pattern.row_end(row); ++slot) {
        const int a = position[row], b = position[pattern.cols()[slot]];
        visit(slot, std::max(a, b), std::min(a, b), a < b);
      }
  };
  source_begin_.assign(nodes_.parent.size() + 1, 0);
  for_each_block([&](int, int, int col, bool) { ++source_begin_[nodes_.supernode_of[col] + 1]; });
  std::partial_sum(source_begin_.begin(), source_begin_.end(), source_begin_.begin());
  sources_.resize(static_cast<std::size_t>(source_begin_.back()));
  std::vector<int> next(source_begin_.begin(), source_begin_.end() - 1);
  for_each_block([&](int slot, int row, int col, bool is_transposed) {
    const int s = nodes_.supernode_of[col];
    sources_[next[s]++] = {slot, block_ * local_row(s, row), block_ * (col - nodes_.col_begin[s]),
                           is_transposed};
  });
}

template <class Scalar>
void SupernodalFactor<Scalar>::place_updates() {
  const int num = nodes_.size();
  run_begin_.assign(nodes_.parent.size() + 1, 0);
  child_begin_.assign(nodes_.parent.size() + 1, 0);
  runs_.clear();
  for (int s = 0; s < num; ++s) {
    if (const int parent = nodes_.parent[s]; parent >= 0) {
      const auto rows = nodes_.rows_of(s);
      for (int k = 0; k < static_cast<int>(rows.size()); ++k) {
        const int to = local_row(parent, rows[k]);
        if (k > 0 && runs_.back().to + runs_.back().length == to)
          ++runs_.back().length;
        else
          runs_.push_back({k, to, 1});
      }
      ++child_begin_[parent + 1];
    }
    run_begin_[s + 1] = static_cast<int>(runs_.size());
  }
  std::partial_sum(child_begin_.begin(), child_begin_.end(), child_begin_.begin());
  children_.resize(static_cast<std::size_t>(child_begin_.back()));
  std::vector<int> next(child_begin_.begin(), child_begin_.end() - 1);
  for (int s = 0; s < num; ++s)
    if (nodes_.parent[s] >= 0) children_[next[nodes_.parent[s]]++] = s;
}

template <class Scalar>
void SupernodalFactor<Scalar>::plan_subtrees() {
  const int num = nodes_.size();
  std::vector<double> work(nodes_.parent.size(), 0.0);
  std::vector<int> first(nodes_.parent.size());  // of the subtree below
  double total = 0.0;
  for (int s = 0; s < num; ++s) {
    constexpr double overhead = 2000.0;  // of calls, in flops
    work[s] += static_cast<double>(front(s)) * front(s) * width(s) + overhead;
    first[s] = children(s).empty() ? s : first[children(s).front()];
    (nodes_.parent[s] >= 0 ? work[nodes_.parent[s]] : total) += work[s];
  }
  // enough of them for many threads, but none too small to be worth starting
  constexpr double least = 3e7;
  double largest = std::max(total / 64, least);
  while (!cut_tree(work, first, largest) && largest > least) largest /= 2;
  for (Subtree& subtree : subtrees_) {
    Index now = 0;
    for (int s = subtree.begin; s < subtree.end; ++s) {
      now += update_size(s);
      subtree.stack = std::max(subtree.stack, now);
      subtree.widest = std::max(subtree.widest, front(s));
      for (const int child : children(s)) now -= update_size(child);
    }
  }
  update_.clear();
  update_.resize(nodes_.parent.size());
}

template <class Scalar>
bool SupernodalFactor<Scalar>::cut_tree(std::span<const double> work, std::span<const int> first,
                                        double largest) {
  subtrees_.clear();
  large_.clear();
  below_begin_.assign(nodes_.parent.size(), 0);
  below_size_ = 0;
  std::vector<int> depth(nodes_.parent.size(), -1);  // of large ones, below their root
  for (int s = nodes_.size() - 1; s >= 0; --s) {
    const int parent = nodes_.parent[s];
    if (parent >= 0 && depth[parent] < 0) continue;
    if (work[s] <= largest) {
      subtrees_.push_back({.begin = first[s], .end = s + 1, .work = work[s]});
      continue;
    }
    depth[s] = parent < 0 ? 0 : depth[parent] + 1;
    if (static_cast<int>(large_.size()) <= depth[s]) large_.emplace_back();
    large_[depth[s]].push_back(s);
    below_begin_[s] = below_size_;
    below_size_ += height(s);
  }
  std::reverse(large_.begin(), large_.end());  // the deepest first
  std::sort(subtrees_.begin(), subtrees_.end(), [](const Subtree& a, const Subtree& b) {
    return a.work != b.work ? a.work > b.work : a.begin < b.begin;
  });
  constexpr std::size_t enough = 64;
  return subtrees_.size() >= enough;
}

template <class Scalar>
void SupernodalFactor<Scalar>::place_outer_rows() {
  outer_begin_.assign(nodes_.parent.size(), 0);
  outer_row_.assign(nodes_.rows.size(), -1);
  outer_size_ = 0;
  for (Subtree& subtree : subtrees_) {
    const int root = subtree.end - 1, end = nodes_.col_begin[subtree.end];
    for (int s = subtree.begin; s < subtree.end; ++s) {
      const auto rows = nodes_.rows_of(s);
      const auto outer = std::lower_bound(rows.begin(), rows.end(), end);
      outer_begin_[s] = static_cast<int>(outer - rows.begin());
      for (auto row = outer; row != rows.end(); ++row)
        outer_row_[nodes_.row_begin[s] + (row - rows.begin())] =
            local_row(root, *row) - nodes_.num_cols(root);
    }
    subtree.outer_begin = outer_size_;
    outer_size_ += height(root);
  }
}

// ---- numbers
// --------------------------------------------------------------------------------------

// from a list that threads share, so that a second factorisation allocates nothing
template <class Scalar>
SupernodalFactor<Scalar>::Scratch::Scratch(SupernodalFactor& owner, Index size) : owner_(owner) {
  {
    const std::lock_guard lock(owner_.scratch_mutex_);
    if (!owner_.free_scratch_.empty()) {
      memory_ = std::move(owner_.free_scratch_.back());
      owner_.free_scratch_.pop_back();
    }
  }
  if (static_cast<Index>(memory_.size()) < size) memory_.resize(static_cast<std::size_t>(size));
}

template <class Scalar>
SupernodalFactor<Scalar>::Scratch::~Scratch() {
  const std::lock_guard lock(owner_.scratch_mutex_);
  owner_.free_scratch_.push_back(std::move(memory_));
}

template <class Scalar>
void SupernodalFactor<Scalar>::load_entries(int s, const double* entries) {
  const Index ld = front(s), area = static_cast<Index>(block_) * block_;
  Scalar* const L = columns(s);
  std::fill_n(L, ld * width(s), Scalar(0));
  for (int k = source_begin_[s]; k < source_begin_[s + 1]; ++k) {
    const Source& source = sources_[k];
    const double* from = entries + source.slot * area;  // row by row
    Scalar* to = L + source.row + source.col * ld;
    for (int j = 0; j < block_; ++j)
      for (int i = 0; i < block_; ++i)
        to[i + j * ld] =
            static_cast<Scalar>(source.is_transposed ? from[i + j * block_] : from[j + i * block_]);
  }
}

/// Adds block columns [from, to) of the front, of what a child hands on.
template <class Scalar>
void SupernodalFactor<Scalar>::add_update(int child, const Scalar* update, Scalar* U, int from,
                                          int to) {
  const int s = nodes_.parent[child];
  const Index ld = front(s), ld_U = height(s), ld_child = height(child);
  const int w = width(s);
  Scalar* const L = columns(s);
  const std::span<const Run> runs(runs_.data() + run_begin_[child],
                                  runs_.data() + run_begin_[child + 1]);
  for (std::size_t r = 0; r < runs.size() && runs[r].to < to; ++r) {
    const Run& cols = runs[r];
    const int begin = std::max(cols.to, from), end = std::min(cols.to + cols.length, to);
    for (int j = begin * block_; j < end * block_; ++j) {
      const Scalar* source = update + (j + (cols.from - cols.to) * block_) * ld_child;
      // column j of the front, so that its row k is target[k]
      Scalar* target = j < w ? L + j * ld : U + (j - w) * ld_U - w;
      const auto add = [&](int first, int shift, int length) {
        for (int k = first; k < first + length; ++k) target[k + shift] += source[k];
      };
      const int skipped = j / block_ - cols.to;  // blocks above the diagonal
      add((cols.from + skipped) * block_, (cols.to - cols.from) * block_,
          (cols.length - skipped) * block_);
      for (std::size_t i = r + 1; i < runs.size(); ++i)
        add(runs[i].from * block_, (runs[i].to - runs[i].from) * block_, runs[i].length * block_);
    }
  }
}

/// L11 of a front that one thread works on. OpenBLAS lets NaN pass.
template <class Scalar>
bool SupernodalFactor<Scalar>::factor_columns(int s) {
  const int w = width(s), ld = front(s);
  Scalar* const L = columns(s);
  if (!blas::cholesky(w, L, ld)) return false;
  for (Index k = 0; k < w; ++k)
    if (!std::isfinite(L[k * ld + k])) return false;
  return true;
}

template <class Scalar>
bool SupernodalFactor<Scalar>::factor_subtree(const Subtree& subtree, const double* entries) {
  Scratch stack(*this, subtree.stack);
  Index top = 0;
  for (int s = subtree.begin; s < subtree.end; ++s) {
    const int w = width(s), r = height(s), ld = front(s), cols = nodes_.num_cols(s);
    load_entries(s, entries);
    // the updates of the children lie on top of the stack, in their order
    Index below = top;
    for (const int child : children(s)) below -= update_size(child);
    const auto add_updates = [&](Scalar* U, int from, int to) {
      Index at = below;
      for (const int child : children(s)) {
        add_update(child, stack.data() + at, U, from, to);
        at += update_size(child);
      }
    };
    add_updates(nullptr, 0, cols);
    if (!factor_columns(s)) return false;
    const bool is_root = s + 1 == subtree.end;
    if (r > 0) {
      Scalar* const L = columns(s);
      blas::divide_by_transposed(r, w, L, ld, L + w, ld);
      Scalar* U = stack.data() + top;
      if (is_root) {
        update_[s].resize(static_cast<std::size_t>(update_size(s)));
        U = update_[s].data();
      }
      blas::set_minus_square(r, w, L + w, ld, U, r);
      add_updates(U, cols, cols + nodes_.num_rows(s));
      if (!is_root && below != top)
        std::memmove(stack.data() + below, U,
                     sizeof(Scalar) * static_cast<std::size_t>(update_size(s)));
    }
    top = below + (is_root ? 0 : update_size(s));
  }
  return true;
}

template <class Scalar>
bool SupernodalFactor<Scalar>::factor_large(int s, const core::Executor& executor) {
  const int w = width(s), r = height(s), ld = front(s), cols = nodes_.num_cols(s);
  Scalar* const L = columns(s);
  const auto at = [&](int row, int col) { return L + row + static_cast<Index>(col) * ld; };
  update_[s].resize(static_cast<std::size_t>(update_size(s)));
  Scalar* const U = update_[s].data();
  const auto add_updates = [&](int begin, int end) {
    constexpr int group = 32;  // block columns
    executor.for_each((end - begin + group - 1) / group, [&](int k) {
      const int from = begin + k * group, to = std::min(from + group, end);
      for (const int child : children(s)) add_update(child, update_[child].data(), U, from, to);
    });
  };
  add_updates(0, cols);
  for (int k = 0; k < w; k += tile) {
    const int n = std::min(tile, w - k), next = k + n;
    if (!blas::cholesky(n, at(k, k), ld)) return false;
    for (int j = k; j < next; ++j)
      if (!std::isfinite(*at(j, j))) return false;
    const int row_tiles = num_tiles(w + r - next), col_tiles = num_tiles(w - next);
    const auto rows = [&](int i) { return std::min(tile, w + r - next - i * tile); };
    executor.for_each(row_tiles, [&](int i) {
      blas::divide_by_transposed(rows(i), n, at(k, k), ld, at(next + i * tile, k), ld);
    });
    // from the columns that are still to come
    executor.for_each(col_tiles * row_tiles, [&](int t) {
      const int j = t / row_tiles, i = t % row_tiles;
      if (i < j) return;
      const int row = next + i * tile, col = next + j * tile;
      blas::subtract_product(rows(i), std::min(tile, w - col), n, at(row, k), at(col, k), ld,
                             Scalar(1), at(row, col), ld);
    });
  }
  const int tiles = num_tiles(r);
  executor.for_each(tiles * tiles, [&](int t) {
    const int j = t / tiles, i = t % tiles;
    if (i < j) return;
    const int row = i * tile, col = j * tile;
    blas::subtract_product(std::min(tile, r - row), std::min(tile, r - col), w, at(w + row, 0),
                           at(w + col, 0), ld, Scalar(0), U + row + static_cast<Index>(col) * r, r);
  });
  add_updates(cols, cols + nodes_.num_rows(s));
  constexpr Index little = 1 << 20;  // kept for the next factorisation
  for (const int child : children(s))
    if (update_size(child) > little) update_[child] = {};
  return true;
}

template <class Scalar>
bool SupernodalFactor<Scalar>::factorize(const SymmetricMatrix& matrix,
                                         const core::Executor& executor) {
  const double* entries = matrix.values();
  std::atomic<bool> is_definite = true;
  executor.for_each(num_subtrees(), [&](int t) {
    if (is_definite && !factor_subtree(subtrees_[t], entries)) is_definite = false;
  });
  for (const std::vector<int>& level : large_)
    executor.for_each(static_cast<int>(level.size()), [&](int k) {
      if (!is_definite) return;
      load_entries(level[k], entries);
      if (!factor_large(level[k], executor)) is_definite = false;
    });
  return is_definite;
}

template class SupernodalFactor<float>;
template class SupernodalFactor<double>;

}  // namespace sinew::la
