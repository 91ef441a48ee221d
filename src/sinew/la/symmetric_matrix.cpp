// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cmath>

#include <sinew/la/symmetric_matrix.hpp>

namespace sinew::la {

SymmetricMatrix::SymmetricMatrix(std::shared_ptr<const BlockPattern> pattern,
                                 const core::Executor& executor)
    : executor_(&executor) {
  reset(std::move(pattern));
}

SymmetricMatrix SymmetricMatrix::from_dense(const Mat& dense) {
  SymmetricMatrix matrix(BlockPattern::dense(static_cast<int>(dense.rows())));
  for (Index i = 0; i < dense.rows(); ++i)
    for (Index j = i; j < dense.cols(); ++j) matrix.add(i, j, dense(i, j));
  return matrix;
}

SymmetricMatrix SymmetricMatrix::from_diagonal(const Vec& diagonal) {
  SymmetricMatrix matrix(BlockPattern::diagonal(static_cast<int>(diagonal.size())));
  matrix.values_ = diagonal;
  return matrix;
}

void SymmetricMatrix::reset(std::shared_ptr<const BlockPattern> pattern) {
  pattern_ = std::move(pattern);
  block_area_ = static_cast<Index>(pattern_->block_size()) * pattern_->block_size();
  values_.setZero(pattern_->num_entries() * block_area_);
}

void SymmetricMatrix::add(Index i, Index j, double value) {
  const Index bs = pattern_->block_size();
  if (i / bs > j / bs) std::swap(i, j);
  const int slot = pattern_->slot(static_cast<int>(i / bs), static_cast<int>(j / bs));
  SINEW_ASSERT(slot >= 0, "entry outside the pattern");
  block(slot)[(i % bs) * bs + j % bs] += value;
  if (i / bs == j / bs && i != j) block(slot)[(j % bs) * bs + i % bs] += value;
}

template <class Work>
void SymmetricMatrix::for_values(const Work& work) const {
  constexpr Index piece = 16384;
  executor_->for_ranges(values_.size(), piece,
                        [&](Index begin, Index end) { work(begin, end - begin); });
}

void SymmetricMatrix::add_scaled(double factor, const SymmetricMatrix& other) {
  set_combination({{1.0, this}, {factor, &other}});
}

void SymmetricMatrix::set_combination(std::initializer_list<Scaled> terms) {
  for (const Scaled& term : terms)
    SINEW_ASSERT(term.matrix->pattern_ == pattern_, "combination of matrices with other patterns");
  for_values([&](Index begin, Index size) {
    auto values = values_.segment(begin, size);
    if (terms.size() == 0) values.setZero();
    for (const Scaled& term : terms)
      if (&term == terms.begin())
        values = term.factor * term.matrix->values_.segment(begin, size);
      else
        values += term.factor * term.matrix->values_.segment(begin, size);
  });
}

Vec SymmetricMatrix::diagonal() const {
  const int bs = pattern_->block_size();
  Vec result(size());
  for (int row = 0; row < pattern_->num_blocks(); ++row)
    for (int i = 0; i < bs; ++i)
      result[static_cast<Index>(row) * bs + i] = block(pattern_->row_begin(row))[i * bs + i];
  return result;
}

Mat SymmetricMatrix::to_dense() const {
  const int bs = pattern_->block_size();
  Mat dense = Mat::Zero(size(), size());
  for (int row = 0; row < pattern_->num_blocks(); ++row)
    for (int k = pattern_->row_begin(row); k < pattern_->row_end(row); ++k)
      for (int i = 0; i < bs; ++i)
        for (int j = 0; j < bs; ++j) {
          const Index r = static_cast<Index>(row) * bs + i;
          const Index c = static_cast<Index>(pattern_->cols()[k]) * bs + j;
          dense(r, c) = dense(c, r) = block(k)[i * bs + j];
        }
  return dense;
}

void SymmetricMatrix::apply_rows(int begin, int end, const double* x, double* y) const {
  const int bs = pattern_->block_size();
  const int* cols = pattern_->cols().data();
  for (int row = begin; row < end; ++row) {
    const double* x_row = x + static_cast<Index>(row) * bs;
    double* y_row = y + static_cast<Index>(row) * bs;
    int k = pattern_->row_begin(row);
    // the diagonal block comes first in its row and is stored whole
    const double* a = block(k);
    for (int i = 0; i < bs; ++i)
      for (int j = 0; j < bs; ++j) y_row[i] += a[i * bs + j] * x_row[j];
    for (++k; k < pattern_->row_end(row); ++k) {
      a = block(k);
      const double* x_col = x + static_cast<Index>(cols[k]) * bs;
      double* y_col = y + static_cast<Index>(cols[k]) * bs;
      for (int i = 0; i < bs; ++i)
        for (int j = 0; j < bs; ++j) {
          y_row[i] += a[i * bs + j] * x_col[j];
          y_col[j] += a[i * bs + j] * x_row[i];
        }
    }
  }
}

namespace {

// Four numbers in a register. Arrays of Eigen would be put together on the stack, and be waited
// for.
using Register [[gnu::vector_size(32)]] = double;

Register load_three(const double* at) {
  return Register{at[0], at[1], at[2], 0.0};
}

}  // namespace

template <int Columns>
void SymmetricMatrix::apply_rows_of_three(int begin, int end, const double* x, double* y,
                                          Index x_stride, Index y_stride) const {
  const int* cols = pattern_->cols().data();
  for (int row = begin; row < end; ++row) {
    const double* x_row = x + 3 * static_cast<Index>(row);
    double* y_row = y + 3 * static_cast<Index>(row);
    int k = pattern_->row_begin(row);
    const double* a = block(k);
    Register sums[Columns][3];
    for (int c = 0; c < Columns; ++c)
      for (int i = 0; i < 3; ++i)
        sums[c][i] = load_three(a + 3 * i) * load_three(x_row + c * x_stride);
    for (++k; k < pattern_->row_end(row); ++k) {
      a = block(k);
      const Register first = load_three(a), second = load_three(a + 3), third = load_three(a + 6);
      const Index at = 3 * static_cast<Index>(cols[k]);
      for (int c = 0; c < Columns; ++c) {
        const Register x_col = load_three(x + c * x_stride + at);
        sums[c][0] += first * x_col;
        sums[c][1] += second * x_col;
        sums[c][2] += third * x_col;
        const double* x_own = x_row + c * x_stride;
        const Register mirrored = first * x_own[0] + second * x_own[1] + third * x_own[2];
        double* y_col = y + c * y_stride + at;
        for (int j = 0; j < 3; ++j) y_col[j] += mirrored[j];
      }
    }
    for (int c = 0; c < Columns; ++c)
      for (int i = 0; i < 3; ++i) {
        const Register& sum = sums[c][i];
        y_row[c * y_stride + i] += (sum[0] + sum[1]) + sum[2];
      }
  }
}

void SymmetricMatrix::apply_rows_to_four(int begin, int end, const Four* x, Four* y) const {
  const int* cols = pattern_->cols().data();
  for (int row = begin; row < end; ++row) {
    const Four* x_row = x + 3 * static_cast<Index>(row);
    Four* y_row = y + 3 * static_cast<Index>(row);
    int k = pattern_->row_begin(row);
    const double* a = block(k);
    Four sum[3];
    for (int i = 0; i < 3; ++i)
      sum[i] = y_row[i] + a[3 * i] * x_row[0] + a[3 * i + 1] * x_row[1] + a[3 * i + 2] * x_row[2];
    for (++k; k < pattern_->row_end(row); ++k) {
      a = block(k);
      const Four* x_col = x + 3 * static_cast<Index>(cols[k]);
      Four* y_col = y + 3 * static_cast<Index>(cols[k]);
      for (int i = 0; i < 3; ++i)
        sum[i] += a[3 * i] * x_col[0] + a[3 * i + 1] * x_col[1] + a[3 * i + 2] * x_col[2];
      for (int j = 0; j < 3; ++j)
        y_col[j] += a[j] * x_row[0] + a[3 + j] * x_row[1] + a[6 + j] * x_row[2];
    }
    for (int i = 0; i < 3; ++i) y_row[i] = sum[i];
  }
}

template <class Work>
void SymmetricMatrix::for_rows(const Work& work) const {
  constexpr Index piece = 16384;
  executor_->for_ranges(size(), piece, work);
}

void SymmetricMatrix::apply_to_four(const MatIn& X, MatOut Y) const {
  // four numbers per row side by side: one register
  std::vector<Four> x(static_cast<std::size_t>(X.rows())), y(x.size(), Four::Zero());
  for_rows([&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) x[static_cast<std::size_t>(i)] = X.row(i).transpose();
  });
  for_each_part([&](int begin, int end) { apply_rows_to_four(begin, end, x.data(), y.data()); });
  for_rows([&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) Y.row(i) = y[static_cast<std::size_t>(i)].transpose();
  });
}

