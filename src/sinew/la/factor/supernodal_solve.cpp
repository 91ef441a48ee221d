// SPDX-License-Identifier: Apache-2.0
// L y = b upwards through the tree, L^T x = y downwards. Each number of the factor is read once per
// sweep, for up to eight right-hand sides, which lie side by side: x[row * K + k].
#include <algorithm>

#include <sinew/la/factor/supernodal_factor.hpp>

namespace sinew::la {
namespace {

/// y[i] -= sum of L(i, c) x[c] over C columns, for so many rows.
template <int K, int C, class Scalar>
void subtract(const Scalar* __restrict L, Index ld, Index rows, const Scalar* __restrict x,
              Scalar* __restrict y) {
  if constexpr (K == 1) {
    Scalar factor[C];
    for (int c = 0; c < C; ++c) factor[c] = x[c];
    for (Index i = 0; i < rows; ++i) {
      Scalar sum = L[i] * factor[0];
      for (int c = 1; c < C; ++c) sum += L[i + c * ld] * factor[c];
      y[i] -= sum;
    }
  } else {
    using Row = Eigen::Array<Scalar, K, 1>;
    Row factor[C];
    for (int c = 0; c < C; ++c) factor[c] = Eigen::Map<const Row>(x + c * K);
    for (Index i = 0; i < rows; ++i) {
      Row sum = L[i] * factor[0];
      for (int c = 1; c < C; ++c) sum += L[i + c * ld] * factor[c];
      Eigen::Map<Row>(y + i * K) -= sum;
    }
  }
}

/// sums[c] += sum of L(i, c) y[i] over so many rows, for C columns.
template <int K, int C, class Scalar>
void add_dots(const Scalar* __restrict L, Index ld, Index rows, const Scalar* __restrict y,
              Scalar* __restrict sums) {
  if constexpr (K == 1) {
    constexpr Index lanes = 32 / static_cast<Index>(sizeof(Scalar));
    using Packet = Eigen::Array<Scalar, lanes, 1>;
    Packet sum[C];
    for (Packet& s : sum) s.setZero();
    Index i = 0;
    for (; i + lanes <= rows; i += lanes) {
      const Packet at = Eigen::Map<const Packet>(y + i);
      for (int c = 0; c < C; ++c) sum[c] += Eigen::Map<const Packet>(L + i + c * ld) * at;
    }
    for (int c = 0; c < C; ++c) {
      Scalar rest = sum[c].sum();
      for (Index k = i; k < rows; ++k) rest += L[k + c * ld] * y[k];
      sums[c] += rest;
    }
  } else {
    using Row = Eigen::Array<Scalar, K, 1>;
    Row sum[C];
    for (Row& s : sum) s.setZero();
    for (Index i = 0; i < rows; ++i) {
      const Row at = Eigen::Map<const Row>(y + i * K);
      for (int c = 0; c < C; ++c) sum[c] += L[i + c * ld] * at;
    }
    for (int c = 0; c < C; ++c) Eigen::Map<Row>(sums + c * K) += sum[c];
  }
}

/// Four columns at a time, then one.
template <class Work>
void for_columns(int begin, int end, const Work& work) {
  int j = begin;
  for (; j + 4 <= end; j += 4) work.template operator()<4>(j);
  for (; j < end; ++j) work.template operator()<1>(j);
}
template <class Work>
void for_columns_backwards(int begin, int end, const Work& work) {
  int j = end;
  for (; (j - begin) % 4 != 0; --j) work.template operator()<1>(j - 1);
  for (; j > begin; j -= 4) work.template operator()<4>(j - 4);
}

/// Of a trapezoid of w columns and `rows` rows: y(0..w) := L11^-1 y(0..w), y(w..) -= L21 y(0..w).
template <int K, class Scalar>
void forward(const Scalar* L, Index ld, int w, Index rows, Scalar* y) {
  for_columns(0, w, [&]<int C>(int j) {
    const Scalar* column = L + j + j * ld;
    Scalar* at = y + static_cast<Index>(j) * K;
    for (int a = 0; a < C; ++a) {
      for (int k = 0; k < K; ++k) at[a * K + k] /= column[a + a * ld];
      for (int b = a + 1; b < C; ++b)
        for (int k = 0; k < K; ++k) at[b * K + k] -= column[b + a * ld] * at[a * K + k];
    }
    subtract<K, C>(column + C, ld, rows - j - C, at, at + C * K);
  });
}

/// y(0..w) := L11^-T (y(0..w) - L21^T y(w..)).
template <int K, class Scalar>
void backward(const Scalar* L, Index ld, int w, Index rows, Scalar* y) {
  for_columns_backwards(0, w, [&]<int C>(int j) {
    const Scalar* column = L + j + j * ld;
    Scalar* at = y + static_cast<Index>(j) * K;
    Scalar sums[C * K] = {};
    add_dots<K, C>(column + C, ld, rows - j - C, at + C * K, sums);
    for (int a = C - 1; a >= 0; --a)
      for (int k = 0; k < K; ++k) {
        Scalar value = at[a * K + k] - sums[a * K + k];
        for (int b = a + 1; b < C; ++b) value -= column[b + a * ld] * at[b * K + k];
        at[a * K + k] = value / column[a + a * ld];
      }
  });
}

constexpr int wave = 128;         // columns of a large supernode that are solved for at once
constexpr Index row_piece = 512;  // rows and
constexpr int col_piece = 16;     // columns that a thread takes

int num_pieces(Index size, Index piece) {
  return static_cast<int>((size + piece - 1) / piece);
}

}  // namespace

template <class Scalar>
template <int K>
void SupernodalFactor<Scalar>::forward_subtree(const Subtree& subtree, Scalar* x, Scalar* outer) {
  Scratch scratch(*this, static_cast<Index>(subtree.widest) * K);
  Scalar* const y = scratch.data();
  const Index stride = static_cast<Index>(block_) * K;
  for (int s = subtree.begin; s < subtree.end; ++s) {
    const int w = width(s);
    Scalar* own = x + nodes_.col_begin[s] * stride;
    std::copy_n(own, w * K, y);
    std::fill_n(y + w * K, height(s) * K, Scalar(0));
    forward<K>(columns(s), front(s), w, front(s), y);
    std::copy_n(y, w * K, own);
    const auto rows = nodes_.rows_of(s);
    const int* outer_rows = outer_row_.data() + nodes_.row_begin[s];
    const Scalar* from = y + w * K;
    for (int k = 0; k < nodes_.num_rows(s); ++k, from += stride) {
      Scalar* to = k < outer_begin_[s] ? x + rows[k] * stride : outer + outer_rows[k] * stride;
      for (Index i = 0; i < stride; ++i) to[i] += from[i];
    }
  }
}

template <class Scalar>
template <int K>
void SupernodalFactor<Scalar>::backward_subtree(const Subtree& subtree, Scalar* x) {
  Scratch scratch(*this, static_cast<Index>(subtree.widest) * K);
  Scalar* const y = scratch.data();
  const Index stride = static_cast<Index>(block_) * K;
  for (int s = subtree.end - 1; s >= subtree.begin; --s) {
    const int w = width(s);
    Scalar* own = x + nodes_.col_begin[s] * stride;
    std::copy_n(own, w * K, y);
    Scalar* to = y + w * K;
    for (const int row : nodes_.rows_of(s)) to = std::copy_n(x + row * stride, stride, to);
    backward<K>(columns(s), front(s), w, front(s), y);
    std::copy_n(y, w * K, own);
  }
}

template <class Scalar>
template <int K>
void SupernodalFactor<Scalar>::forward_large(int s, Scalar* x, const core::Executor& executor) {
  const int w = width(s), r = height(s);
  const Index ld = front(s), stride = static_cast<Index>(block_) * K;
  const Scalar* const L = columns(s);
  Scalar* const own = x + nodes_.col_begin[s] * stride;
  Scalar* const below = below_.data() + below_begin_[s] * K;
  std::fill_n(below, static_cast<Index>(r) * K, Scalar(0));
  for (int k = 0; k < w; k += wave) {
    const int n = std::min(wave, w - k), next = k + n;
    Scalar* solved = own + static_cast<Index>(k) * K;
    forward<K>(L + k + k * ld, ld, n, n, solved);
    const int inner = num_pieces(w - next, row_piece);
    executor.for_each(inner + num_pieces(r, row_piece), [&](int piece) {
      const bool is_inner = piece < inner;
      const Index first = is_inner ? next + piece * row_piece : w + (piece - inner) * row_piece;
      const Index rows = std::min(row_piece, (is_inner ? w : w + r) - first);
      Scalar* y = is_inner ? own + first * K : below + (first - w) * K;
      for_columns(k, next, [&]<int C>(int j) {
        subtract<K, C>(L + first + j * ld, ld, rows, own + static_cast<Index>(j) * K, y);
      });
    });
  }
}

template <class Scalar>
template <int K>
void SupernodalFactor<Scalar>::backward_large(int s, Scalar* x, const core::Executor& executor) {
  const int w = width(s), r = height(s);
  const Index ld = front(s), stride = static_cast<Index>(block_) * K;
  const Scalar* const L = columns(s);
  Scalar* const own = x + nodes_.col_begin[s] * stride;
  Scalar* const below = below_.data() + below_begin_[s] * K;
  Scalar* to = below;
  for (const int row : nodes_.rows_of(s)) to = std::copy_n(x + row * stride, stride, to);
  // own(0..cols) -= L(first.., 0..cols)^T y
  const auto subtract_dots = [&](int cols, Index first, Index rows, const Scalar* y) {
    executor.for_each(num_pieces(cols, col_piece), [&](int piece) {
      const int begin = piece * col_piece;
      for_columns(begin, std::min(begin + col_piece, cols), [&]<int C>(int j) {
        Scalar sums[C * K] = {};
        add_dots<K, C>(L + first + j * ld, ld, rows, y, sums);
        for (int i = 0; i < C * K; ++i) own[static_cast<Index>(j) * K + i] -= sums[i];
      });
    });
  };
  subtract_dots(w, w, r, below);
  for (int end = w; end > 0;) {
    const int begin = (end - 1) / wave * wave, n = end - begin;
    Scalar* solved = own + static_cast<Index>(begin) * K;
    backward<K>(L + begin + begin * ld, ld, n, n, solved);
    subtract_dots(begin, begin, n, solved);
    end = begin;
  }
}

template <class Scalar>
template <int K>
void SupernodalFactor<Scalar>::solve_columns(const MatIn& B, MatOut X, Index first, Index count,
                                             const core::Executor& executor) {
  const auto num_blocks = static_cast<int>(nodes_.order.size());
  const Index stride = static_cast<Index>(block_) * K;
  const auto grow = [](std::vector<Scalar>& vector, Index size) {
    if (static_cast<Index>(vector.size()) < size) vector.resize(static_cast<std::size_t>(size));
  };
  grow(x_, num_blocks * stride);
  grow(outer_, outer_size_ * K);
  grow(below_, below_size_ * K);
  Scalar* const x = x_.data();
  // work(row of B or X, where it is in x, number of the right-hand side)
  const auto for_each_entry = [&](const auto& work) {
    constexpr int piece = 4096;  // blocks
    executor.for_each(num_pieces(num_blocks, piece), [&](int p) {
      for (int k = p * piece; k < std::min(num_blocks, (p + 1) * piece); ++k)
        for (int i = 0; i < block_; ++i)
          for (int c = 0; c < K; ++c)
            work(static_cast<Index>(nodes_.order[k]) * block_ + i, k * stride + i * K + c, c);
    });
  };
  for_each_entry([&](Index row, Index at, int c) {
    x[at] = c < count ? static_cast<Scalar>(B(row, first + c)) : Scalar(0);
  });
  executor.for_each(num_subtrees(), [&](int t) {
    const Subtree& subtree = subtrees_[t];
    Scalar* outer = outer_.data() + subtree.outer_begin * K;
    std::fill_n(outer, static_cast<Index>(height(subtree.end - 1)) * K, Scalar(0));
    forward_subtree<K>(subtree, x, outer);
  });
  // several may have rows in common: one after the other
  const auto hand_on = [&](int s, const Scalar* from) {
    for (const int row : nodes_.rows_of(s))
      for (Index i = 0; i < stride; ++i) x[row * stride + i] += *from++;
  };
  for (const Subtree& subtree : subtrees_)
    hand_on(subtree.end - 1, outer_.data() + subtree.outer_begin * K);
  for (const std::vector<int>& level : large_) {
    const auto size = static_cast<int>(level.size());
    executor.for_each(size, [&](int k) { forward_large<K>(level[k], x, executor); });
    for (const int s : level) hand_on(s, below_.data() + below_begin_[s] * K);
  }
  for (std::size_t depth = large_.size(); depth-- > 0;) {
    const std::vector<int>& level = large_[depth];
    executor.for_each(static_cast<int>(level.size()),
                      [&](int k) { backward_large<K>(level[k], x, executor); });
  }
  executor.for_each(num_subtrees(), [&](int t) { backward_subtree<K>(subtrees_[t], x); });
  for_each_entry([&](Index row, Index at, int c) {
    if (c < count) X(row, first + c) = static_cast<double>(x[at]);
  });
}

template <class Scalar>
void SupernodalFactor<Scalar>::solve(const MatIn& B, MatOut X, const core::Executor& executor) {
  // reading the factor costs most: rather a few columns of zeros than a second sweep
  for (Index first = 0; first < B.cols();) {
    const Index count = std::min<Index>(8, B.cols() - first);
    if (count > 4)
      solve_columns<8>(B, X, first, count, executor);
    else if (count > 2)
      solve_columns<4>(B, X, first, count, executor);
    else if (count == 2)
      solve_columns<2>(B, X, first, count, executor);
    else
      solve_columns<1>(B, X, first, count, executor);
    first += count;
  }
}

template void SupernodalFactor<float>::solve(const MatIn&, MatOut, const core::Executor&);
template void SupernodalFactor<double>::solve(const MatIn&, MatOut, const core::Executor&);

}  // namespace sinew::la
