// SPDX-License-Identifier: Apache-2.0
#include <random>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include <sinew/core/error.hpp>
#include <sinew/la/restricted_operator.hpp>
#include <sinew/la/symmetric_matrix.hpp>

namespace sinew::la {
namespace {

/// A banded random matrix with many rows, so that the product has several parts.
SymmetricMatrix random_banded(int blocks, int block_size, int band,
                              const core::Executor& executor) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < blocks; ++i)
    for (int k = 1; k <= band && i + k < blocks; k += 2) pairs.emplace_back(i + k, i);
  SymmetricMatrix matrix(BlockPattern::build(blocks, block_size, pairs), executor);
  const BlockPattern& pattern = matrix.pattern();
  for (int row = 0; row < blocks; ++row)
    for (int slot = pattern.row_begin(row); slot < pattern.row_end(row); ++slot)
      for (int i = 0; i < block_size; ++i)
        for (int j = pattern.cols()[slot] == row ? i : 0; j < block_size; ++j)
          matrix.add(row * block_size + i, pattern.cols()[slot] * block_size + j, value(random));
  return matrix;
}

TEST(SymmetricMatrix, MultipliesLikeItsDenseTwin) {
  for (const int block_size : {1, 2, 3}) {
    const SymmetricMatrix matrix = random_banded(40, block_size, 7, core::serial_executor());
    const Vec x = Vec::LinSpaced(matrix.size(), -1.0, 2.0);
    Vec y(matrix.size());

    matrix.apply(x, y);

    const Mat dense = matrix.to_dense();
    EXPECT_EQ(dense, dense.transpose());
    // forty rows of at most 24 terms of size one
    EXPECT_LT((y - dense * x).lpNorm<Eigen::Infinity>(), 1e-13);
  }
}

TEST(SymmetricMatrix, GivesTheSameBitsOnAnyNumberOfThreads) {
  const core::Executor two(2), eight(8);
  const SymmetricMatrix serial = random_banded(9000, 3, 9, core::serial_executor());
  ASSERT_GT(serial.pattern().parts().size(), 4u);
  const Vec x = Vec::LinSpaced(serial.size(), -1.0, 2.0);
  Vec expected(x.size()), y(x.size());
  serial.apply(x, expected);

  for (const core::Executor* executor : {&two, &eight}) {
    const SymmetricMatrix parallel = random_banded(9000, 3, 9, *executor);
    parallel.apply(x, y);
    EXPECT_EQ(y, expected);
  }
}

TEST(SymmetricMatrix, CombinesMatricesOfOnePatternOnly) {
  const SymmetricMatrix a = random_banded(10, 3, 3, core::serial_executor());
  SymmetricMatrix b(a.shared_pattern()), c(a.shared_pattern());
  b.set_combination({{2.0, &a}});

  c.set_combination({{1.0, &a}, {-0.5, &b}});

  EXPECT_LT(c.to_dense().norm(), 1e-14);
  const SymmetricMatrix other = random_banded(10, 3, 3, core::serial_executor());
  EXPECT_THROW(c.set_combination({{1.0, &other}}), InternalError);
}

TEST(SymmetricMatrix, RefusesEntriesOutsideItsPattern) {
  SymmetricMatrix matrix(BlockPattern::diagonal(4));

  EXPECT_THROW(matrix.add(0, 1, 1.0), InternalError);
}

TEST(BlockPattern, ItsVersionSaysWhatItIs) {
  EXPECT_EQ(BlockPattern::dense(3)->version(), BlockPattern::dense(3)->version());
  EXPECT_NE(BlockPattern::dense(3)->version(), BlockPattern::dense(4)->version());
  EXPECT_NE(BlockPattern::build(4, 3, {{0, 1}, {2, 3}})->version(),
            BlockPattern::build(4, 3, {{0, 1}, {1, 3}})->version());
}

TEST(RestrictedOperator, IsTheBlockOfTheWhole) {
  const SymmetricMatrix matrix = random_banded(6, 1, 5, core::serial_executor());
  RestrictedOperator block(matrix, {0, 4}, {1, 2, 5});
  Vec y(2);

  block.apply(Vec{{1.0, 2.0, 3.0}}, y);

  const Mat dense = matrix.to_dense();
  for (int k = 0; k < 2; ++k) {
    const Index row = k == 0 ? 0 : 4;
    EXPECT_NEAR(y[k], dense(row, 1) + 2 * dense(row, 2) + 3 * dense(row, 5), 1e-15);
  }
}

TEST(SymmetricMatrix, MultipliesSeveralColumnsAsItDoesOne) {
  Mat A = Mat::Random(12, 12);
  A = (A + A.transpose()).eval();
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < 4; ++i)
    for (int j = i; j < 4; ++j) pairs.emplace_back(i, j);
  SymmetricMatrix matrix(BlockPattern::build(4, 3, pairs));
  for (Index i = 0; i < 12; ++i)
    for (Index j = i; j < 12; ++j) matrix.add(i, j, A(i, j));
  for (const Index columns : {1, 2, 3, 4, 5}) {
    const Mat X = Mat::Random(12, columns);
    Mat Y(12, columns);
    matrix.apply_columns(X, Y);
    EXPECT_LT((Y - A * X).norm(), 1e-13) << columns;
  }
}

TEST(BlockPattern, FindsItsConnectedPieces) {
  const auto pattern = BlockPattern::build(6, 1, {{0, 3}, {3, 5}, {1, 4}});
  EXPECT_EQ(pattern->pieces(), (std::vector<int>{0, 1, 2, 0, 1, 0}));
}

}  // namespace
}  // namespace sinew::la