template <class Work>
void SymmetricMatrix::for_each_part(const Work& work) const {
  const std::span<const int> parts = pattern_->parts();
  const int num_parts = static_cast<int>(parts.size()) - 1;
  // a part writes to its own rows and to those of the next part: even parts first, then odd
  for (const int parity : {0, 1})
    executor_->for_each((num_parts + 1 - parity) / 2, [&](int piece) {
      const int part = 2 * piece + parity;
      work(parts[part], parts[part + 1]);
    });
}

Vec SymmetricMatrix::absolute_row_sums() const {
  const Index bs = pattern_->block_size();
  Vec sums = Vec::Zero(size());
  for_each_part([&](int begin, int end) {
    for (int row = begin; row < end; ++row)
      for (int k = pattern_->row_begin(row); k < pattern_->row_end(row); ++k) {
        const int column = pattern_->cols()[k];
        for (Index i = 0; i < bs; ++i)
          for (Index j = 0; j < bs; ++j) {
            const double size = std::abs(block(k)[i * bs + j]);
            sums[row * bs + i] += size;
            if (column != row) sums[column * bs + j] += size;
          }
      }
  });
  return sums;
}

bool SymmetricMatrix::all_finite() const {
  std::atomic<bool> result = true;
  for_values([&](Index begin, Index size) {
    if (!values_.segment(begin, size).allFinite()) result = false;
  });
  return result;
}

