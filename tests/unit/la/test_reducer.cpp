// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <gtest/gtest.h>

#include <sinew/la/solvers/cg.hpp>
#include <sinew/la/solvers/lagged_solver.hpp>
#include <sinew/la/symmetric_matrix.hpp>

#include "support/reducers.hpp"

namespace sinew::la {
namespace {

TEST(Reducer, ReducesOnceWhateverTheNumberOfColumns) {
  const Mat X = Mat::Random(30, 7), Y = Mat::Random(30, 4);
  const Vec y = Vec::Random(30);
  const test::CountingReducer reducer;
  const auto cost = [&](const auto& compute) {
    const long before = reducer.reductions();
    static_cast<void>(compute());
    return reducer.reductions() - before;
  };
  EXPECT_EQ(cost([&] { return reducer.gram(X, X); }), 1);
  EXPECT_EQ(cost([&] { return reducer.gram(X, Y); }), 1);
  EXPECT_EQ(cost([&] { return reducer.dots(X, y); }), 1);
  EXPECT_EQ(cost([&] { return reducer.column_dots(X, X); }), 1);
  EXPECT_EQ(cost([&] { return reducer.norm(y); }), 1);
  EXPECT_EQ(cost([&] { return reducer.max_abs(y); }), 1);
  EXPECT_EQ(cost([&] { return reducer.all_finite(y); }), 1);
  // every process has the same columns, so all of them know that there is nothing to wait for
  EXPECT_EQ(cost([&] { return reducer.gram(X.leftCols(0), Y); }), 0);
  EXPECT_EQ(reducer.maxima(), 2);
}

TEST(Reducer, ColumnsAreSummedAsSingleVectorsAre) {
  const Mat X = Mat::Random(53, 5), Y = Mat::Random(53, 5);
  const Reducer& serial = serial_reducer();
  const Vec dots = serial.dots(X, Y.col(2)), diagonal = serial.column_dots(X, Y);
  for (Index c = 0; c < X.cols(); ++c) {
    EXPECT_EQ(dots[c], serial.dot(X.col(c), Y.col(2)));
    EXPECT_EQ(diagonal[c], serial.dot(X.col(c), Y.col(c)));
  }
  EXPECT_LT((serial.gram(X, Y) - X.transpose() * Y).norm(), 1e-14);
}

TEST(Reducer, ThreadsDoNotChangeABit) {
  const core::Executor three(3);
  const Reducer threaded(three);
  const Mat X = Mat::Random(100'001, 3), Y = Mat::Random(100'001, 2);
  EXPECT_EQ(threaded.gram(X, Y), serial_reducer().gram(X, Y));
  EXPECT_EQ(threaded.dots(X, Y.col(1)), serial_reducer().dots(X, Y.col(1)));
  EXPECT_EQ(threaded.norm(X.col(2)), serial_reducer().norm(X.col(2)));
  EXPECT_LT((threaded.gram(X, Y) - X.transpose() * Y).norm(), 1e-10);
  Vec x = X.col(0);
  const auto sums = threaded.sums(x.size(), 2, [&](Index begin, Index size, Reducer::Sums& sum) {
    x.segment(begin, size) *= 2.0;
    sum[0] = x.segment(begin, size).sum();
    sum[1] = static_cast<double>(size);
  });
  EXPECT_EQ(x, 2.0 * X.col(0));
  EXPECT_EQ(sums[1], 100'001.0);
  EXPECT_NEAR(sums[0], x.sum(), 1e-9);
}

TEST(Reducer, AddsThePartsOfAllProcesses) {
  const Mat X = Mat::Random(53, 5), Y = Mat::Random(53, 3);
  Vec x = X.col(0);
  const Reducer& serial = serial_reducer();
  const test::SplittingReducer split;
  EXPECT_LT((split.gram(X, Y) - serial.gram(X, Y)).norm(), 1e-13);
  EXPECT_NEAR(split.norm(x), serial.norm(x), 1e-14);
  EXPECT_EQ(split.num_processes(), 1);

  const test::TwinReducer twin;
  EXPECT_EQ(twin.gram(X, Y), 2.0 * serial.gram(X, Y));
  EXPECT_EQ(twin.dots(X, x), 2.0 * serial.dots(X, x));
  EXPECT_EQ(twin.column_dots(X, X), 2.0 * serial.column_dots(X, X));
  EXPECT_EQ(twin.max_abs(x), serial.max_abs(x));
  EXPECT_EQ(twin.count(53), 106);
  EXPECT_EQ(twin.num_processes(), 2);
  EXPECT_TRUE(twin.all_finite(x));
  x[7] = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(twin.all_finite(x));
}

/// A chain of springs on a bed of others.
class Chain {
 public:
  static constexpr int n = 40;

  SymmetricMatrix on(double bed) const {
    SymmetricMatrix A(pattern_);
    for (int i = 0; i < n; ++i) A.add(i, i, 2.0 + bed * (1.0 + 0.1 * i));
    for (int i = 0; i + 1 < n; ++i) A.add(i, i + 1, -1.0);
    return A;
  }

 private:
  static std::shared_ptr<const BlockPattern> neighbours() {
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i + 1 < n; ++i) pairs.emplace_back(i, i + 1);
    return BlockPattern::build(n, 1, pairs);
  }

  std::shared_ptr<const BlockPattern> pattern_ = neighbours();
};

TEST(Reducer, SolversIterateAsLongWithATwin) {
  const Chain chain;
  const SymmetricMatrix A = chain.on(0.02), B = chain.on(0.03);
  const Vec b = Vec::LinSpaced(40, 1.0, 2.0);
  const test::TwinReducer twin;
  const auto lagged = [](const Reducer& reducer) {
    return make_lagged_solver(solvers().front(), reducer, {.tolerance = 1e-9});
  };
  for (const bool lags : {false, true}) {
    const auto alone = lags ? lagged(serial_reducer()) : make_cg_solver(serial_reducer());
    const auto both = lags ? lagged(twin) : make_cg_solver(twin);
    int iterations = 0;
    for (const SymmetricMatrix* matrix : {&A, &B}) {
      ASSERT_EQ(alone->factorize(*matrix).status, SolveStatus::ok);
      ASSERT_EQ(both->factorize(*matrix).status, SolveStatus::ok);
      for (const double size : {1.0, 3.0, 0.5}) {
        Vec x = Vec::Zero(40), y = x;
        const Vec rhs = b + size * b.cwiseProduct(b);
        const SolveReport one = alone->solve(rhs, x), two = both->solve(rhs, y);
        EXPECT_EQ(one.status, SolveStatus::ok);
        EXPECT_EQ(two.iterations, one.iterations);
        iterations += one.iterations;
        EXPECT_NEAR(two.relative_residual, one.relative_residual, 1e-12);
        EXPECT_LT((x - y).norm(), 1e-12 * x.norm());
      }
    }
    EXPECT_GT(iterations, 0);
  }
}

TEST(Reducer, AGuessFromThreeSolutionsCostsOneReduction) {
  const Chain chain;
  const SymmetricMatrix A = chain.on(0.02), B = chain.on(0.03);
  const test::CountingReducer reducer;
  const auto solver = make_lagged_solver(solvers().front(), reducer);
  ASSERT_EQ(solver->factorize(A).status, SolveStatus::ok);
  Mat X = Mat::Zero(40, 3);
  ASSERT_EQ(solver->solve(Mat::Random(40, 3), X).status, SolveStatus::ok);
  ASSERT_EQ(solver->factorize(B).status, SolveStatus::ok);
  Vec b(40), x = Vec::Zero(40);
  B.apply(X * Vec::LinSpaced(3, 1.0, 2.0), b);  // which the guess solves but for the rest
  b += Vec::Random(40);
  const long before = reducer.reductions();

  const SolveReport report = solver->solve(b, x);

  EXPECT_EQ(report.status, SolveStatus::ok);
  EXPECT_GT(report.iterations, 1);
  // norms at the start in one, and three per iteration
  EXPECT_EQ(reducer.reductions() - before, 1 + 1 + 3 * report.iterations);
}

}  // namespace
}  // namespace sinew::la
