// SPDX-License-Identifier: Apache-2.0
// The own sparse factor against dense algebra, on patterns of every shape.
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include <sinew/la/dense/cholesky.hpp>
#include <sinew/la/factor/fill_reducing_order.hpp>
#include <sinew/la/factor/supernodal_factor.hpp>

namespace sinew::la {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

/// Random blocks on a pattern, made definite by their diagonal. `excess`: how far.
SymmetricMatrix random_matrix(int num_blocks, int block_size, Pairs pairs, std::mt19937& random,
                              double excess = 1.0) {
  SymmetricMatrix A(BlockPattern::build(num_blocks, block_size, std::move(pairs)));
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const BlockPattern& pattern = A.pattern();
  Vec sums = Vec::Zero(A.size());
  for (int row = 0; row < num_blocks; ++row)
    for (int slot = pattern.row_begin(row); slot < pattern.row_end(row); ++slot)
      for (int i = 0; i < block_size; ++i)
        for (int j = 0; j < block_size; ++j) {
          const Index a = static_cast<Index>(row) * block_size + i,
                      b = static_cast<Index>(pattern.cols()[slot]) * block_size + j;
          if (a >= b) continue;
          const double value = number(random);
          A.add(a, b, value);
          sums[a] += std::abs(value);
          sums[b] += std::abs(value);
        }
  for (Index k = 0; k < A.size(); ++k) A.add(k, k, sums[k] + excess);
  return A;
}

struct Shape {
  const char* name;
  int num_blocks, block_size;
  Pairs pairs;
};

std::vector<Shape> shapes() {
  std::mt19937 random(5);
  std::vector<Shape> result;
  const auto number = [&](int below) { return static_cast<int>(random() % below); };
  result.push_back({"one", 1, 3, {}});
  result.push_back({"diagonal", 40, 3, {}});
  Shape chain{"chain", 200, 3, {}}, arrow{"arrow", 90, 2, {}}, dense{"dense", 170, 3, {}},
      tree{"tree", 500, 1, {}}, sparse{"sparse", 300, 3, {}}, pieces{"pieces", 240, 3, {}},
      grid{"grid", 10 * 11 * 12, 3, {}};
  for (int k = 1; k < 200; ++k) chain.pairs.emplace_back(k - 1, k);
  for (int k = 1; k < 90; ++k) arrow.pairs.emplace_back(0, k);
  for (int a = 0; a < 170; ++a)
    for (int b = 0; b < a; ++b) dense.pairs.emplace_back(b, a);
  for (int k = 1; k < 500; ++k) tree.pairs.emplace_back(number(k), k);
  for (int k = 0; k < 900; ++k) sparse.pairs.emplace_back(number(300), number(300));
  for (int k = 0; k < 700; ++k) {  // three that do not touch
    const int piece = 80 * number(3);
    pieces.pairs.emplace_back(piece + number(80), piece + number(80));
  }
  for (int k = 0; k < grid.num_blocks; ++k) {
    if (k % 12 != 11) grid.pairs.emplace_back(k, k + 1);
    if (k / 12 % 11 != 10) grid.pairs.emplace_back(k, k + 12);
    if (k + 132 < grid.num_blocks) grid.pairs.emplace_back(k, k + 132);
  }
  for (Shape* shape : {&chain, &arrow, &dense, &tree, &sparse, &pieces, &grid})
    result.push_back(std::move(*shape));
  return result;
}

Supernodes nodes_of(const BlockPattern& pattern) {
  const Graph graph = pattern.graph();
  return find_supernodes(graph, fill_reducing_order(graph), pattern.block_size());
}

template <class Scalar>
struct Factored {
  explicit Factored(const SymmetricMatrix& A, int threads = 1) : executor(threads) {
    factor.analyze(A.pattern(), nodes_of(A.pattern()));
    is_definite = factor.factorize(A, executor);
  }
  Mat solve(const Mat& B) {
    Mat X = Mat::Constant(B.rows(), B.cols(), 7.0);
    factor.solve(B, X, executor);
    return X;
  }
  core::Executor executor;
  SupernodalFactor<Scalar> factor;
  bool is_definite;
};

class EveryShape : public testing::TestWithParam<Shape> {
 protected:
  SymmetricMatrix matrix(double excess = 1.0) {
    std::mt19937 random(11);
    return random_matrix(GetParam().num_blocks, GetParam().block_size, GetParam().pairs, random,
                         excess);
  }
};

TEST_P(EveryShape, SolvesAsDenseAlgebraDoesForAnyNumberOfRightHandSides) {
  const SymmetricMatrix A = matrix();
  const DenseCholesky dense(A.to_dense());
  Factored<double> full(A);
  Factored<float> single(A);
  ASSERT_TRUE(full.is_definite && single.is_definite);
  for (const Index columns : {0, 1, 2, 3, 4, 5, 8, 9, 17}) {
    const Mat B = Mat::Random(A.size(), columns), expected = dense.solve(B);
    EXPECT_LE((full.solve(B) - expected).norm(), 1e-13 * expected.norm()) << columns;
    EXPECT_LE((single.solve(B) - expected).norm(), 1e-4 * expected.norm()) << columns;
  }
}

TEST_P(EveryShape, NothingOfTheFactorLiesOutsideTheSupernodes) {
  const SymmetricMatrix A = matrix();
  const Supernodes nodes = nodes_of(A.pattern());
  const int n = A.pattern().num_blocks(), bs = A.pattern().block_size();
  std::vector<int> sorted = nodes.order;
  std::sort(sorted.begin(), sorted.end());
  std::vector<int> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  ASSERT_EQ(sorted, all);
  ASSERT_EQ(nodes.col_begin.back(), n);
  // the dense factor in the same order
  Mat P(A.size(), A.size());
  const Mat dense = A.to_dense();
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b)
      P.block(a * bs, b * bs, bs, bs) =
          dense.block(nodes.order[a] * bs, nodes.order[b] * bs, bs, bs);
  const Mat L = DenseCholesky(P).multiply_upper(Mat::Identity(P.rows(), P.rows())).transpose();
  Index blocks = 0, stored = 0;
  for (int s = 0; s < nodes.size(); ++s) {
    const auto rows = nodes.rows_of(s);
    EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
    EXPECT_EQ(nodes.parent[s], rows.empty() ? -1 : nodes.supernode_of[rows.front()]);
    for (int col = nodes.col_begin[s]; col < nodes.col_begin[s + 1]; ++col) {
      EXPECT_EQ(nodes.supernode_of[col], s);
      stored += nodes.col_begin[s + 1] - col + static_cast<Index>(rows.size());
      for (int row = col; row < n; ++row) {
        if (L.block(row * bs, col * bs, bs, bs).isZero(0.0)) continue;
        ++blocks;
        EXPECT_TRUE(row < nodes.col_begin[s + 1] ||
                    std::binary_search(rows.begin(), rows.end(), row))
            << row << " " << col;
      }
    }
  }
  EXPECT_LE(static_cast<double>(stored), 2.5 * static_cast<double>(blocks)) << "zeros are few";
}

