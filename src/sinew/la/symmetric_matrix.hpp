// SPDX-License-Identifier: Apache-2.0
// A symmetric matrix of small square blocks, upper triangle only. Block (a, b), a <= b, is stored
// row by row at values[slot * bs^2]; diagonal blocks are stored whole. Assembly adds straight into
// the slots; the product works on parts that never write to the same rows at once.
#pragma once

#include <initializer_list>
#include <memory>
#include <vector>

#include <sinew/core/executor.hpp>
#include <sinew/la/block_pattern.hpp>
#include <sinew/la/linear_operator.hpp>

namespace sinew::la {

class SymmetricMatrix final : public LinearOperator {
 public:
  explicit SymmetricMatrix(std::shared_ptr<const BlockPattern> pattern,
                           const core::Executor& executor = core::serial_executor());
  /// From a small dense symmetric matrix; its lower triangle is not read.
  static SymmetricMatrix from_dense(const Mat& dense);
  static SymmetricMatrix from_diagonal(const Vec& diagonal);

  Index size() const override { return pattern_->size(); }
  const SymmetricMatrix* assembled() const override { return this; }
  const BlockPattern& pattern() const { return *pattern_; }
  const core::Executor& executor() const { return *executor_; }
  const std::shared_ptr<const BlockPattern>& shared_pattern() const { return pattern_; }

  double* values() { return values_.data(); }
  const double* values() const { return values_.data(); }
  double* block(int slot) { return values_.data() + static_cast<Index>(slot) * block_area_; }
  const double* block(int slot) const {
    return values_.data() + static_cast<Index>(slot) * block_area_;
  }

  /// Adds to entry (i, j) and its mirror; the entry must be in the pattern. Logarithmic.
  void add(Index i, Index j, double value);
  void set_zero() { set_combination({}); }
  /// this += factor * other, of the same pattern.
  void add_scaled(double factor, const SymmetricMatrix& other);

  /// Takes over another pattern, with all values zero.
  void reset(std::shared_ptr<const BlockPattern> pattern);

  struct Scaled {
    double factor;
    const SymmetricMatrix* matrix;
  };
  /// this = sum of factor * matrix over terms with the same pattern.
  void set_combination(std::initializer_list<Scaled> terms);

  Vec diagonal() const;
  /// Of the absolute values of the entries.
  Vec absolute_row_sums() const;
  bool all_finite() const;
  Mat to_dense() const;

 private:
  void do_apply(const VecIn& x, VecOut y) const override;
  void do_apply_columns(const MatIn& X, MatOut Y) const override;
  void apply_rows(int begin, int end, const double* x, double* y) const;
  /// The same for 3x3 blocks. Columns of x and y lie `stride` apart.
  template <int Columns>
  void apply_rows_of_three(int begin, int end, const double* x, double* y, Index x_stride,
                           Index y_stride) const;
  using Four = Eigen::Array4d;
  void apply_rows_to_four(int begin, int end, const Four* x, Four* y) const;
  void apply_to_four(const MatIn& X, MatOut Y) const;
  /// work(first row, end) for parts that may run at the same time.
  template <class Work>
  void for_each_part(const Work& work) const;
  template <int Columns>
  void apply_parts(const double* x, double* y, Index x_stride, Index y_stride) const;
  /// work(begin, end) for pieces of vectors, on all threads.
  template <class Work>
  void for_rows(const Work& work) const;
  /// work(begin, size) for pieces of the values, likewise.
  template <class Work>
  void for_values(const Work& work) const;

  std::shared_ptr<const BlockPattern> pattern_;
  const core::Executor* executor_;
  Index block_area_ = 1;
  Vec values_;
};

}  // namespace sinew::la