template <int Columns>
void SymmetricMatrix::apply_parts(const double* x, double* y, Index x_stride,
                                  Index y_stride) const {
  for_each_part([&](int begin, int end) {
    if (pattern_->block_size() == 3)
      apply_rows_of_three<Columns>(begin, end, x, y, x_stride, y_stride);
    else
      for (int c = 0; c < Columns; ++c) apply_rows(begin, end, x + c * x_stride, y + c * y_stride);
  });
}

void SymmetricMatrix::do_apply(const VecIn& x, VecOut y) const {
  for_rows([&](Index begin, Index end) { y.segment(begin, end - begin).setZero(); });
  apply_parts<1>(x.data(), y.data(), 0, 0);
}

void SymmetricMatrix::do_apply_columns(const MatIn& X, MatOut Y) const {
  for_rows([&](Index begin, Index end) { Y.middleRows(begin, end - begin).setZero(); });
  // several at a time: each block is then read once for all
  Index c = 0;
  if (pattern_->block_size() == 3)
    for (; c + 3 < X.cols(); c += 4) apply_to_four(X.middleCols(c, 4), Y.middleCols(c, 4));
  const auto apply = [&]<int Columns>() {
    apply_parts<Columns>(X.col(c).data(), Y.col(c).data(), X.outerStride(), Y.outerStride());
    c += Columns;
  };
  while (X.cols() - c > 3) apply.template operator()<2>();
  if (X.cols() - c == 3) apply.template operator()<3>();
  if (X.cols() - c == 2) apply.template operator()<2>();
  if (X.cols() - c == 1) apply.template operator()<1>();
}

}  // namespace sinew::la