TEST_P(EveryShape, ThreadsDoNotChangeABit) {
  const SymmetricMatrix A = matrix();
  const Mat B = Mat::Random(A.size(), 3);
  Factored<float> one(A), three(A, 3);
  Factored<double> one_full(A), three_full(A, 3);
  EXPECT_EQ(one.solve(B), three.solve(B));
  EXPECT_EQ(one_full.solve(B.leftCols(1)), three_full.solve(B.leftCols(1)));
}

TEST_P(EveryShape, SeesWhereverAMatrixIsNotDefinite) {
  SymmetricMatrix A = matrix();
  for (const int part : {0, 1, 2, 3}) {
    SymmetricMatrix bad = A;
    const Index k = part * (A.size() - 1) / 3;
    bad.add(k, k, -2.0 * A.diagonal()[k]);
    EXPECT_FALSE(Factored<double>(bad).is_definite) << k;
    EXPECT_FALSE(Factored<float>(bad, 2).is_definite) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Patterns, EveryShape, testing::ValuesIn(shapes()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(SupernodalFactor, SinglePrecisionGivesUpWhereItCannotTell) {
  // a chain held by next to nothing
  Mat dense = Mat::Zero(50, 50);
  for (Index k = 0; k < 50; ++k) {
    dense(k, k) = (k == 49 ? 1.0 : 2.0) + (k == 0 ? -1.0 : 0.0) + 1e-12;
    if (k < 49) dense(k, k + 1) = -1.0;
  }
  const SymmetricMatrix A = SymmetricMatrix::from_dense(dense);
  EXPECT_TRUE(Factored<double>(A).is_definite);
  // whatever it says, no number of it is wild
  Factored<float> single(A);
  EXPECT_TRUE(!single.is_definite || single.solve(Mat::Ones(50, 1)).allFinite());
  SymmetricMatrix huge = SymmetricMatrix::from_diagonal(Vec{{1e300, 1.0}});
  EXPECT_FALSE(Factored<float>(huge).is_definite) << "beyond its range";
}

TEST(SupernodalFactor, LargeMatricesAreCutIntoWorkForManyThreads) {
  Pairs pairs;
  const int n = 24;
  for (int k = 0; k < n * n * n; ++k) {
    if (k % n != n - 1) pairs.emplace_back(k, k + 1);
    if (k / n % n != n - 1) pairs.emplace_back(k, k + n);
    if (k + n * n < n * n * n) pairs.emplace_back(k, k + n * n);
  }
  std::mt19937 random(3);
  const SymmetricMatrix A = random_matrix(n * n * n, 3, pairs, random);
  Factored<float> factored(A, 2);
  ASSERT_TRUE(factored.is_definite);
  EXPECT_GE(factored.factor.num_subtrees(), 64);
  const Mat B = Mat::Random(A.size(), 2), X = factored.solve(B);
  Mat AX(B.rows(), B.cols());
  A.apply_columns(X, AX);
  EXPECT_LT((AX - B).norm(), 1e-4 * B.norm());
}

}  // namespace
}  // namespace sinew::la
