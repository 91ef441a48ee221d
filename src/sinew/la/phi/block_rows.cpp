// SPDX-License-Identifier: Apache-2.0
#include <sinew/core/error.hpp>
#include <sinew/la/phi/block_rows.hpp>

namespace sinew::la {
namespace {

using Four = Eigen::Vector4d;

Four load(const double* at) {
  return Eigen::Map<const Four>(at);
}

}  // namespace

void BlockRows::Vectors::read(const MatIn& X) {
  for (Index k = 0; k < X.rows() / 3; ++k)
    for (Index c = 0; c < columns_; ++c)
      for (Index i = 0; i < 3; ++i) node(k)[4 * c + i] = X(3 * k + i, c);
}

void BlockRows::Vectors::write(MatOut X) const {
  for (Index k = 0; k < X.rows() / 3; ++k)
    for (Index c = 0; c < columns_; ++c)
      for (Index i = 0; i < 3; ++i) X(3 * k + i, c) = node(k)[4 * c + i];
}

void BlockRows::assign(const SymmetricMatrix& A) {
  SINEW_ASSERT(A.pattern().block_size() == 3, "rows of 3x3 blocks only");
  executor_ = &A.executor();
  if (pattern_ != A.shared_pattern()) {
    pattern_ = A.shared_pattern();
    const int n = pattern_->num_blocks();
    start_.assign(static_cast<std::size_t>(n) + 1, 0);
    for (int row = 0; row < n; ++row)
      for (int k = pattern_->row_begin(row); k < pattern_->row_end(row); ++k) {
        ++start_[row + 1];
        if (pattern_->cols()[k] != row) ++start_[pattern_->cols()[k] + 1];
      }
    for (int row = 0; row < n; ++row) start_[row + 1] += start_[row];
    columns_.resize(start_.back());
    source_.resize(start_.back());
    std::vector<int> next(start_.begin(), start_.end() - 1);
    // rows in order: columns of every row come out sorted
    for (int row = 0; row < n; ++row)
      for (int k = pattern_->row_begin(row); k < pattern_->row_end(row); ++k) {
        const int column = pattern_->cols()[k];
        if (column == row) continue;
        columns_[next[column]] = row;
        source_[next[column]++] = -1 - k;
      }
    for (int row = 0; row < n; ++row)
      for (int k = pattern_->row_begin(row); k < pattern_->row_end(row); ++k) {
        columns_[next[row]] = pattern_->cols()[k];
        source_[next[row]++] = k;
      }
    values_.setZero(9 * static_cast<Index>(columns_.size()) + 4);  // loads reach one too far
  }
  for (std::size_t b = 0; b < source_.size(); ++b) {
    const bool transposed = source_[b] < 0;
    const double* from = A.block(transposed ? -1 - source_[b] : source_[b]);
    double* to = values_.data() + 9 * b;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) to[3 * j + i] = transposed ? from[3 * j + i] : from[3 * i + j];
  }
}

template <int Columns>
void BlockRows::advance_rows(int begin, int end, const Vectors& current, Vectors& previous,
                             const Vectors& d, double a, double b, double c, const Mat& C,
                             Vectors& Y) const {
  for (int row = begin; row < end; ++row) {
    Four sum[Columns];
    for (Four& s : sum) s.setZero();
    for (int k = start_[row]; k < start_[row + 1]; ++k) {
      const double* block = values_.data() + 9 * static_cast<Index>(k);
      const Four first = load(block), second = load(block + 3), third = load(block + 6);
      const double* x = current.node(columns_[k]);
      for (int v = 0; v < Columns; ++v)
        sum[v] += first * x[4 * v] + second * x[4 * v + 1] + third * x[4 * v + 2];
    }
    const Four scale = a * load(d.node(row));
    const double* now = current.node(row);
    double* out = previous.node(row);
    double* y = Y.node(row);
    for (int v = 0; v < Columns; ++v) {
      sum[v] = scale.cwiseProduct(sum[v]) - b * load(now + 4 * v) - c * load(out + 4 * v);
      Eigen::Map<Four>(out + 4 * v) = sum[v];
    }
    for (Index i = 0; i < Y.columns(); ++i) {
      Four total = load(y + 4 * i);
      for (int v = 0; v < Columns; ++v) total += C(i, v) * sum[v];
      Eigen::Map<Four>(y + 4 * i) = total;
    }
  }
}

void BlockRows::advance(const Vectors& current, Vectors& previous, const Vectors& d, double a,
                        double b, double c, const Mat& C, Vectors& Y) const {
  constexpr int rows_per_piece = 1024;
  const int n = pattern_->num_blocks();
  executor_->for_each((n + rows_per_piece - 1) / rows_per_piece, [&](int piece) {
    const int begin = piece * rows_per_piece, end = std::min(n, begin + rows_per_piece);
    switch (current.columns()) {
      case 1:
        return advance_rows<1>(begin, end, current, previous, d, a, b, c, C, Y);
      case 2:
        return advance_rows<2>(begin, end, current, previous, d, a, b, c, C, Y);
      case 3:
        return advance_rows<3>(begin, end, current, previous, d, a, b, c, C, Y);
      default:
        return advance_rows<4>(begin, end, current, previous, d, a, b, c, C, Y);
    }
  });
}

}  // namespace sinew::la
